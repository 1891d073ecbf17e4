import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { decompressed, textLines } from '../../base/streams.ts';
import { checkQuestions } from './check.ts';
import type { QuestionLine } from './question.ts';
import { parseQuestion, QUESTIONS } from './questions.ts';
import { randomBaselines } from './random-baselines.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/splat', import.meta.url));
const present = existsSync(folder);
if (!present) console.log('skipped: the SPLAT authors’ question lines are not present as ../shared/data/splat');

function unpacked(file: string): AsyncGenerator<Uint8Array> {
  const bytes = readFileSync(`${folder}/${file}.txt.zst`);
  const stream = (async function* () {
    yield new Uint8Array(bytes);
  })();
  return decompressed(stream, file);
}

async function linesOf(file: string): Promise<QuestionLine[]> {
  const lines: QuestionLine[] = [];
  for await (const { text } of textLines(unpacked(file), file)) {
    const { line, questions } = unwrap(parseQuestion(text));
    if (questions.format(line) !== text.trimEnd()) expect.fail(`written otherwise than it was read: ${text}`);
    lines.push(line);
  }
  return lines;
}

describe.skipIf(!present)('the released lines', () => {
  it.each([
    ['chess.finetune_valid', 6585, 6530, 6096],
    ['chess.finetune25K', 6441, 6439, 6096],
    ['baseball.finetune_valid', 276, 273, 241],
  ])('of %s all have the symbolic program’s answers', async (file, assignment, winning, goal) => {
    const whole = (n: number) => ({ n, agree: n });
    expect(unwrap(await checkQuestions(unpacked(file), file, { mode: 'released' })).questions).toEqual({
      assignment: whole(assignment),
      winning: whole(winning),
      goal: whole(goal),
    });
  });

  it('of baseball repeat the last verb in every goal, which the rules seldom allow', async () => {
    const goals = (await linesOf('baseball.finetune_valid')).filter(({ form }) => form === 'goal');
    for (const { path, prefix } of goals) expect(path![0]).toBe(prefix.at(-1));
    const legal = goals.filter((line) => QUESTIONS.baseball.agrees(line, 'corrected')).length;
    expect(legal).toBeGreaterThan(0);
    expect(legal).toBeLessThan(goals.length / 2);
  });

  // Table 3 of the paper. The draw behind its 35.2 for winning is not known: the released answers give 38.3.
  it('of chess give the paper’s random baselines of assignment (39.1) and legal verbs (0.8) within two points', async () => {
    const baselines = randomBaselines(QUESTIONS.chess, await linesOf('chess.finetune_valid'));
    expect(Math.abs(baselines.assignment! - 0.391)).toBeLessThan(0.02);
    expect(Math.abs(baselines.legal! - 0.008)).toBeLessThan(0.001);
    expect(Math.abs(baselines.winning! - 0.383)).toBeLessThan(0.005);
  });

  // The paper has 36.1 and 37.5, one draw of about 270 answers each, whose standard error is three points; its 11.8 for
  // legal verbs belongs to a list that was not released.
  it('of baseball give baselines within two standard errors of the paper’s', async () => {
    const baselines = randomBaselines(QUESTIONS.baseball, await linesOf('baseball.finetune_valid'));
    const deviations = (share: number, published: number, n: number) =>
      Math.abs(share - published) / Math.sqrt((published * (1 - published)) / n);
    expect(deviations(baselines.assignment!, 0.361, 276)).toBeLessThan(2);
    expect(deviations(baselines.winning!, 0.375, 273)).toBeLessThan(2);
  });
});

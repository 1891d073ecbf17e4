import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { excerpt, sharedData, type OutsideData } from '../../../../fixtures/shared-data.ts';
import { unwrap } from '../../../base/result.ts';
import { decompressed, textLines } from '../../../base/streams.ts';
import { SUB, verbOf } from '../../../domains/baseball/events.ts';
import { baseball } from '../../../domains/baseball/baseball.ts';
import { BaseballState } from '../../../domains/baseball/state.ts';
import { checkQuestions } from './check.ts';
import { reachesGoal } from '../asking/goal-answer.ts';
import type { GoalMode, QuestionLine } from './question.ts';
import { parseQuestion, QUESTIONS } from './questions.ts';
import { ofOtherLines, randomBaselines } from '../asking/random-baselines.ts';

/** What the authors released: 200 lines of each game, and where they are there, all. */
const few = excerpt('splat');
const all = sharedData('data/splat');

function unpacked(file: string, folder: OutsideData): AsyncGenerator<Uint8Array> {
  const bytes = readFileSync(`${folder.path}/${file}.txt.zst`);
  const stream = (async function* () {
    yield new Uint8Array(bytes);
  })();
  return decompressed(stream, file);
}

async function linesOf(file: string, folder = all): Promise<QuestionLine[]> {
  const lines: QuestionLine[] = [];
  for await (const { text } of textLines(unpacked(file, folder), file)) {
    const { line, questions } = unwrap(parseQuestion(text));
    if (questions.format(line) !== text.trimEnd()) expect.fail(`written otherwise than it was read: ${text}`);
    lines.push(line);
  }
  return lines;
}

async function expectAgreement(file: string, folder: OutsideData, [assignment, winning, goal]: number[]) {
  const whole = (n: number) => ({ n, agree: n });
  expect(unwrap(await checkQuestions(unpacked(file, folder), file, { mode: 'released' })).questions).toEqual({
    assignment: whole(assignment),
    winning: whole(winning),
    goal: whole(goal),
  });
}

// Counts of the indicators Q1 to Q8, by awk.
describe('two hundred of the released lines', () => {
  it.each([
    ['chess.finetune_valid', 67, 64, 69],
    ['baseball.finetune_valid', 69, 68, 63],
  ])('of %s all have the symbolic program’s answers', (file, ...counts) => expectAgreement(file, few, counts));
});

describe.skipIf(!all.present)(`all released lines ${all.needed}`, () => {
  it.each([
    ['chess.finetune_valid', 6585, 6530, 6096],
    ['chess.finetune25K', 6441, 6439, 6096],
    ['baseball.finetune_valid', 276, 273, 241],
  ])('of %s have the symbolic program’s answers', (file, ...counts) => expectAgreement(file, all, counts));
});

describe.each([
  ['sixty-three released goals of baseball', few, 63],
  [`all released goals of baseball ${all.needed}`, all, 241],
] as const)('%s', (_, folder, count) => {
  const goalsOf = async () => (await linesOf('baseball.finetune_valid', folder)).filter(({ form }) => form === 'goal');

  it.skipIf(!folder.present)('repeat the last verb in every path, which the rules seldom allow', async () => {
    const goals = await goalsOf();
    for (const { path, prefix } of goals) expect(path![0]).toBe(prefix.at(-1));
    const legal = goals.filter((line) => QUESTIONS.baseball.agrees(line, 'corrected')).length;
    expect(legal).toBeGreaterThan(0);
    expect(legal).toBeLessThan(goals.length / 2);
  });

  it.skipIf(!folder.present)('are all reached by the judge of answers', async () => {
    const goals = await goalsOf();
    const right = (mode: GoalMode) =>
      goals.filter((line) => reachesGoal(QUESTIONS.baseball, line, line.path!, mode)).length;
    expect([right('released'), goals.length]).toEqual([count, count]);
    expect(right('corrected')).toBe(goals.filter((line) => QUESTIONS.baseball.agrees(line, 'corrected')).length);
  });
});

// Table 3 of the paper: the shares that every line has one of; those of a third of the lines need all of them.
it('two hundred released lines have the paper’s random baselines of Legal Verbs', async () => {
  const chess = randomBaselines(QUESTIONS.chess, await linesOf('chess.finetune_valid', few));
  expect(chess.legal).toBeCloseTo(0.008, 3);
  const baseball = randomBaselines(QUESTIONS.baseball, await linesOf('baseball.finetune_valid', few));
  expect(Math.abs(baseball.spelling! - 0.118)).toBeLessThan(0.02);
});

describe.skipIf(!all.present)(`the random baselines of all released lines ${all.needed}`, () => {
  // Table 3 of the paper in percent; random-baselines.ts says which definition each is.
  const within = (share: number | null, published: number) => Math.abs(100 * share! - published) <= 2;

  it('of chess give each of the paper’s random baselines within two points', async () => {
    const lines = await linesOf('chess.finetune_valid');
    const baselines = randomBaselines(QUESTIONS.chess, lines);
    expect(Math.abs(baselines.legal! - 0.008)).toBeLessThan(0.0005);
    expect(baselines.spelling).toBe(baselines.legal);
    expect(within(baselines.assignment, 39.1)).toBe(true);
    expect(within(baselines.winning, 35.2)).toBe(true);
    expect(baselines.goal).toBe(0);
    expect(within(baselines.goal, 1)).toBe(true);
    expect(ofOtherLines(QUESTIONS.chess, lines, 'winning')).toBeCloseTo(0.38, 2);
  });

  it('of baseball do so but for who is winning, where the paper’s one draw is within two standard errors', async () => {
    const lines = await linesOf('baseball.finetune_valid');
    const baselines = randomBaselines(QUESTIONS.baseball, lines);
    expect(baselines.legal).toBeCloseTo(0.034, 3);
    expect(within(baselines.spelling, 11.8)).toBe(true);
    // Counted again from the text of the verbs.
    const spelt = lines.map(({ prefix }) => {
      const state = new BaseballState();
      for (const event of prefix) state.play(event);
      const verbs = baseball.legal(state).filter((event) => verbOf(event) !== SUB);
      return new Set(baseball.traces.format(verbs).split(' ')).size;
    });
    expect(baselines.spelling! * 144).toBeCloseTo(spelt.reduce((sum, tokens) => sum + tokens, 0) / spelt.length, 9);
    expect(within(baselines.assignment, 36.1)).toBe(true);
    expect(within(baselines.goal, 0.4)).toBe(true);
    const error = Math.sqrt((0.375 * 0.625) / 267);
    for (const winning of [baselines.winning!, ofOtherLines(QUESTIONS.baseball, lines, 'winning')!]) {
      expect(within(winning, 37.5)).toBe(false);
      expect(Math.abs(winning - 0.375) / error).toBeLessThan(2);
    }
  });
});

import { expect, it } from 'vitest';
import { smallEngine } from '../../../../fixtures/small-engine.ts';
import { scriptedEngine, type Continuations } from '../../../../fixtures/scripted-engine.ts';
import { tinyGpt2 } from '../../../../fixtures/sample-run.ts';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { batchOf } from '../../../base/batch.ts';
import { initialParameters } from '../../../models/model.ts';
import type { GptConfig } from '../../../models/gpt.ts';
import { askQuestions } from './ask-questions.ts';
import { parseQuestion } from '../questions/questions.ts';
import { randomBaselines } from './random-baselines.ts';

const BATTER = '[start] <sog> <newbatter> (id_100)';

/** One line asked of an engine of these probabilities. */
async function ask(text: string, told: Continuations, mode?: 'released' | 'corrected') {
  const { line, questions } = unwrap(parseQuestion(text));
  const engine = scriptedEngine(questions.vocabulary, told);
  return unwrap(await askQuestions(engine, questions, [line], { mode }))[0];
}

/** Writes these tokens after the prompt, one after another. */
function writes(text: string): Continuations {
  const tokens = text.split(' ');
  return (words) => {
    const asked = words.findIndex((word) => /^Q\d+$/.test(word));
    return { [tokens[words.length - asked - 3] ?? '[pad]']: 0.9 };
  };
}

it('ranks whole lines: an answer that the line does not end after loses to one that it does', async () => {
  // Away 0.5 * 0.2 = 0.10, home 0.3 * 0.5 = 0.15, level 0.2 * 0.25 = 0.05: the likeliest token is not the answer.
  const answers: Record<string, number> = { A1: 0.5, A2: 0.3, A3: 0.2 };
  const ends: Record<string, number> = { A1: 0.2, A2: 0.5, A3: 0.25 };
  const told: Continuations = (words) => (words.at(-1) === 'Q2' ? answers : { '[end]': ends[words.at(-1)!] });
  const answer = await ask(`${BATTER} <ball> [sep] Q2 A3 [end]`, told);
  expect(answer).toMatchObject({ form: 'winning', events: 3, args: [], gold: 'A3', answered: 'A2', correct: false });
  expect(answer.goldProbability).toBeCloseTo(0.05 / 0.3, 6);
});

it('takes candidates alone, of the variable that is asked for, and keeps the order of the lines', async () => {
  const texts = [
    '[start] e2e4 [sep] Q3 e4 P [end]',
    '[start] e2e4 [sep] Q8 e5 p e7e5 g1f3 b8c6 f1b5 a7a6 [end]',
    '[start] e2e4 [sep] Q3 e2 . [end]',
    '[start] e2e4 [sep] Q5 A5 [end]',
    '[start] e2e4 [sep] Q3 a1 R [end]',
    '[start] e2e4 [sep] Q3 a8 r [end]',
  ];
  const lines = texts.map((text) => unwrap(parseQuestion(text)).line);
  const { questions } = unwrap(parseQuestion(texts[0]));
  // Most of all it would write a move, and of pieces a white pawn; the goal is reached by its only verb.
  const engine = scriptedEngine(questions.vocabulary, (words) =>
    words.at(-4) === 'Q8'
      ? { '[end]': 0.9 }
      : words.at(-3) === 'Q8'
        ? { e7e5: 0.9 }
        : words.at(-1) === 'Q5'
          ? { e7e5: 0.6, A4: 0.3 }
          : { e7e5: 0.6, P: 0.3 },
  );
  const shares: number[] = [];
  const onProgress = ({ share }: { share: number }): void => void shares.push(share);
  const answers = unwrap(await askQuestions(engine, questions, lines, { onProgress }));
  expect(answers.map(({ answered }) => answered)).toEqual(['P', 'e7e5', 'P', 'A4', 'P', 'P']);
  expect(answers.map(({ correct }) => correct)).toEqual([true, true, false, false, false, false]);
  expect(answers[1]).toMatchObject({ gold: 'e7e5 g1f3 b8c6 f1b5 a7a6', goldProbability: null });
  expect(shares).toEqual([4 / 6, 5 / 6, 1]);
});

it('a goal is reached where it holds after the last verb, written before [end] or as the fifth', async () => {
  const asked = '[start] e2e4 [sep] Q8 c6 n';
  const gold = 'e7e5 g1f3 b8c6 f1b5 a7a6';
  const told = (text: string) => ask(`${asked} ${gold} [end]`, writes(text));
  expect(await told(gold)).toMatchObject({ answered: gold, correct: true });
  expect(await told('e7e5 g1f3 b8c6 [end]')).toMatchObject({ answered: 'e7e5 g1f3 b8c6', correct: true });
  // The knight comes on the fifth, leaves again before it, or never comes.
  const fifth = 'e7e5 g1f3 a7a6 f1c4 b8c6';
  expect(await told(`${fifth} f3e5`)).toMatchObject({ answered: fifth, correct: true });
  const leaves = 'e7e5 g1f3 b8c6 f1b5 c6d4';
  expect(await told(leaves)).toMatchObject({ answered: leaves, correct: false });
  const sixth = 'e7e5 g1f3 a7a6 f1c4 h7h6 b1c3 b8c6';
  expect(await told(sixth)).toMatchObject({ answered: sixth.split(' ').slice(0, 5).join(' '), correct: false });
});

it('what holds already counts for nothing before a verb is written', async () => {
  const line = `${BATTER} [sep] Q3 [outs] 0 <ball> <ball> <ball> <ball> <advance> (plate) (first) [end]`;
  expect(await ask(line, writes('[end]'))).toMatchObject({ answered: '', correct: false });
  expect(await ask(line, writes('(plate)'))).toMatchObject({ answered: '(plate)', correct: false });
  expect(await ask(line, writes('<ball> [end]'))).toMatchObject({ answered: '<ball>', correct: true });
});

it('a verb that no program can follow is wrong, and so is one that never becomes whole', async () => {
  const asked = '[start] e2e4 [sep] Q8 c6 n e7e5 g1f3 b8c6 f1b5 a7a6 [end]';
  expect(await ask(asked, writes('e4e5 b8c6'))).toMatchObject({ answered: 'e4e5', correct: false });
  expect(await ask(asked, writes('e7e5 [end] b8c6'))).toMatchObject({ answered: 'e7e5', correct: false });
  const outs = `${BATTER} [sep] Q3 [outs] 0 <ball> <atbat> <newbatter> (id_101) <ball> <ball> [end]`;
  expect(await ask(outs, writes('<ball> <out> [end]'))).toMatchObject({
    answered: '<ball> <out> [end]',
    correct: false,
  });
  expect(await ask(outs, writes('<ball> <out> <ball> (plate)'))).toMatchObject({ correct: false });
  expect(await ask(outs, writes('<advance> (plate) (id_100)'))).toMatchObject({
    answered: '<advance> (plate) (id_100)',
    correct: false,
  });
});

it('verbs with arguments are read whole, and every one must be legal, in either mode', async () => {
  const outs = `${BATTER} [sep] Q3 [outs] 2 <out> (plate) <out> (plate) <atbat> <ball> <ball> [end]`;
  // Nobody is left at the plate to be out a second time.
  const twice = '<out> (plate) <out> (plate)';
  for (const mode of ['released', 'corrected'] as const)
    expect(await ask(outs, writes(`${twice} [end]`), mode)).toMatchObject({ answered: twice, correct: false });
  const third = `${BATTER} [sep] Q3 [third] (id_100) <hit> <advance> (plate) (third) <atbat> <newbatter> (id_101) <ball> [end]`;
  const runs = '<hit> <advance> (plate) (third)';
  expect(await ask(third, writes(`${runs} [end]`), 'corrected')).toMatchObject({ answered: runs, correct: true });
});

it('a first verb that repeats the last one told may be illegal in released baseball, and no other may', async () => {
  const asked = (outs: number) =>
    `${BATTER} <out> (plate) [sep] Q3 [outs] ${outs} <out> (plate) <atbat> <newbatter> (id_101) <ball> <ball> [end]`;
  const repeat = '<out> (plate)';
  expect(await ask(asked(2), writes(`${repeat} [end]`), 'released')).toMatchObject({ correct: true });
  expect(await ask(asked(2), writes(`${repeat} <atbat> [end]`), 'released')).toMatchObject({ correct: true });
  expect(await ask(asked(2), writes(`${repeat} [end]`), 'corrected')).toMatchObject({ correct: false });
  expect(await ask(asked(3), writes(`${repeat} ${repeat} [end]`), 'released')).toMatchObject({ correct: false });
  expect(await ask(asked(2), writes(`<atbat> ${repeat} [end]`), 'released')).toMatchObject({ correct: false });
});

it('models and random answers are judged alike', async () => {
  // Lines whose five verbs are one, so that random answers, drawn from each other, are those verbs too.
  const cases: [string, string, boolean][] = [
    ['[strikes] 2', '<foul>', true],
    // Passed on the way and left again.
    ['[strikes] 1', '<foul>', false],
    // The rules let nobody be out twice.
    ['[outs] 5', '<out> (plate)', false],
  ];
  for (const [goal, verb, right] of cases) {
    const path = Array.from({ length: 5 }, () => verb).join(' ');
    const text = `${BATTER} [sep] Q3 ${goal} ${path} [end]`;
    const { line, questions } = unwrap(parseQuestion(text));
    expect((await ask(text, writes(path))).correct).toBe(right);
    expect(randomBaselines(questions, [line, line]).goal).toBe(Number(right));
  }
});

it('refuses a line that does not fit, and ends where it is cancelled', async () => {
  const { line, questions } = unwrap(parseQuestion('[start] e2e4 [sep] Q3 e4 P [end]'));
  const goal = unwrap(parseQuestion('[start] e2e4 [sep] Q8 e5 p e7e5 g1f3 b8c6 f1b5 a7a6 [end]')).line;
  // [start] e2e4 [sep] Q3 e4 and an answer; [start] e2e4 [sep] Q8 e5 p and five verbs
  const engine = (context: number) => scriptedEngine(questions.vocabulary, () => ({}), context);
  expect(await askQuestions(engine(6), questions, [line])).toMatchObject({ ok: true });
  expect(await askQuestions(engine(5), questions, [line])).toMatchObject({ error: { code: 'too-long' } });
  expect(await askQuestions(engine(11), questions, [goal])).toMatchObject({ ok: true });
  expect(await askQuestions(engine(10), questions, [line, goal])).toMatchObject({
    error: { code: 'too-long', message: expect.stringContaining('Question 2 of 2') as string },
  });
  const cancelled = await askQuestions(engine(20), questions, [line], { cancelled: () => true });
  expect(cancelled).toMatchObject({ error: { code: 'cancelled' } });
});

it('of a real model gives the shares of whole lines, each run from its beginning', async () => {
  const { questions } = unwrap(parseQuestion(`${BATTER} [sep] Q2 A3 [end]`));
  const { vocabulary } = questions;
  const model: GptConfig = { ...tinyGpt2({ context: 32 }), vocabulary: vocabulary.size, slots: null };
  // Larger weights than at a start, so that the shares differ.
  const parameters = initialParameters(model, seededRandom('whole lines'));
  for (const { data } of parameters.values()) data.forEach((value, i) => (data[i] = 4 * value));
  const engine = await smallEngine(model, parameters);
  const asked = ['Q1 [plate] (id_100)', 'Q1 [outs] 1', 'Q2 A3', 'Q1 [first] ___', 'Q1 [half] 0'];
  const lines = asked.map((text) => unwrap(parseQuestion(`${BATTER} <ball> <strike> [sep] ${text} [end]`)).line);
  const answers = unwrap(await askQuestions(engine, questions, lines));
  for (const [i, line] of lines.entries()) {
    const { prompt, candidates } = questions.encode(line);
    const rows = candidates!.map((token) => [...prompt, token, vocabulary.end]);
    const batch = batchOf(rows);
    const found = await engine.logProbabilities(batch, []);
    const probabilities = rows.map((_, row) =>
      Math.exp(found.subarray(batch.offsets[row], batch.offsets[row + 1]).reduce((sum, value) => sum + value, 0)),
    );
    const gold = probabilities[candidates!.indexOf(vocabulary.id(line.answer!)!)];
    const all = probabilities.reduce((sum, chance) => sum + chance, 0);
    expect(answers[i].goldProbability).toBeCloseTo(gold / all, 5);
    expect(vocabulary.id(answers[i].answered)).toBe(candidates![probabilities.indexOf(Math.max(...probabilities))]);
  }
  engine.dispose();
});

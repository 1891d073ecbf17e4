import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Instance } from './instances.ts';
import { askTasks, errorCounts, randomLegalExact, taskNames, taskReport } from './tasks.ts';

const notation = unwrap(chess.notation('rap:15'));
const id = (token: string): number => notation.vocabulary.id(token)!;

/** After 1. e4 e5 2. Nf3 Nc6 White's bishop goes to b5; lists by hand. */
const instance: Instance = {
  prefix: 'e2e4 e7e5 g1f3 b8c6',
  oracle_prefix: 'Pe2e4 Pe7e5 Ng1f3 Nb8c6',
  piece_type: 'B',
  starting_square: 'f1',
  ending_square: 'b5',
  legal_ending_square: ['a6', 'b5', 'c4', 'd3', 'e2'],
  other_piece_type: 'R',
  other_starting_square: 'h1',
  other_ending_square: ['g1'],
  legal_starting_square: ['f1'],
  start_other_piece_type: 'N',
  start_other_starting_square: ['b1', 'f3'],
};

/** Answers each prompt with the tokens told, best first. */
function scripted(answers: Record<string, string[]>): { engine: Engine; asked: number[][] } {
  const asked: number[][] = [];
  const engine = {
    async leafLogits(prefixes: readonly (readonly number[])[], leaves: readonly (readonly number[])[]) {
      return prefixes.map((prefix, row) => {
        asked.push([...prefix]);
        return {
          root: new Float32Array(77),
          leaves: leaves[row].map((leaf) => {
            const logits = new Float32Array(77);
            // Piece names would win if they were not muted.
            logits[id('Q')] = 100;
            answers[notation.vocabulary.tokens[leaf]].forEach((token, i) => (logits[id(token)] = 50 - i));
            return logits;
          }),
        };
      });
    },
  } as unknown as Engine;
  return { engine, asked };
}

test('each task is asked with its own prompt and judged by its own list', async () => {
  const { engine, asked } = scripted({
    f1: ['b5', 'c4', 'h3', 'e2', 'a1'],
    h1: ['h2'],
    B: ['c1'],
    N: ['f3', 'b1'],
  });
  const judged = await askTasks(engine, notation, [instance, instance], { tasks: taskNames, rowsPerBatch: 1 });
  expect(asked[0].map((token) => notation.vocabulary.tokens[token])).toEqual([
    '<s>',
    'e2',
    'e4',
    'e7',
    'e5',
    'g1',
    'f3',
    'b8',
    'c6',
  ]);
  expect(judged).toHaveLength(8);
  expect(taskReport(judged, 'end-actual')).toMatchObject({ exm: 1, lgm: 1, n: 2 });
  expect(taskReport(judged, 'end-actual').rprec).toBeCloseTo(3 / 5, 10);
  expect(taskReport(judged, 'end-other')).toMatchObject({ exm: null, lgm: 0, rprec: 0 });
  expect(taskReport(judged, 'start-actual')).toMatchObject({ exm: 0, lgm: 0 });
  expect(taskReport(judged, 'start-other')).toMatchObject({ exm: null, lgm: 1, rprec: 1 });
  // The rook on h1 may move like that, were its own pawn not there.
  expect(errorCounts(judged, 'end-other')).toEqual({
    unreachable: 0,
    syntax: 0,
    'path obstruction': 2,
    'pseudo legal': 0,
  });
});

test('a task that is not asked has no scores', async () => {
  const { engine } = scripted({ f1: ['b5'] });
  const judged = await askTasks(engine, notation, [instance], { tasks: ['end-actual'], rowsPerBatch: 4 });
  expect(taskReport(judged, 'start-actual')).toEqual({
    exm: null,
    lgm: null,
    rprec: null,
    n: 0,
    ci95: { exm: null, lgm: null, rprec: null },
  });
});

test('random legal play expects the mean of one over the number of legal answers', () => {
  expect(randomLegalExact([instance, { ...instance, legal_ending_square: ['b5'] }], 'end-actual')).toBeCloseTo(
    (1 / 5 + 1) / 2,
    12,
  );
  expect(randomLegalExact([instance], 'start-actual')).toBe(1);
  expect(randomLegalExact([], 'start-actual')).toBeNull();
});

test('an oracle reads the oracle prefix and the piece before the square, and nothing is muted', async () => {
  const ap = unwrap(chess.notation('ap'));
  const { engine, asked } = scripted({ f1: ['b5'], h1: ['g1'], B: ['f1'], N: ['b1', 'f3'] });
  const answers = await askTasks(engine, ap, [instance], { tasks: taskNames, rowsPerBatch: 2 });
  const told = asked.map((tokens) => tokens.map((token) => ap.vocabulary.tokens[token]).join(' ')).sort();
  const oracle = '<s> P e2 e4 P e7 e5 N g1 f3 N b8 c6';
  expect(told).toEqual([oracle, `${oracle} B`, `${oracle} R`]);
  // The queen's name has the largest logit.
  expect(answers.map(({ task, prompt, top, legal }) => [task, prompt, top, legal])).toEqual([
    ['end-actual', 'Bf1', 'Q', false],
    ['end-other', 'Rh1', 'Q', false],
    ['start-actual', 'B', 'Q', false],
    ['start-other', 'N', 'Q', false],
  ]);
  expect(answers.map(({ error }) => error)).toEqual(['unreachable', 'unreachable', null, null]);
});

test('an oracle is asked about two pieces of a kind in one pass', async () => {
  const ap = unwrap(chess.notation('ap'));
  const same = {
    ...instance,
    other_piece_type: 'B' as const,
    other_starting_square: 'c1',
    other_ending_square: ['d2'],
  };
  const { engine, asked } = scripted({ f1: ['b5'], c1: ['d2'] });
  const answers = await askTasks(engine, ap, [same], { tasks: ['end-actual', 'end-other'], rowsPerBatch: 4 });
  expect(asked).toHaveLength(1);
  expect(answers.map(({ prompt }) => prompt)).toEqual(['Bf1', 'Bc1']);
});

test('answers come in the order of the instances, however long their prefixes', async () => {
  const shorter = {
    ...instance,
    prefix: 'e2e4 e7e5',
    starting_square: 'g1',
    ending_square: 'f3',
    legal_ending_square: ['f3'],
  };
  const { engine } = scripted({ f1: ['b5'], g1: ['f3'] });
  const done: number[] = [];
  const answers = await askTasks(engine, notation, [instance, shorter], {
    tasks: ['end-actual'],
    rowsPerBatch: 1,
    onInstances: (n) => done.push(n),
  });
  expect(answers.map(({ instance, prompt, plies, exact }) => [instance, prompt, plies, exact])).toEqual([
    [0, 'f1', 4, true],
    [1, 'g1', 2, true],
  ]);
  expect(done).toEqual([1, 2]);
});

import { expect, test } from 'vitest';
import type { Answer, AssessedModel, AssessedSet } from '../../../studies/testbed/assessment.ts';
import type { Instance } from '../../../studies/testbed/instances.ts';
import { errorTable, obstructionTable, pathLengthTable, pseudoLegalTable } from './errors.ts';
import { accuracyFigure, lengthsFigure } from './figures.ts';
import { nearestSize } from '../../../studies/testbed/report/paper-row.ts';
import { piecesTable, scoresTable } from './tables.ts';

const subject: AssessedModel = {
  name: 'tiny',
  kind: 'gpt2',
  layers: 2,
  width: 64,
  parameters: 1e5,
  window: null,
  notation: 'rap:15',
  objective: 'next',
  games: 'embedded',
  trainGames: 180_000,
  steps: 10,
  tokens: null,
  seed: 1,
};

const instance = {
  prefix: '',
  legal_ending_square: ['a1', 'a2', 'a3', 'a4'],
  legal_starting_square: ['a1', 'b1'],
  piece_type: 'R',
} as unknown as Instance;

const answer = (given: Partial<Answer>): Answer => ({
  task: 'end-actual',
  instance: 0,
  prompt: 'a1',
  plies: 55,
  piece: 'R',
  top: 'a2',
  legalCount: 4,
  legal: true,
  exact: true,
  rPrecision: 1,
  error: null,
  inCheck: false,
  pathLength: 1,
  ...given,
});
const wrong = (error: Answer['error'], given: Partial<Answer> = {}): Answer =>
  answer({ legal: false, exact: false, rPrecision: 0.5, error, ...given });

const set: AssessedSet = {
  range: 'long',
  source: 'games',
  instances: [instance, instance],
  answers: [
    answer({}),
    wrong('syntax', { plies: 72 }),
    wrong('pseudo legal', { inCheck: true, piece: 'K' }),
    wrong('path obstruction', { pathLength: 4 }),
    answer({ exact: false, piece: 'Q', pathLength: 3 }),
    answer({ task: 'start-actual', exact: true, pathLength: null }),
    wrong('path obstruction', { task: 'end-other', exact: null, pathLength: 6 }),
  ],
};
const members = (answers: number[]) => answers.map((at) => ({ assessment: 0, set: 2, answer: at }));

test('scores are counted by task, beside the paper’s nearest row, and lead to their answers', () => {
  const table = scoresTable(set, 2, subject);
  expect(table.rows.map(({ labels }) => labels[0])).toEqual([
    'End, the piece that moved',
    'End, another piece',
    'Start, the kind that moved',
  ]);
  const [legal, precision, exact, random, asked] = table.rows[0].cells;
  // Two of five legal, one exact; R-precision (1 + .5 + .5 + .5 + 1) / 5; one of four legal squares at random.
  expect([legal.text, precision.text, exact.text, random.text, asked.text]).toEqual([
    '40.0',
    '70.0',
    '20.0',
    '25.0',
    '5',
  ]);
  // Toshniwal et al. 2022, Table 6, Train-L, UCI + RAP.
  expect([legal.published, precision.published, exact.published]).toEqual([97.0, 86.1, 54.7]);
  expect(legal.members!()).toEqual(members([0, 1, 2, 3, 4]));
  // Wilson's interval of 2 in 5, by the formula of his paper.
  expect(legal.ci95!.map((end) => Math.round(end * 10) / 10)).toEqual([11.8, 76.9]);
  expect(table.rows[1].cells[2].text).toBe('–');
});

test('the paper’s values stand beside its own prefixes alone', () => {
  const short = scoresTable({ ...set, range: 'short' }, 0, subject);
  expect(short.rows.flatMap(({ cells }) => cells.map(({ published }) => published)).every((p) => p === null)).toBe(
    true,
  );
  const uci = scoresTable(set, 0, { ...subject, notation: 'uci', trainGames: null });
  expect(uci.rows[0].cells[0].published).toBe(74.0);
  expect([15_000, 26_000, 29_000, 120_000, 1e7].map(nearestSize)).toEqual(['S', 'S', 'M', 'L', 'L']);
});

test('every error is a number that leads to exactly its answers', () => {
  const errors = errorTable(set, 2, subject);
  expect(errors.rows[0].cells.map(({ text }) => text)).toEqual(['0', '1', '1', '1', '3', '5']);
  expect(errors.rows[0].cells[0].members).toBeNull();
  expect(errors.rows[0].cells[1].members!()).toEqual(members([1]));
  expect(errors.rows[0].cells[4].members!()).toEqual(members([1, 2, 3]));
  expect(errors.rows[1].cells[2].members!()).toEqual(members([6]));

  const pseudo = pseudoLegalTable(set, 2);
  expect(pseudo.rows.map(({ cells }) => cells.slice(0, 2).map(({ text }) => text))).toEqual([
    ['1', '1'],
    ['0', '0'],
    ['0', '0'],
    ['0', '2'],
    ['1', '3'],
  ]);
  const obstruction = obstructionTable(set, 2);
  expect(obstruction.rows[0].cells.map(({ text }) => text)).toEqual(['1', '2', '1', '1']);
  expect(obstruction.rows[0].cells[0].members!()).toEqual(members([3]));
  const lengths = pathLengthTable(set, 2);
  expect(lengths.rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
    ['1.00', '4.00', '–', '6.00'],
    ['–', '–', '–', '–'],
    ['3.00', '–', '–', '–'],
  ]);
});

test('pieces and lengths count each position once', () => {
  expect(piecesTable(set, 2).rows[0].cells.map(({ text }) => text)).toEqual(['3', '0', '0', '1', '1']);
  const bars = lengthsFigure(set);
  expect(bars.series[0].points.map(({ y }) => y)).toEqual([4, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
  const lines = accuracyFigure(set);
  expect(lines.series[0].points.map(({ x, y }) => [x, y])).toEqual([
    [0, 50],
    [2, 0],
  ]);
});

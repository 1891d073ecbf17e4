import type { Answer, AssessedModel, AssessedSet, Assessment } from '../probes/assessment.ts';
import type { Instance } from '../probes/instances.ts';

/** Assessments small enough to count on fingers, for the tests of this folder. */

export const subject: AssessedModel = {
  name: 'tiny',
  kind: 'gpt2',
  layers: 4,
  width: 128,
  parameters: 849_536,
  window: null,
  notation: 'uci',
  objective: 'next',
  games: 'some games',
  trainGames: 15_000,
  steps: 100,
  tokens: 5000,
  seed: 1,
};

const openings = ['e2e4 e7e5', 'e2e4 c7c5', 'e2e4 e7e6', 'e2e4 d7d5'];

/** Four questions after White's e4: the bishop f1 was moved to c4; the knight g1 is the other piece. */
export const instances: Instance[] = openings.map((prefix) => ({
  prefix,
  oracle_prefix: prefix,
  piece_type: 'B',
  starting_square: 'f1',
  ending_square: 'c4',
  legal_ending_square: ['a6', 'b5', 'c4', 'd3', 'e2'],
  other_piece_type: 'N',
  other_starting_square: 'g1',
  other_ending_square: ['e2', 'f3', 'h3'],
  legal_starting_square: ['f1'],
  start_other_piece_type: 'N',
  start_other_starting_square: ['b1', 'g1'],
}));

function answer(instance: number, changes: Partial<Answer>): Answer {
  return {
    task: 'end-actual',
    instance,
    prompt: 'f1',
    plies: 60,
    piece: 'B',
    top: 'c4',
    legalCount: 5,
    legal: true,
    exact: true,
    rPrecision: 1,
    error: null,
    inCheck: false,
    pathLength: 3,
    ...changes,
  };
}

const other: Partial<Answer> = { task: 'end-other', prompt: 'g1', piece: 'N', top: 'f3', legalCount: 3, exact: null };

/**
 * End-Actual: 2 of 4 legal (1 exact), R-precisions 1, 0.6, 0, 0.2, one syntax error and one path obstruction in check.
 * End-Other: 1 of 4 legal, R-precisions 1, 0, 0, 0, three pseudo-legal errors, one of them in check.
 */
export const answers: Answer[] = [
  answer(0, {}),
  answer(1, { top: 'b5', exact: false, rPrecision: 0.6 }),
  answer(2, { top: 'f3', legal: false, exact: false, rPrecision: 0, error: 'syntax', pathLength: 2 }),
  answer(3, {
    top: 'g2',
    legal: false,
    exact: false,
    rPrecision: 0.2,
    error: 'path obstruction',
    pathLength: 1,
    inCheck: true,
  }),
  answer(0, other),
  answer(1, { ...other, legal: false, rPrecision: 0, error: 'pseudo legal', inCheck: true }),
  answer(2, { ...other, legal: false, rPrecision: 0, error: 'pseudo legal' }),
  answer(3, { ...other, legal: false, rPrecision: 0, error: 'pseudo legal' }),
];

/** The same with every answer right. */
export const allRight: Answer[] = answers.map((one) => ({
  ...one,
  legal: true,
  exact: one.task === 'end-actual' ? true : null,
  rPrecision: 1,
  error: null,
}));

export const set: AssessedSet = { range: 'long', source: 'games', instances, answers };

export function assessment(changes: Partial<AssessedModel> = {}, sets: AssessedSet[] = [set], dev = 20): Assessment {
  return {
    version: 1,
    subject: { ...subject, ...changes },
    perplexity: { dev: { games: 100, moves: 7600, perplexity: dev }, test: null },
    sets,
  };
}

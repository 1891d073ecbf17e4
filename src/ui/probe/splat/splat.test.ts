import { expect, test } from 'vitest';
import type { StateMap } from '../../../studies/splat/state-map.ts';
import type { Stored } from '../../../studies/study.ts';
import type { SplatAnswer, SplatAssessment } from '../../../studies/splat/splat-assessment.ts';
import { formsOf, formTitle, membersOfForm } from './splat-answers.ts';
import { distancesTable, memoryFigure } from './splat-memory.ts';
import { answersTable, forgettingOf, massesTable, massShares } from './splat-tables.ts';
import { beliefAt, rightAt, rightOf, rightOverall, stateMapCsv, stripRows } from './state-map.ts';

const answer = (form: string, changes: Partial<SplatAnswer> = {}): SplatAnswer => ({
  line: 0,
  form,
  events: 4,
  args: [],
  gold: 'A3',
  answered: 'A1',
  correct: false,
  goldProbability: 0.25,
  distance: null,
  ...changes,
});

const assessment = (domain: string, changes: Partial<SplatAssessment> = {}): SplatAssessment => ({
  version: 1,
  subject: {
    name: 'tiny',
    kind: 'gpt2',
    layers: 1,
    width: 16,
    parameters: 5000,
    window: null,
    notation: 'splat',
    objective: 'next',
    games: 'made up',
    trainGames: 6,
    steps: 10,
    tokens: 100,
    seed: 1,
    fineTuning: null,
  },
  domain,
  perplexity: null,
  legalVerbs: [{ events: 1, legal: 4, rPrecision: 0.5, legalMass: 0.6, inPatternMass: null }],
  prefixes: ['a1'],
  lines: [],
  answers: [],
  random: { legalVerbs: 0.1, questions: {} },
  fineTuningStates: null,
  ...changes,
});

const BASEBALL = '[start] <sog> <newbatter> (id_104) <hit> <advance> (plate) (third) [sep] Q1 [third] (id_104) [end]';
const tuned = (changes: Partial<SplatAssessment> = {}): SplatAssessment => {
  const one = assessment('baseball', changes);
  const fineTuning = { start: 'pre-trained weights', base: { id: 'b', name: 'base' }, goals: 'released' } as const;
  return { ...one, subject: { ...one.subject, fineTuning } };
};

test('tables have the columns of the model’s own game, and questions only where they were asked', () => {
  const reader = answersTable(assessment('baseball'));
  expect(reader.headings.cells).toEqual(['Parameters, millions', 'Legal verbs', 'Next token']);
  expect(reader.words).toContain('Next token:');
  const own = reader.rows.find(({ labels }) => labels[0] === 'tiny')!;
  // The paper's TLM Pretrained in Table 3: 19.1 million, 50.7. An older assessment has the next token's count alone.
  expect(own.cells.map(({ value, published }) => [value, published])).toEqual([
    [0.005, 19.1],
    [null, 50.7],
    [50, null],
  ]);
  expect(reader.notes.join(' ')).toContain('Not counted under Legal verbs: tiny');
  // Where legal verbs are spelt with more tokens than may come next, both counts stand there without questions too.
  const spelling = { tokens: 8, rPrecision: 0.25 };
  const [verbs] = assessment('baseball').legalVerbs;
  const spelt = answersTable(assessment('baseball', { legalVerbs: [{ ...verbs, spelling }] }));
  expect(spelt.headings.cells).toEqual(['Parameters, millions', 'Legal verbs', 'Next token']);
  expect(
    spelt.rows
      .find(({ labels }) => labels[0] === 'tiny')!
      .cells.slice(1)
      .map(({ value }) => value),
  ).toEqual([25, 50]);
  expect(spelt.notes.join(' ')).not.toContain('Not counted');
  const asked = answersTable(tuned({ lines: [BASEBALL], answers: [answer('winning', { correct: true })] }));
  expect(asked.headings.cells).toHaveLength(6);
  expect(asked.rows.find(({ labels }) => labels[0] === 'tiny')!.cells[3].value).toBe(100);
  expect(answersTable(assessment('noughts')).rows.map(({ labels }) => labels[0])).toEqual(['tiny', 'Random baseline']);
  expect(massesTable(assessment('noughts')).rows).toHaveLength(5);
  expect(massShares(assessment('noughts'))[0]).toEqual({
    name: 'This model',
    published: false,
    legal: 60,
    blocked: null,
  });
});

test('the kinds of question are those that were asked, by the names of the tables', () => {
  const line = '[start] e2e4 e7e5 [sep] Q3 e4 P [end]';
  const asked = [answer('goal', { args: ['e4', '.'] }), answer('assignment', { args: ['e4'] })];
  const chess = assessment('chess', { lines: [line], answers: asked });
  expect(formsOf(chess)).toEqual(['legal verbs', 'assignment', 'goal']);
  expect(membersOfForm(chess, 'assignment')).toEqual([{ assessment: 0, set: 0, answer: 1 }]);
  expect(formTitle('legal verbs', 'baseball')).toBe('Next token');
  expect(formTitle('legal verbs', 'noughts')).toBe('Legal verbs');
});

test('forgetting wants both assessments, and says which is missing', () => {
  const stored = (run: string, one: SplatAssessment): Stored<SplatAssessment> =>
    ({ id: run, run, createdAt: 1, asked: {}, assessment: one }) as unknown as Stored<SplatAssessment>;
  const [verbs] = assessment('baseball').legalVerbs;
  const legalVerbs = [{ ...verbs, spelling: { tokens: 8, rPrecision: 0.25 } }];
  const before = assessment('baseball', { legalVerbs });
  const base = stored('b', { ...before, subject: { ...before.subject, name: 'base' } });
  const after = stored('t', tuned({ legalVerbs }));
  expect(forgettingOf(after, [after])).toEqual({ kind: 'missing', base: { id: 'b', name: 'base' } });
  expect(forgettingOf(base, [base])).toEqual({ kind: 'none' });
  for (const shown of [after, base]) {
    const found = forgettingOf(shown, [after, base]);
    expect(found).toMatchObject({
      kind: 'table',
      assessments: [{ subject: { name: 'base' } }, { subject: { name: 'tiny' } }],
    });
    if (found.kind !== 'table') continue;
    const own = found.table.rows.find(({ publishedOnly }) => !publishedOnly)!;
    expect(own.cells.slice(0, 2).map(({ value }) => value)).toEqual([25, 25]);
  }
});

test('distances are counted, and drawn with a place for each between the least and the greatest', () => {
  const at = (distance: number, correct: boolean): SplatAnswer => answer('winning', { distance, correct });
  const one = tuned({ lines: [BASEBALL], answers: [at(2, true), at(2, false), at(5, true)] });
  const { rows } = distancesTable(one);
  expect(rows.map(({ labels, cells }) => [labels[0], cells[0].value, cells[1].value])).toEqual([
    ['2', 50, 2],
    ['5', 100, 1],
  ]);
  const figure = memoryFigure(one)!;
  expect(figure.x.categories).toEqual(['2', '3', '4', '5']);
  // Baseball is divided by the best of the task.
  expect(figure.series[0].points.map(({ x, y }) => [x, y])).toEqual([
    [0, 50],
    [3, 100],
  ]);
  expect(memoryFigure(tuned())).toBeNull();
});

test('a map of states is counted by event, by variable and in all', () => {
  const map: StateMap = {
    domain: 'noughts',
    events: ['b2'],
    variables: ['b2', 'turn'],
    truth: [
      ['empty', 'X'],
      ['X', 'O'],
    ],
    believed: [
      ['empty', 'X'],
      ['empty', 'O'],
    ],
    truthProbability: Float32Array.of(0.75, 0.5, 0.25, 1),
  };
  expect([0, 1].map((at) => rightAt(map, at).right)).toEqual([2, 1]);
  expect(rightOverall(map)).toBe(0.75);
  expect([0, 1].map((variable) => rightOf(map, variable))).toEqual([0.5, 1]);
  expect(beliefAt(map, 1).marks).toEqual({ b2: { sure: 1, wrong: true }, turn: { sure: 1, wrong: false } });
  expect(stripRows(map)).toEqual([0, 1]);
  expect(stateMapCsv(map, 3).split('\r\n')[3]).toBe('4,b2,b2,X,empty,0.2500');
});

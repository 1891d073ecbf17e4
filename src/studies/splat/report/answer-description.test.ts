import { expect, test } from 'vitest';
import { splatAssessment } from '../../../../fixtures/hand-made-splat.ts';
import type { SplatAnswer, SplatAssessment } from '../splat-assessment.ts';
import { answerView, isRight } from './answer-description.ts';

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
const of = (domain: string, changes: Partial<SplatAssessment>): SplatAssessment =>
  splatAssessment({ name: 'tiny' }, { domain, ...changes });
const member = (set: number, at: number) => ({ assessment: 0, set, answer: at });

const BASEBALL = '[start] <sog> <newbatter> (id_104) <hit> <advance> (plate) (third) [sep] Q1 [third] (id_104) [end]';

test('a question of baseball is told in plain words, with the state that it is about', () => {
  const third = answer('assignment', { args: ['[third]'], gold: '(id_104)', answered: '___', distance: 3 });
  const one = of('baseball', { lines: [BASEBALL], answers: [third, answer('winning')] });
  const view = answerView([one], member(0, 0));
  expect(view).toMatchObject({
    model: 'tiny',
    question: 'After 4 verbs: who is on third?',
    verdict: 'nobody; it is player 104',
    more: 'It gives the right answer 25.0%. The nearest state it learned from differs in 3 places.',
    right: false,
    prompt: BASEBALL,
    board: null,
  });
  // By hand: a batter who hits and goes to third stands there, and the plate is free.
  expect(view.state).toMatchObject({
    domain: 'baseball',
    values: { third: '(id_104)', plate: '___', outs: '0' },
    asked: 'third',
    line: '<sog> <newbatter> (id_104) <hit> <advance> (plate) (third)',
  });
  expect(answerView([one], member(0, 1))).toMatchObject({
    verdict: 'the away side; it is neither',
    state: { asked: null },
  });
});

test('goals, squares and Legal Verbs of chess are told as they are', () => {
  const line = '[start] e2e4 e7e5 [sep] Q3 e4 P [end]';
  const square = answer('assignment', { events: 2, args: ['e4'], gold: 'P', answered: '.' });
  const goal = answer('goal', { args: ['e4', '.'], gold: 'a b', answered: 'c', goldProbability: null });
  const chess = of('chess', { lines: [line], answers: [goal, square, { ...goal, correct: true }] });
  expect(answerView([chess], member(0, 1))).toMatchObject({
    question: 'After 2 moves: what stands on e4?',
    verdict: 'an empty square; it is a white pawn',
    state: { asked: 'e4', values: { e4: 'P', e2: '.', e5: 'p' } },
  });
  expect(answerView([chess], member(0, 0))).toMatchObject({
    verdict: 'c, which does not get there',
    more: 'One way: a b.',
  });
  expect(answerView([chess], member(0, 2))).toMatchObject({ verdict: 'c, which gets there', more: '' });
  const verbs = answerView([chess], member(1, 1));
  expect(verbs).toMatchObject({
    question: 'After 20 moves: what may come next?',
    verdict: '2 of the 4 legal ones among its first 4',
    more: '70.0% of its trust on legal ones, 10.0% on blocked ones.',
    prompt: 'd2d4',
  });
  expect(verbs.state).toMatchObject({ line: 'd2d4', values: { d4: 'P', d2: '.' } });
});

test('an answer whose line cannot be read has no state, and one of an older assessment no prompt', () => {
  const one = of('chess', { lines: ['[start] e2e5 [sep] Q2 A3 [end]'], answers: [answer('winning')] });
  expect(answerView([one], member(0, 0)).state).toBeNull();
  expect(answerView([{ ...one, prefixes: undefined }], member(1, 0))).toMatchObject({ prompt: '', state: null });
});

test('Legal Verbs of baseball is judged and told by the count of its column', () => {
  const half = { events: 4, legal: 2, rPrecision: 1, legalMass: 0.6, inPatternMass: null };
  const legalVerbs = [{ ...half, spelling: { tokens: 8, rPrecision: 0.25 } }];
  const one = of('baseball', { legalVerbs, prefixes: [''] });
  expect([isRight([one], member(2, 0)), isRight([one], member(1, 0))]).toEqual([false, true]);
  expect(answerView([one], member(2, 0))).toMatchObject({
    right: false,
    question: 'After 4 verbs: which tokens are legal verbs spelt with?',
    verdict: '2 of these 8 among its first 8',
    more: 'Of the 2 that may come next, 2 are among its first 2. 60.0% of its trust on legal ones.',
  });
  expect(answerView([one], member(1, 0))).toMatchObject({
    right: true,
    verdict: '2 of the 2 legal ones among its first 2',
    more: '60.0% of its trust on legal ones. Of the 8 that legal verbs are spelt with, 2 are among its first 8.',
  });
});

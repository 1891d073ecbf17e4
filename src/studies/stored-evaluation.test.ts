import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { evaluationsOf, readEvaluation } from './stored-evaluation.ts';

const score = (mean: number) => ({ mean, n: 10, ci95: [mean - 0.1, mean + 0.1] as [number, number] });
const task = (mean: number) => ({ legal: score(mean), exact: score(mean / 2) });

it('reads the testbed’s scores of older builds', () => {
  const old = {
    ...{ step: 7, devPerplexity: 20 },
    short: { endActual: task(0.6), startActual: task(0.8) },
    long: { endActual: task(0.4), startActual: task(0.5) },
  };
  expect(readEvaluation(old)).toEqual({
    step: 7,
    devPerplexity: 20,
    scores: {
      testbed: {
        'end-legal-short': score(0.6),
        'end-exact-short': score(0.3),
        'start-legal-short': score(0.8),
        'start-exact-short': score(0.4),
        'end-legal-long': score(0.4),
        'end-exact-long': score(0.2),
        'start-legal-long': score(0.5),
        'start-exact-long': score(0.25),
      },
    },
  });
});

it('reads SPLAT’s scores of older builds, whatever their questions are called', () => {
  const old = {
    step: 7,
    devPerplexity: 2,
    splat: { legalVerbs: score(0.7), questions: { 'legal-verbs': score(0.2) } },
  };
  expect(readEvaluation(old).scores).toEqual({
    splat: { 'legal-verbs': score(0.7), 'question legal-verbs': score(0.2) },
  });
});

it('reads what it has read, and leaves out what it cannot', () => {
  const now = { step: 7, devPerplexity: 2, scores: { toy: { entropy: score(3) } } };
  expect(readEvaluation(now)).toEqual(now);
  const bare = { step: 7, devPerplexity: 2 };
  expect(readEvaluation(bare)).toEqual({ ...bare, scores: {} });
  expect(readEvaluation({ ...bare, short: 3 } as typeof bare)).toEqual({ ...bare, scores: {} });
});

it('reads the record of the shipped model', () => {
  const path = new URL('../../public/checkpoints/chess/blindfold.json', import.meta.url);
  const { record } = JSON.parse(readFileSync(path, 'utf8')) as { record: Parameters<typeof evaluationsOf>[0] };
  const evaluations = evaluationsOf(record);
  expect(evaluations.length).toBeGreaterThan(0);
  for (const { scores } of evaluations) expect(Object.keys(scores.testbed)).toHaveLength(10);
  expect(evaluations.at(-1)!.scores.testbed['end-legal-short'].mean).toBeGreaterThan(0.9);
});

import { expect, test } from 'vitest';
import { proportion } from '../base/statistics.ts';
import { learningOrder } from './learning-order.ts';
import type { Evaluation, LiveChart, LivePanel } from './live.ts';

const names = ['late', 'best', 'early', 'lost', 'unasked'];
const chart = (name: string): LiveChart => ({
  ...{ name, title: name, unit: 'share' },
  scores: [{ name, title: name, label: 'right', headline: false }],
});
const view = { title: '', charts: names.map(chart), listed: true, note: '' };
const panel: LivePanel = {
  ...{ study: 'one', title: '', views: [view] },
  references: [
    { label: 'chance', values: Object.fromEntries(names.map((name) => [name, 0.5])) },
    { label: 'bigram', values: { best: 0.9 } },
  ],
};
/** Successes of a hundred at a step. */
const scored = (step: number, scores: Record<string, number>): Evaluation => ({
  ...{ step, devPerplexity: 2 },
  scores: { one: Object.fromEntries(Object.entries(scores).map(([name, n]) => [name, proportion(n, 100)])) },
});
const evaluations = [
  scored(0, { late: 50, best: 50, early: 50, lost: 90 }),
  scored(10, { late: 55, best: 90, early: 70, lost: 90 }),
  scored(20, { late: 80, best: 91, early: 75, lost: 52 }),
];
const order = () => learningOrder(panel, view, evaluations).map(({ chart, since }) => [chart.name, since]);

test('what was learned first comes first, then what is not learned by its score, and what was never asked last', () => {
  expect(order()).toEqual([
    ['early', 10],
    ['late', 20],
    ['best', null],
    ['lost', null],
    ['unasked', null],
  ]);
});

test('a score is held against the highest of its baselines', () => {
  const [, , best] = learningOrder(panel, view, evaluations);
  expect(best).toMatchObject({ baseline: 0.9, newest: { mean: 0.91 } });
  evaluations.push(scored(30, { late: 80, best: 99, early: 75, lost: 52 }));
  expect(order()).toContainEqual(['best', 30]);
  evaluations.pop();
});

test('nothing is learned before the first evaluation, and the order is that of the charts', () => {
  const found = learningOrder(panel, view, []);
  expect(found.map(({ chart }) => chart.name)).toEqual(names);
  expect(found.every(({ since, newest }) => since === null && newest === null)).toBe(true);
});

import { expect, test } from 'vitest';
import type { LiveChart, LivePanel } from '../../../studies/live.ts';
import { liveFigure } from './live-figure.ts';

const chart: LiveChart = {
  ...{ name: 'end', title: 'End', unit: 'share' },
  scores: [
    { name: 'legal', title: 'End legal', label: 'legal', headline: true },
    { name: 'exact', title: 'End exact', label: 'exact', headline: false },
  ],
};
const panel: LivePanel = {
  ...{ study: 'one', title: '', views: [] },
  references: [
    { label: 'no board', values: { legal: 0.25, exact: 0.125 } },
    { label: 'random legal', values: { exact: 0.5 } },
  ],
};
const scored = (step: number, mean: number | null) => ({
  ...{ step, devPerplexity: 2 },
  scores: { one: { legal: { mean, n: 3, ci95: mean === null ? null : ([0, 1] as [number, number]) } } },
});

test('a line is held against its curve, and named after it where that is not the first', () => {
  expect(liveFigure(chart, panel, [], 10).references).toEqual([
    { label: 'no board', value: 25, series: 'legal' },
    { label: 'no board, exact', value: 12.5, series: 'exact' },
    { label: 'random legal, exact', value: 50, series: 'exact' },
  ]);
});

test('a line that every curve is held against is drawn once', () => {
  const chance = { ...panel, references: [{ label: 'chance', values: { legal: 0.5, exact: 0.5 } }] };
  expect(liveFigure(chart, chance, [], 10).references).toEqual([{ label: 'chance', value: 50, series: null }]);
});

test('lines of one height are one line with the names of all', () => {
  const alike = { ...panel, references: [...panel.references, { label: 'bigram', values: { legal: 0.25 } }] };
  expect(liveFigure({ ...chart, scores: chart.scores.slice(0, 1) }, alike, [], 10).references).toEqual([
    { label: 'no board, bigram', value: 25, series: 'legal' },
  ]);
});

test('a milestone is marked on the curve of its score, at the evaluation since which it holds', () => {
  const milestone = { score: 'legal', above: -1, label: '', sentence: '' };
  const story = {
    opening: { title: '', sentence: '' },
    milestones: [{ ...milestone, score: 'undrawn' }, milestone],
    summary: { score: 'legal', sentence: '' },
  };
  const marks = (...evaluations: ReturnType<typeof scored>[]) =>
    liveFigure(chart, { ...panel, story }, evaluations, 10).marks;
  expect(marks(scored(5, 0.25), scored(10, 0.5))).toEqual([{ x: 5, y: 25, text: '2' }]);
  expect(marks(scored(5, 0.25), scored(10, null))).toEqual([]);
});

test('curves have the evaluations that scored something, of their own study', () => {
  const evaluations = [scored(0, 0.5), scored(10, null), { step: 20, devPerplexity: 2, scores: {} }];
  expect(liveFigure(chart, panel, evaluations, 10).series.map(({ points }) => points)).toEqual([
    [{ x: 0, y: 50, ci95: [0, 100] }],
    [],
  ]);
  const other = liveFigure(chart, { ...panel, study: 'other' }, evaluations, 10);
  expect(other.series.flatMap(({ points }) => points)).toEqual([]);
});

test('shares are in percent from 0 to 100; other units are drawn as they are', () => {
  expect(liveFigure(chart, panel, [], 10).y).toMatchObject({ unit: 'percent', includes: [0, 100] });
  const bits = liveFigure({ ...chart, unit: 'bits' }, panel, [scored(0, 5)], 10);
  expect(bits.y).toMatchObject({ title: 'bits', unit: 'plain', includes: [0] });
  expect(bits.series[0].points[0].y).toBe(5);
});

import { expect, test } from 'vitest';
import { defaultPreset } from '../../../config/presets.ts';
import type { Evaluation } from '../../../studies/live.ts';
import { verdictOf } from './verdict.ts';

const { config } = defaultPreset;
const evaluation = (scores: Record<string, [mean: number | null, low: number, high: number]>): Evaluation => ({
  ...{ step: 10, devPerplexity: 3 },
  scores: {
    testbed: Object.fromEntries(
      Object.entries(scores).map(([name, [mean, low, high]]) => [name, { mean, n: 100, ci95: [low, high] }]),
    ),
  },
});

test('the better model is named only where the intervals stand apart', () => {
  const left = evaluation({ 'end-legal-short': [0.6, 0.5, 0.7], 'end-legal-long': [0.5, 0.4, 0.6] });
  const right = evaluation({ 'end-legal-short': [0.3, 0.2, 0.4], 'end-legal-long': [0.45, 0.35, 0.55] });
  expect(verdictOf(['LFM2', 'LSTM'], [config, config], [left, right])).toEqual([
    {
      title: 'End legal, short',
      sentence:
        'End legal, short: LFM2 60.0% (95% interval over the questions 50 to 70), LSTM 30.0% (20 to 40). LFM2 is better.',
    },
    {
      title: 'End legal, long',
      sentence:
        'End legal, long: LFM2 50.0% (95% interval over the questions 40 to 60), LSTM 45.0% (35 to 55). They cannot be told apart yet; ask more questions or train more seeds.',
    },
  ]);
});

test('what one of them was not asked says nothing', () => {
  const left = evaluation({ 'end-legal-short': [0.6, 0.5, 0.7] });
  const right = evaluation({ 'end-legal-short': [null, 0, 1] });
  expect(verdictOf(['a', 'b'], [config, config], [left, right])).toEqual([]);
  expect(verdictOf(['a', 'b'], [config, config], [left, null])).toEqual([]);
});

import { expect, test } from 'vitest';
import { mute, probabilities, rankAnswer, topTokens } from './metrics.ts';

const logits = Float32Array.from([0.5, 3, -1, 2, 3]);

test('the likeliest tokens come first and ties go to the lower id', () => {
  expect(topTokens(logits, 3)).toEqual([1, 4, 3]);
});

test('a muted token is never ranked above another and takes no probability', () => {
  const quiet = mute(logits, [1, 4]);
  expect(topTokens(quiet, 3)).toEqual([3, 0, 2]);
  expect(probabilities(quiet)[1]).toBe(0);
  expect(logits[1]).toBe(3);
});

test('probabilities sum to one and keep their ratios, however large the logits', () => {
  const p = probabilities([1000, 1000 + Math.log(3)]);
  expect(p[0]).toBeCloseTo(0.25, 6);
  expect(p[1]).toBeCloseTo(0.75, 6);
});

test('R-precision looks at as many tokens as there are legal answers', () => {
  // Top three are 1, 4, 3; two of them are legal.
  expect(rankAnswer(logits, new Set([3, 4, 0]))).toEqual({ top: 1, legal: false, rPrecision: 2 / 3 });
  expect(rankAnswer(logits, new Set([1]))).toEqual({ top: 1, legal: true, rPrecision: 1 });
});

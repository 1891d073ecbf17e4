import { expect, it } from 'vitest';
import { Curve } from './curve.ts';

it('keeps every loss, however many', () => {
  const curve = new Curve(Float32Array.of(9, 8));
  for (let i = 0; i < 1000; i++) curve.addLoss(i);
  expect(curve.length).toBe(1002);
  expect([curve.losses()[1], curve.losses()[2], curve.losses()[1001]]).toEqual([8, 0, 999]);
  expect(curve.losses()).toHaveLength(1002);
});

it('keeps evaluations by step, the later one of a step', () => {
  const curve = new Curve();
  for (const [step, devPerplexity] of [
    [0, 70],
    [50, 30],
    [100, 20],
    [50, 31],
    [25, 40],
  ])
    curve.addEvaluation({ step, devPerplexity });
  expect(curve.evaluations.map((found) => [found.step, found.devPerplexity])).toEqual([
    [0, 70],
    [25, 40],
    [50, 31],
    [100, 20],
  ]);
});

import { expect, it } from 'vitest';
import { thinPoints } from './thin-points.ts';

const thinned = (values: readonly number[], wide: number): number[] =>
  thinPoints(
    values.length,
    (at) => Math.floor(at / wide),
    (at) => values[at],
  );

it('keeps the ends and the extremes of each column, in order', () => {
  expect(thinned([5, 1, 9, 4, 3, 3, 3, 2], 4)).toEqual([0, 1, 2, 3, 4, 7]);
});

it('keeps everything where each point has a column', () => {
  expect(thinned([3, 1, 2], 1)).toEqual([0, 1, 2]);
  expect(thinned([], 1)).toEqual([]);
});

it('five thousand points become at most four a column, with the same extremes', () => {
  const values = Array.from({ length: 5000 }, (_, i) => Math.sin(i) * i);
  const kept = thinned(values, 10);
  expect(kept.length).toBeLessThanOrEqual(4 * 500);
  for (const end of [Math.min, Math.max]) expect(end(...kept.map((at) => values[at]))).toBe(end(...values));
});

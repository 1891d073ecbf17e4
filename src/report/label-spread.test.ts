import { expect, it } from 'vitest';
import { spreadLabels } from './label-spread.ts';

it('leaves labels that have room where they are', () => {
  expect(spreadLabels([90, 10, 50], 12, 0, 100)).toEqual([90, 10, 50]);
});

it('parts labels that want one place evenly around it', () => {
  expect(spreadLabels([50, 50], 12, 0, 100)).toEqual([44, 56]);
});

it.each([
  [[5, 6, 7, 90, 91], 12, 0, 100],
  [[-40, 200, 50], 12, 0, 100],
  [[50, 20, 40, 30, 30, 30], 14, 4, 96],
])('keeps the order, the gap and the bounds of %j', (wanted, gap, top, bottom) => {
  const placed = spreadLabels(wanted, gap, top, bottom);
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  for (const [rank, i] of order.entries()) {
    expect(placed[i]).toBeGreaterThanOrEqual(top);
    expect(placed[i]).toBeLessThanOrEqual(bottom);
    if (rank > 0) expect(placed[i] - placed[order[rank - 1]]).toBeGreaterThanOrEqual(gap - 1e-9);
  }
});

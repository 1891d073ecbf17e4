import { expect, it } from 'vitest';
import { kernelGroups } from './kernel-groups.ts';

const time = (name: string, milliseconds: number) => ({ name, milliseconds, calls: 1 });

it('adds kernels up by purpose, in an order that does not change', () => {
  const times = [
    time('muon', 10),
    time('linearGradient', 30),
    time('linear', 50),
    time('embed', 6),
    time('new one', 4),
  ];
  const groups = [
    { name: 'matrix products', share: 0.8 },
    { name: 'optimiser', share: 0.1 },
    { name: 'other', share: 0.1 },
  ];
  expect(kernelGroups(times)).toEqual(groups);
  expect(kernelGroups(times.toReversed())).toEqual(groups);
});

it('has nothing to show of no time', () => {
  expect(kernelGroups([])).toEqual([]);
  expect(kernelGroups([time('linear', 0)])).toEqual([]);
});

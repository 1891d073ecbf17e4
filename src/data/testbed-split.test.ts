import { describe, expect, it } from 'vitest';
import { testbedSplit } from './testbed-split.ts';

describe("the testbed's split", () => {
  it('has the sizes and places that the authors cut, from enough games', () => {
    const games = 700_000;
    const { splits, description } = testbedSplit(games, null);
    expect(Object.entries(splits).map(([name, { length }]) => [name, length])).toEqual([
      ['train', 500_000],
      ['dev', 15_000],
      ['test', 15_000],
      ['probe', 50_000],
    ]);
    // python3 -c "import random; x=list(range(700000)); random.seed(10); random.shuffle(x); print(x[0], x[499999], x[-1], x[-15000], x[-15001], x[-30000], x[-130000], x[-80001])"
    expect([
      splits.train[0],
      splits.train[499_999],
      splits.test.at(-1),
      splits.test[0],
      splits.dev.at(-1),
      splits.dev[0],
      splits.probe[0],
      splits.probe.at(-1),
    ]).toEqual([17581, 556060, 599159, 73475, 517108, 58217, 486156, 218312]);
    expect(description).not.toContain('scaled');
    expect([...testbedSplit(games, 'S').splits.train]).toEqual([...splits.train.subarray(0, 15_000)]);
    expect(testbedSplit(games, 'L').splits.train).toHaveLength(200_000);
  });

  it('of fewer games takes shares that do not overlap, and says so', () => {
    for (const games of [40, 6300, 629_999]) {
      const { splits, description } = testbedSplit(games, null);
      const all = Object.values(splits).flatMap((numbers) => [...numbers]);
      expect(new Set(all).size).toBe(all.length);
      expect(
        Math.max(...Object.values(splits).map((numbers) => numbers.reduce((a, b) => Math.max(a, b), 0))),
      ).toBeLessThan(games);
      expect(description).toContain('scaled down');
    }
    const { splits } = testbedSplit(6300, 'S');
    expect(Object.values(splits).map(({ length }) => length)).toEqual([5000, 150, 150, 500]);
    expect(testbedSplit(6300, 'S').description).toContain('there are only 5000');
  });
});

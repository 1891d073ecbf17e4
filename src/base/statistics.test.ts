import { describe, expect, it } from 'vitest';
import { meanEstimate, proportion, quantile } from './statistics.ts';

// Expected figures were computed with Python's statistics module (NormalDist, stdev, quantiles method='inclusive').
describe('proportion', () => {
  it("is Wilson's score interval", () => {
    const close = (actual: [number, number] | null, low: number, high: number) => {
      expect(actual![0]).toBeCloseTo(low, 12);
      expect(actual![1]).toBeCloseTo(high, 12);
    };
    close(proportion(8, 10).ci95, 0.49016247153664183, 0.9433178485456247);
    close(proportion(0, 10).ci95, 0, 0.27753279986288915);
    close(proportion(977, 1000).ci95, 0.9657235493377733, 0.9846257230670071);
    expect(proportion(8, 10)).toMatchObject({ mean: 0.8, n: 10 });
  });

  it('of none or of all ends at 0 or 1 and nowhere near it', () => {
    for (let n = 1; n < 200; n++) {
      expect(proportion(0, n).ci95![0]).toBe(0);
      expect(proportion(n, n).ci95![1]).toBe(1);
    }
  });

  it('says nothing of nothing', () => {
    expect(proportion(0, 0)).toEqual({ mean: null, n: 0, ci95: null });
  });
});

describe('meanEstimate', () => {
  it('has the normal interval of the mean', () => {
    const { mean, n, ci95 } = meanEstimate([2, 4, 4, 4, 5, 5, 7, 9]);
    expect([mean, n]).toEqual([5, 8]);
    expect(ci95![0]).toBeCloseTo(3.518406490932507, 12);
    expect(ci95![1]).toBeCloseTo(6.481593509067493, 12);
    expect(meanEstimate([])).toEqual({ mean: null, n: 0, ci95: null });
    expect(meanEstimate([3]).ci95).toEqual([3, 3]);
  });
});

describe('quantile', () => {
  it("interpolates as Python's inclusive method does", () => {
    const values = [9, 2, 4, 7, 4, 5, 4, 5];
    expect([0.25, 0.5, 0.75].map((q) => quantile(values, q))).toEqual([4, 4.5, 5.5]);
    expect([quantile(values, 0), quantile(values, 1)]).toEqual([2, 9]);
    expect(quantile([], 0.5)).toBeNaN();
    expect(values[0]).toBe(9);
  });
});

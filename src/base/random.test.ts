import { describe, expect, it } from 'vitest';
import { seededRandom, shuffle } from './random.ts';

const N = 100_000;

describe('seededRandom', () => {
  it('repeats for the same key and differs for another', () => {
    const draw = (...key: (number | string)[]) => {
      const random = seededRandom(...key);
      return [random.next(), random.next(), random.next()];
    };
    expect(draw('batch', 1, 2)).toEqual(draw('batch', 1, 2));
    const keys = [
      ['batch', 1, 2],
      ['batch', 12],
      ['batch', 2, 1],
      ['batch', 1],
      ['games', 1, 2],
    ];
    expect(new Set(keys.map((key) => draw(...key)[0])).size).toBe(keys.length);
  });

  it('is uniform: a hundred bins within chi-square at one in ten thousand', () => {
    const random = seededRandom('uniform');
    const bins = new Uint32Array(100);
    for (let i = 0; i < N; i++) bins[Math.floor(random.next() * 100)]++;
    const chiSquare = bins.reduce((sum, count) => sum + (count - N / 100) ** 2 / (N / 100), 0);
    // 99 degrees of freedom: the 0.9999 quantile is 160.1, the 0.0001 quantile 52.3.
    expect(chiSquare).toBeLessThan(160.1);
    expect(chiSquare).toBeGreaterThan(52.3);
  });

  it('draws independent streams for neighbouring seeds', () => {
    let sum = 0;
    for (let seed = 0; seed < 1000; seed++) {
      const a = seededRandom('neighbour', seed);
      const b = seededRandom('neighbour', seed + 1);
      for (let i = 0; i < 20; i++) sum += (a.next() - 0.5) * (b.next() - 0.5);
    }
    // The product has variance 1/144; five standard errors of the mean of 20,000.
    expect(Math.abs(sum / 20_000)).toBeLessThan(5 / 12 / Math.sqrt(20_000));
  });

  it('has standard normal numbers', () => {
    const random = seededRandom('normal');
    let [sum, squares, beyond] = [0, 0, 0];
    for (let i = 0; i < N; i++) {
      const value = random.normal();
      sum += value;
      squares += value * value;
      if (Math.abs(value) > 1.959964) beyond++;
    }
    expect(Math.abs(sum / N)).toBeLessThan(5 / Math.sqrt(N));
    expect(Math.abs(squares / N - 1)).toBeLessThan(5 * Math.sqrt(2 / N));
    expect(Math.abs(beyond / N - 0.05)).toBeLessThan(5 * Math.sqrt((0.05 * 0.95) / N));
  });

  it('bounds whole numbers', () => {
    const random = seededRandom('below');
    const seen = new Set(Array.from({ length: 1000 }, () => random.below(7)));
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

describe('shuffle', () => {
  it('reaches every order about equally often', () => {
    const random = seededRandom('shuffle');
    const counts = new Map<string, number>();
    for (let i = 0; i < 60_000; i++) {
      const order = shuffle([0, 1, 2], random).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(5 * Math.sqrt(10_000 * (5 / 6)));
  });
});

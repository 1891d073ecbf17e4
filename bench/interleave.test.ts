import { describe, expect, it } from 'vitest';
import { interleave, median } from './interleave.ts';
import type { RunningSide } from './side.ts';
import { row } from './train.ts';
import { workloads } from './workloads.ts';

/** A side that takes so long a step, by its own account, and has these losses one after another. */
function fake(milliseconds: number, loss: (step: number) => number, taken: string[] = [], name = ''): RunningSide {
  let step = 0;
  return {
    threads: 1,
    device: 'none',
    steps: async (count) => {
      taken.push(name);
      return { losses: Array.from({ length: count }, () => loss(step++)), milliseconds: count * milliseconds };
    },
    measurePeak: async () => null,
    dispose: async () => {},
  };
}
const falling = (step: number) => 4 / (1 + step);
const options = { rounds: 5, milliseconds: 100 };

describe('interleaved sides', () => {
  it('take turns and fill their time', async () => {
    const taken: string[] = [];
    const sides = new Map([
      ['slow', fake(200, falling, taken, 'slow')],
      ['fast', fake(10, falling, taken, 'fast')],
    ]);
    const measured = await interleave(sides, options);
    expect(taken.slice(4)).toEqual(Array.from({ length: 5 }, () => ['slow', 'fast']).flat());
    expect(measured.get('slow')).toEqual({ runs: [200, 200, 200, 200, 200], broken: null });
    expect(measured.get('fast')).toEqual({ runs: [10, 10, 10, 10, 10], broken: null });
  });

  it('are not believed where they do not learn, start elsewhere or fail', async () => {
    const sides = new Map([
      ['good', fake(50, falling)],
      ['good too', fake(50, falling)],
      ['still', fake(50, () => 4)],
      ['elsewhere', fake(50, (step) => 3 / (1 + step))],
      ['not a number', fake(50, () => NaN)],
      ['dead', { ...fake(50, falling), steps: () => Promise.reject(new Error('it died')) }],
    ]);
    const measured = await interleave(sides, options);
    const broken = Object.fromEntries([...measured].map(([name, { broken }]) => [name, broken]));
    expect(broken.good).toBeNull();
    expect(broken.still).toContain('does not fall');
    expect(broken.elsewhere).toContain('first loss');
    expect(broken['not a number']).toContain('finite');
    expect(broken.dead).toBe('it died');
  });

  it('are compared by their medians with the stock side of their kind', () => {
    const measured = new Map([
      ['stock-wasm', { runs: [1000, 400, 400, 400, 100], broken: null }],
      ['blindfold-wasm-1', { runs: [40, 50, 40, 1, 900], broken: null }],
    ]);
    const side = { threads: 1, device: 'none' };
    const workload = workloads[0];
    const ours = row(workload, { name: 'blindfold-wasm-1', kind: 'cpu' }, side, measured, null);
    expect(ours).toMatchObject({ msPerStep: 40, tokensPerSecond: (8 * 256) / 0.04, ratioToStock: 10 });
    expect(row(workload, { name: 'stock-wasm', kind: 'cpu' }, side, measured, null)).toMatchObject({ ratioToStock: 1 });
  });

  it('have the median of an even number half-way', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});

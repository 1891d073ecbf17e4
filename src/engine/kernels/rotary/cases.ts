import type { Rotary } from '../../plan/plan.ts';
import { batchWithHistory, matrix, namedBatches, parityCase, tokens, type ParityCase } from '../parity-case.ts';

/** Width and heads: heads 2, 6, 10, 16 and 66 wide. */
const shapes = [
  [4, 2],
  [6, 1],
  [20, 2],
  [64, 4],
  [132, 2],
] as const;

export function rotaryCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const [d, heads] of shapes)
    for (const base of [10000, 100]) {
      const name = `${heads} heads of ${d / heads}, base ${base}`;
      for (const [at, batch] of namedBatches) {
        const call = rotary(d, heads, base);
        const { qkv, statistics, queryWeight, keyWeight } = call;
        const dOut = tokens(3 * d);
        const gradient = {
          ...({ kernel: 'rotaryGradient', dOut, qkv, heads, base, queryWeight, keyWeight, statistics } as const),
          dQkv: tokens(3 * d),
        };
        const [dQueryWeight, dKeyWeight] = [matrix(1, d / heads), matrix(1, d / heads)];
        const full = `${name}, ${at}`;
        list.push(
          parityCase(full, call, { batch }),
          parityCase(full, gradient, { batch, after: [call] }),
          parityCase(`${full}, in place`, { ...gradient, dQkv: dOut }, { batch, after: [call] }),
          parityCase(
            full,
            { kernel: 'rotaryWeightGradient', dOut, qkv, heads, base, statistics, dQueryWeight, dKeyWeight },
            { batch, after: [call] },
          ),
        );
      }
      list.push(parityCase(`${name}, later rows`, rotary(d, heads, base), { batch: batchWithHistory }));
    }
  return list;
}

function rotary(d: number, heads: number, base: number): Rotary {
  return {
    kernel: 'rotary',
    qkv: tokens(3 * d),
    heads,
    base,
    // So large that another would be seen.
    epsilon: 0.1,
    queryWeight: matrix(1, d / heads),
    keyWeight: matrix(1, d / heads),
    out: tokens(3 * d),
    statistics: tokens(2 * heads),
  };
}

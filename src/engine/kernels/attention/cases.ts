import type { Attention } from '../../plan/plan.ts';
import {
  batches,
  batchOf,
  batchWithHistory,
  namedBatches,
  parityCase,
  tokens,
  type ParityCase,
} from '../parity-case.ts';

/** Width and heads: heads 3, 10, 16, 65 and 36 wide. */
const shapes = [
  [6, 2],
  [20, 2],
  [64, 4],
  [130, 2],
  [72, 2],
] as const;

/** A prefix and what goes on from it, in one run. */
const prefixAndLeaves = batchOf([[11], [1, 0, 11], [1, 0, 11], [1, 0, 11]]);

export function attentionCases(): ParityCase[] {
  const list: ParityCase[] = [];
  for (const [d, heads] of shapes)
    for (const window of [null, 1, 3, 100]) {
      const name = `${heads} heads of ${d / heads}, window ${window ?? 'open'}`;
      for (const [at, batch] of namedBatches)
        for (const rate of [0, 0.3]) {
          const call = attention(d, heads, window, rate);
          const gradient = { ...call, kernel: 'attentionGradient', dOut: tokens(d), dQkv: tokens(3 * d) } as const;
          const full = `${name}, ${at}${rate > 0 ? ', dropout' : ''}`;
          list.push(parityCase(full, call, { batch }), parityCase(full, gradient, { batch, after: [call] }));
        }
      list.push(
        parityCase(`${name}, history`, attention(d, heads, window, 0), { batch: batchWithHistory }),
        parityCase(`${name}, prefix and leaves`, attention(d, heads, window, 0), { batch: prefixAndLeaves }),
      );
    }
  const call = attention(20, 2, null, 0);
  const large = (random: { normal(): number }) => 6 * random.normal();
  list.push(parityCase('large scores', call, { batch: batches['long rows'], fill: [[call.qkv, large]] }));
  return list;
}

function attention(d: number, heads: number, window: number | null, rate: number): Attention {
  return {
    kernel: 'attention',
    qkv: tokens(3 * d),
    heads,
    window,
    out: tokens(d),
    logSum: tokens(heads),
    dropout: rate > 0 ? { rate, site: 4 } : null,
  };
}

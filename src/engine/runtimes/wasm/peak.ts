import type { Random } from '../../../base/random.ts';
import { emptyBatch } from '../../plan/pack.ts';
import type { Buffer, Linear } from '../../plan/plan.ts';
import { Instance } from './instance.ts';
import type { WasmRuntime } from './wasm-runtime.ts';

const SIDE = 512;
/** Long enough for threads to wake and clocks to tick, short enough that nobody waits. */
const MILLISECONDS = 150;

/** The best rate of products of two 512 x 512 matrices over a tenth of a second or so, FLOP/s. */
export function measureProduct(runtime: WasmRuntime, clock: () => number, random: Random): number {
  const matrix = (id: number): Buffer => ({
    id,
    name: `matrix ${id}`,
    rows: SIDE,
    columns: SIDE,
    place: { kind: 'activation' },
  });
  const [x, weight, out] = [matrix(0), matrix(1), matrix(2)];
  const none = { transposed: false, bias: null, bias2: null, activation: null, before: null, residual: null };
  const call: Linear = { kernel: 'linear', x, weight, out, ...none };
  const instance = new Instance(runtime, { calls: [call], capacity: SIDE, context: 1, persistent: [], arenas: {} });
  for (const buffer of [x, weight]) {
    const values = instance.rows(buffer, 0, SIDE);
    for (let i = 0; i < values.length; i++) values[i] = random.next() - 0.5;
  }
  const batch = emptyBatch(SIDE, 0);
  const optimizer = { learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, clipNorm: 0, muon: null };
  let best = Infinity;
  const end = clock() + MILLISECONDS;
  do {
    const start = clock();
    instance.run({ batch, optimizer, step: 1, seed: 0 });
    const took = clock() - start;
    if (took > 0) best = Math.min(best, took);
  } while (clock() < end);
  instance.release();
  return (2 * SIDE ** 3) / (best / 1000);
}

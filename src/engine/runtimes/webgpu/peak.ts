import type { Buffer, Linear } from '../../plan/plan.ts';
import type { Graphics } from './graphics.ts';
import { Instance } from './instance.ts';
import { lower, type Shapes } from './lower.ts';
import { emptyBatch } from '../../plan/pack.ts';
import { readMapped } from './read-back.ts';

/** Side of the product that is measured, on a graphics card and in an emulation. */
const SIDE = { card: 1024, emulated: 512 };
const RUNS = 5;
/** Products in one measurement on a card: browsers round timestamps to 0.1 ms, in which a fast card does two of them. */
const REPEATS = { card: 32, emulated: 1 };

/**
 * Best rate of this engine's own product of two square matrices, FLOP/s, by timestamp queries; null where the device has
 * none.
 */
export async function measurePeak(graphics: Graphics, shapes: Shapes): Promise<number | null> {
  const { device, memory, pipelines, adapter } = graphics;
  if (!device.features.has('timestamp-query')) return null;
  const kind = adapter.emulated ? 'emulated' : 'card';
  const [side, repeats] = [SIDE[kind], REPEATS[kind]];
  const activation = (id: number): Buffer => ({
    ...{ id, name: 'peak', rows: side, columns: side, place: { kind: 'activation' } },
  });
  const product: Linear = {
    ...{ kernel: 'linear', x: activation(0), transposed: false, bias: null, bias2: null, activation: null },
    ...{ before: null, residual: null, out: activation(1) },
    weight: { ...activation(2), place: { kind: 'weight', offset: 0 } },
  };
  const launches = lower([{ ...product, norm: null }], { shapes, context: 1, loss: null, lossScale: null });
  await pipelines.compile(launches);
  const weight = memory.storage('peak', 4 * side * side);
  const instance = new Instance(device, memory, pipelines, {
    ...{ launches, capacity: side, persistent: [], arenas: { weight }, tables: null },
  });
  const optimizer = { learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, clipNorm: 0, muon: null };
  const { size } = instance.upload({ batch: emptyBatch(side, 1), optimizer, step: 1, seed: 0 });
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
  const [resolved, copy] = [memory.timestamps(16), memory.readable('timestamps', 16)];
  let best = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const encoder = device.createCommandEncoder();
    const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const pass = encoder.beginComputePass({ timestampWrites });
    for (let repeat = 0; repeat < repeats; repeat++) instance.encode(pass, size);
    pass.end();
    encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, copy, 0, 16);
    device.queue.submit([encoder.finish()]);
    const [start, end] = new BigUint64Array(await readMapped(graphics, copy));
    if (end > start) best = Math.min(best, Number(end - start) / 1e9);
  }
  instance.release();
  for (const buffer of [weight, resolved, copy]) memory.release(buffer);
  querySet.destroy();
  return Number.isFinite(best) ? (2 * repeats * side ** 3) / best : null;
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as tf from '@tensorflow/tfjs-core';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../fixtures/pytorch/compare.ts';
import { seededRandom } from '../../base/random.ts';
import { estimateMemory, initialParameters, type GptConfig } from '../../models/gpt.ts';
import type { OptimizerSettings } from '../engine.ts';
import { createEngine } from './create-engine.ts';

const optimizer: OptimizerSettings = {
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  clipNorm: 1,
};

function collectedHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('memory', () => {
  it('is flat over ten thousand steps', async () => {
    const model: GptConfig = { kind: 'gpt2', layers: 1, width: 8, heads: 2, context: 8, dropout: 0.1, vocabulary: 11 };
    const engine = await createEngine({
      backend: 'wasm',
      model,
      parameters: initialParameters(model, seededRandom('memory')),
    });
    const random = seededRandom('memory rows');
    const wasmBytes = () => (tf.backend() as unknown as { wasm: { HEAPU8: Uint8Array } }).wasm.HEAPU8.length;
    let after100: { tensors: number; bytes: number; heap: number; wasm: number } | null = null;
    for (let step = 1; step <= 10_000; step++) {
      // Rows of changing shape, as a run has them.
      const batch = batchOf(
        [[1, 3 + random.below(8), 2], Array.from({ length: 3 + random.below(5) }, () => 1 + random.below(10))],
        0,
      );
      await engine.step(batch, optimizer, step);
      if (step % 1000 === 100) {
        await engine.leafLogits([[1, 4], [1]], [[5, 6], []]);
        await engine.logProbabilities(batch, [4]);
        const continuation = engine.continue([1, 4]);
        continuation.advance(5);
        await continuation.logits();
        continuation.dispose();
      }
      if (step === 100) after100 = { ...engine.memory(), heap: collectedHeap(), wasm: wasmBytes() };
    }
    const { tensors, bytes } = engine.memory();
    expect({ tensors, bytes }).toEqual({ tensors: after100!.tensors, bytes: after100!.bytes });
    expect(wasmBytes()).toBe(after100!.wasm);
    expect(collectedHeap() - after100!.heap).toBeLessThan(4e6);
    engine.dispose();
    expect(engine.memory().tensors).toBe(0);
  }, 120_000);

  it.each([
    { layers: 2, width: 64, heads: 2, rows: 4, columns: 176, dropout: 0 },
    { layers: 2, width: 64, heads: 2, rows: 4, columns: 176, dropout: 0.1 },
    { layers: 3, width: 64, heads: 8, rows: 2, columns: 352, dropout: 0 },
    { layers: 1, width: 256, heads: 2, rows: 2, columns: 32, dropout: 0 },
  ])('is about what the estimate says: %o', async ({ rows, columns, ...shape }) => {
    const model: GptConfig = { kind: 'gpt2', ...shape, context: 352, vocabulary: 77 };
    const engine = await createEngine({
      backend: 'wasm',
      model,
      parameters: initialParameters(model, seededRandom('memory')),
    });
    const full = Array.from({ length: rows }, () => new Array<number>(columns).fill(5));
    const profile = await tf.profile(async () => {
      await engine.step(batchOf(full, 0), optimizer, 1);
      return tf.scalar(0);
    });
    tf.dispose(profile.result);
    const ratio = estimateMemory(model, rows, columns) / profile.peakBytes;
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.25);
    engine.dispose();
  });
});

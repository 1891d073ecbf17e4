import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as tf from '@tensorflow/tfjs-core';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../base/batch.ts';
import { seededRandom } from '../../../base/random.ts';
import type { SlotGrammar } from '../../../base/slot-grammar.ts';
import { estimateMemory, initialParameters, type ModelConfig } from '../../../models/model.ts';
import type { OptimizerSettings } from '../../engine.ts';
import { createEngine } from './create-engine.ts';

const optimizer: OptimizerSettings = {
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  clipNorm: 1,
  muon: null,
};

function collectedHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

const sizes = { layers: 1, width: 8, context: 8, vocabulary: 11 };
const slots: SlotGrammar = { count: 2, states: 1, slot: new Array(11).fill(1), next: new Array(11).fill(0) };
const muon = { learningRate: 1e-3, momentum: 0.9, weightDecay: 0.01 };
const performer = {
  kind: 'performer',
  kernel: 'softmax',
  features: null,
  redraw: 1000,
  localHeads: 0,
  localWindow: 50,
  slots: null,
  start: 'gpt2',
} as const;
const reformer = {
  kind: 'reformer',
  pattern: 'local,local,lsh,local',
  chunk: 50,
  buckets: 8,
  rounds: 1,
  positions: 'axial',
  axialRows: null,
  axialWidth: null,
  slots: null,
  start: 'gpt2',
} as const;
const lives: { name: string; model: ModelConfig; steps: number; optimizer: OptimizerSettings }[] = [
  {
    name: 'GPT-2 over a hundred steps',
    model: { kind: 'gpt2', ...sizes, heads: 2, dropout: 0.1, window: null, slots: null, start: 'gpt2' },
    steps: 100,
    optimizer,
  },
  {
    name: 'GPT-2 with slots, a window and Muon',
    model: { kind: 'gpt2', ...sizes, heads: 2, dropout: 0.1, window: 3, slots, start: 'zero-out' },
    steps: 40,
    optimizer: { ...optimizer, muon },
  },
  {
    name: 'Qwen3 with Muon',
    model: { kind: 'qwen3', ...sizes, heads: 2, mlp: 12, window: null, rotaryBase: 100, slots },
    steps: 40,
    optimizer: { ...optimizer, muon },
  },
  {
    name: 'Qwen3 with a shift',
    model: { kind: 'qwen3', ...sizes, heads: 2, mlp: 12, window: null, rotaryBase: 100, slots, shift: 3 },
    steps: 40,
    optimizer: { ...optimizer, muon },
  },
  {
    name: 'an LSTM with Muon',
    model: { kind: 'lstm', ...sizes, layers: 2, dropout: 0.1, slots },
    steps: 40,
    optimizer: { ...optimizer, muon },
  },
  {
    name: 'a Performer with Muon, its features drawn anew',
    model: { ...performer, ...sizes, heads: 2, dropout: 0.1, redraw: 7, localHeads: 1, localWindow: 3, slots },
    steps: 40,
    optimizer: { ...optimizer, muon },
  },
  {
    name: 'a Reformer with Muon',
    model: { ...reformer, ...sizes, layers: 2, heads: 2, dropout: 0.1, pattern: 'local,lsh', chunk: 3, slots },
    steps: 40,
    optimizer: { ...optimizer, muon },
  },
];

describe('memory', () => {
  it.each(lives)(
    'is flat for $name',
    async ({ model, steps, optimizer }) => {
      const parameters = initialParameters(model, seededRandom('memory'));
      const engine = await createEngine({ backend: 'wasm', model, parameters });
      const random = seededRandom('memory rows');
      const wasmBytes = () => (tf.backend() as unknown as { wasm: { HEAPU8: Uint8Array } }).wasm.HEAPU8.length;
      let settled: { tensors: number; bytes: number; heap: number; wasm: number } | null = null;
      for (let step = 1; step <= steps; step++) {
        // Rows of changing shape, as a run has them.
        const batch = batchOf([
          [1, 3 + random.below(8), 2],
          Array.from({ length: 3 + random.below(5) }, () => 1 + random.below(10)),
        ]);
        await engine.step(batch, optimizer, step);
        if (step % 20 === 10) {
          await engine.leafLogits([[1, 4], [1]], [[5, 6], []]);
          await engine.logProbabilities(batch, [4]);
          const continuation = engine.continue([1, 4]);
          continuation.advance(5);
          await continuation.logits();
          continuation.dispose();
        }
        if (step === 20) settled = { ...engine.memory(), heap: collectedHeap(), wasm: wasmBytes() };
      }
      const { tensors, bytes } = engine.memory();
      expect({ tensors, bytes }).toEqual({ tensors: settled!.tensors, bytes: settled!.bytes });
      expect(wasmBytes()).toBe(settled!.wasm);
      expect(collectedHeap() - settled!.heap).toBeLessThan(4e6);
      engine.dispose();
      expect(engine.memory().tensors).toBe(0);
    },
    120_000,
  );

  const large = { context: 352, vocabulary: 77 };
  const gpt2 = { kind: 'gpt2', context: 352, vocabulary: 77, window: null, slots: null, start: 'gpt2' } as const;
  const qwen3 = { kind: 'qwen3', context: 352, vocabulary: 77, window: null, rotaryBase: 10_000, slots: null } as const;
  const lstm = { kind: 'lstm', context: 352, vocabulary: 77, slots: null } as const;
  const shapes: { model: ModelConfig; rows: number; columns: number }[] = [
    { model: { ...gpt2, layers: 2, width: 64, heads: 2, dropout: 0 }, rows: 4, columns: 176 },
    { model: { ...gpt2, layers: 2, width: 64, heads: 2, dropout: 0.1 }, rows: 4, columns: 176 },
    { model: { ...gpt2, layers: 3, width: 64, heads: 8, dropout: 0 }, rows: 2, columns: 352 },
    { model: { ...gpt2, layers: 1, width: 256, heads: 2, dropout: 0 }, rows: 2, columns: 32 },
    { model: { ...gpt2, layers: 1, width: 256, heads: 2, dropout: 0, tied: false }, rows: 2, columns: 32 },
    {
      model: { ...gpt2, layers: 1, width: 64, heads: 2, dropout: 0, vocabulary: 1500, tied: false },
      ...{ rows: 4, columns: 64 },
    },
    {
      model: { ...qwen3, layers: 1, width: 64, heads: 2, mlp: 128, vocabulary: 1500, tied: false },
      ...{ rows: 2, columns: 32 },
    },
    { model: { ...qwen3, layers: 2, width: 64, heads: 2, mlp: 176 }, rows: 4, columns: 176 },
    { model: { ...qwen3, layers: 2, width: 64, heads: 2, mlp: 176, shift: 3 }, rows: 4, columns: 176 },
    { model: { ...qwen3, layers: 3, width: 64, heads: 8, mlp: 128 }, rows: 2, columns: 352 },
    { model: { ...qwen3, layers: 1, width: 256, heads: 4, mlp: 512 }, rows: 2, columns: 32 },
    { model: { ...lstm, layers: 1, width: 64, dropout: 0 }, rows: 4, columns: 176 },
    { model: { ...lstm, layers: 3, width: 128, dropout: 0.1 }, rows: 4, columns: 88 },
    { model: { ...lstm, layers: 1, width: 256, dropout: 0 }, rows: 2, columns: 32 },
    { model: { ...performer, ...large, layers: 2, width: 64, heads: 2, dropout: 0 }, rows: 4, columns: 176 },
    { model: { ...performer, ...large, layers: 3, width: 64, heads: 4, dropout: 0.1 }, rows: 2, columns: 352 },
    {
      model: { ...performer, ...large, layers: 3, width: 64, heads: 4, dropout: 0, localHeads: 2 },
      rows: 4,
      columns: 176,
    },
    { model: { ...performer, ...large, layers: 1, width: 256, heads: 4, dropout: 0 }, rows: 2, columns: 32 },
    { model: { ...reformer, ...large, layers: 4, width: 64, heads: 2, dropout: 0 }, rows: 4, columns: 176 },
    {
      model: { ...reformer, ...large, layers: 3, width: 64, heads: 8, dropout: 0.1, rounds: 2 },
      rows: 2,
      columns: 352,
    },
    {
      model: { ...reformer, ...large, layers: 2, width: 64, heads: 4, dropout: 0, pattern: 'lsh' },
      rows: 4,
      columns: 176,
    },
    { model: { ...reformer, ...large, layers: 1, width: 256, heads: 4, dropout: 0 }, rows: 2, columns: 32 },
  ];
  it.each(shapes)('is about what the estimate says: %o', async ({ model, rows, columns }) => {
    const engine = await createEngine({
      backend: 'wasm',
      model,
      parameters: initialParameters(model, seededRandom('memory')),
    });
    const full = Array.from({ length: rows }, () => new Array<number>(columns).fill(5));
    const profile = await tf.profile(async () => {
      await engine.step(batchOf(full), optimizer, 1);
      return tf.scalar(0);
    });
    tf.dispose(profile.result);
    const ratio = estimateMemory(model, rows, columns) / profile.peakBytes;
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.25);
    engine.dispose();
  });
});

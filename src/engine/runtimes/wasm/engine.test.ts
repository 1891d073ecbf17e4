import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { wasmHost } from '../../../../cli/wasm-host.ts';
import { comparePytorchCase, pytorchCases } from '../../../../fixtures/pytorch/cases.ts';
import { compareWithPytorch, type PytorchFixture } from '../../../../fixtures/pytorch/compare.ts';
import { seededRandom } from '../../../base/random.ts';
import { chess } from '../../../domains/chess/chess.ts';
import { unwrap } from '../../../base/result.ts';
import { readSafetensors } from '../../../interchange/safetensors.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import { batchOf, rowsOf, type Batch } from '../../../base/batch.ts';
import type { Engine, OptimizerSettings } from '../../engine.ts';
import { createEngine as createReference } from '../tfjs/create-engine.ts';
import { createWasmEngine } from './engine.ts';

const { vocabulary, slots } = unwrap(chess.notation('rap:15'));
const shared = { layers: 2, width: 32, context: 64, vocabulary: vocabulary.size };
const gpt2 = { ...shared, kind: 'gpt2', heads: 2, dropout: 0, window: null, slots: null, start: 'gpt2' } as const;
const models: Record<string, ModelConfig> = {
  'GPT-2': gpt2,
  'GPT-2 with slots': { ...gpt2, slots, start: 'zero-out' },
  'GPT-2 with a window and dropout': { ...gpt2, window: 9, dropout: 0.2 },
  Qwen3: { ...shared, kind: 'qwen3', heads: 2, mlp: 48, window: null, rotaryBase: 1000, slots },
  'GPT-2 with a head of its own': { ...gpt2, slots, start: 'zero-out', tied: false },
  'Qwen3 with a head of its own': {
    ...{ ...shared, kind: 'qwen3', heads: 2, mlp: 48, window: null, rotaryBase: 1000, slots, tied: false },
  },
  'Qwen3 with a shift': {
    ...{ ...shared, kind: 'qwen3', heads: 2, mlp: 48, window: 11, rotaryBase: 1000, slots, shift: 3 },
  },
  LFM2: {
    ...{ kind: 'lfm2', pattern: 'caca', width: 32, heads: 2, mlp: 48, taps: 3, context: 64, rotaryBase: 1000 },
    ...{ vocabulary: vocabulary.size, slots },
  },
  LSTM: { ...shared, kind: 'lstm', dropout: 0.1, slots },
  'LSTM of truncated gradients': { ...shared, kind: 'lstm', dropout: 0.1, slots, truncation: 7 },
};
const adamw: OptimizerSettings = {
  learningRate: 2e-3,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0.01,
  clipNorm: 1,
  muon: null,
};
const muon = { ...adamw, clipNorm: 0, muon: { learningRate: 0.01, momentum: 0.9, weightDecay: 0.01 } };
const device = { backend: 'wasm', adapter: '', reason: '', available: [] } as const;

const engineOf = (model: ModelConfig, threads: number): Promise<Engine> =>
  createWasmEngine({
    host: wasmHost(threads),
    model,
    parameters: initialParameters(model, seededRandom('weights')),
    device: { ...device, available: [] },
  });

/** Rows of different lengths with something to learn in them: the next square depends on the place. */
function batchAt(step: number): Batch {
  const random = seededRandom('batch', step);
  const row = (length: number) =>
    Array.from({ length }, (_, t) => {
      if (t === 0) return vocabulary.begin;
      return random.next() < 0.2 ? 3 + random.below(6) : 9 + random.below(8) * 8 + (t % 8);
    });
  return batchOf([40, 17, 2, 33].map(row));
}

/** Followed for twelve steps; of their variants five show what is other. */
const followed = ['GPT-2', 'Qwen3', 'LFM2', 'LSTM'];

describe.each(Object.entries(models))('%s on WASM', (name, model) => {
  it.each([
    ['AdamW', adamw],
    ['Muon', muon],
  ])('takes the steps of the reference with %s, and answers like it', async (_, optimizer) => {
    const engine = await engineOf(model, 2);
    const reference = await createReference({
      backend: 'wasm',
      model,
      parameters: initialParameters(model, seededRandom('weights')),
    });
    for (let step = 0; step < (followed.includes(name) ? 12 : 5); step++) {
      const found = await engine.step(batchAt(step), optimizer, step + 5);
      const wanted = await reference.step(batchAt(step), optimizer, step + 5);
      expect(Math.abs(found.loss / wanted.loss - 1)).toBeLessThan(1e-4);
      expect(found.tokens).toBe(wanted.tokens);
      expect(Math.abs(found.gradientNorm / wanted.gradientNorm - 1)).toBeLessThan(2e-3);
    }
    const prefixes = [[1, 20, 30, 3, 40], [1, 9], [1]];
    const leaves = [[10, 11], [], [9]];
    const wanted = await reference.leafLogits(prefixes, leaves);
    const together = await engine.leafLogits(prefixes, leaves);
    together.forEach(({ root, leaves }, i) => {
      expect(largestDifference(root, wanted[i].root)).toBeLessThan(2e-3);
      leaves.forEach((leaf, j) => expect(largestDifference(leaf, wanted[i].leaves[j])).toBeLessThan(2e-3));
    });
    // Asked alone, a prefix goes on from what is remembered of the one before it.
    await engine.leafLogits([[1, 20, 30]], [[10, 11]]);
    const [alone] = await engine.leafLogits([prefixes[0]], [leaves[0]]);
    expect(largestDifference(alone.root, together[0].root)).toBeLessThan(1e-4);
    expect(largestDifference(alone.leaves[1], together[0].leaves[1])).toBeLessThan(1e-4);
    const continuation = engine.continue([1, 20]);
    for (const token of [30, 3, 40]) continuation.advance(token);
    expect(largestDifference(await continuation.logits(), together[0].root)).toBeLessThan(1e-4);
    continuation.dispose();
    const scored = await engine.logProbabilities(batchAt(99), [3, 4]);
    expect(largestDifference(scored, await reference.logProbabilities(batchAt(99), [3, 4]))).toBeLessThan(2e-3);
    engine.dispose();
    reference.dispose();
  });

  it('takes the same steps, bit for bit, whatever the number of threads, and again from its saved state', async () => {
    const [one, three] = [await engineOf(model, 1), await engineOf(model, 3)];
    for (let step = 0; step < 6; step++) {
      const { loss } = await one.step(batchAt(step), muon, step);
      expect((await three.step(batchAt(step), muon, step)).loss).toBe(loss);
      if (step === 2) {
        const [parameters, state] = [await three.parameters(), await three.optimizerState()];
        three.setParameters(parameters);
        three.setOptimizerState(state);
      }
    }
    const weights = await three.parameters();
    for (const [name, { data }] of await one.parameters()) expect(weights.get(name)!.data).toEqual(data);
    one.dispose();
    three.dispose();
  });
});

it('takes the ten steps of PyTorch from the weights that it saved', async () => {
  const folder = new URL('../../../../fixtures/pytorch/', import.meta.url);
  const fixture = JSON.parse(readFileSync(new URL('gpt.json', folder), 'utf8')) as PytorchFixture;
  const { tensors: parameters } = unwrap(readSafetensors(readFileSync(new URL('gpt.safetensors', folder))));
  const engine = await createWasmEngine({
    ...{ host: wasmHost(2), model: fixture.model, parameters, device: { ...device, available: [] } },
  });
  for (const difference of Object.values(await compareWithPytorch(engine, fixture)))
    expect(difference).toBeLessThan(1e-5);
  engine.dispose();
});

it.each(pytorchCases)('takes ten steps of PyTorch: $name', async ({ fixture }) => {
  const { engine, differences } = await comparePytorchCase(fixture, (model, parameters) =>
    createWasmEngine({ host: wasmHost(2), model, parameters, device: { ...device, available: [] } }),
  );
  expect(differences.loss).toBeLessThan(1e-5);
  expect(differences.gradientNorm).toBeLessThan(1e-4);
  expect(differences.logits).toBeLessThan(1e-4);
  engine.dispose();
});

it('is laid out before its first step where the largest batch is known', async () => {
  const model = { ...gpt2, layers: 1, width: 16 };
  const engine = await createWasmEngine({
    ...{ host: wasmHost(1), model, parameters: initialParameters(model, seededRandom('weights')) },
    ...{ device: { ...device, available: [] }, training: { muon: true, tokens: 92 } },
  });
  const { tensors, bytes } = engine.memory();
  for (const rows of [1, 2, 4]) {
    // The batch itself is the one piece that comes with the steps.
    await engine.step(batchOf(rowsOf(batchAt(rows)).slice(0, rows)), muon, rows);
    expect(engine.memory()).toEqual({ tensors: tensors + 1, bytes });
  }
  engine.dispose();
});

it('keeps its memory: two hundred steps of changing size allocate nothing after the first large one', async () => {
  const engine = await engineOf({ ...gpt2, layers: 1, width: 16 }, 1);
  const wide = { ...batchAt(0) };
  await engine.step(wide, adamw, 1);
  const { tensors, bytes } = engine.memory();
  for (let step = 0; step < 200; step++) {
    const batch = batchAt(step);
    const halved = batchOf(rowsOf(batch).map((row) => row.subarray(0, row.length >> 1)));
    await engine.step(step % 2 ? batch : halved, adamw, step);
  }
  expect(engine.memory()).toEqual({ tensors, bytes });
  engine.dispose();
});

it('says before the first step that training takes more memory than WebAssembly has', async () => {
  const refused = createWasmEngine({
    ...{ host: wasmHost(1), model: gpt2, parameters: initialParameters(gpt2, seededRandom('weights')) },
    ...{ device: { ...device, available: [] }, training: { muon: false, tokens: 5e6 } },
  });
  await expect(refused).rejects.toMatchObject({ failure: { code: 'model-too-large' } });
});

it('refuses what does not fit', async () => {
  const engine = await engineOf(gpt2, 1);
  const long = batchOf([new Array<number>(65).fill(9)]);
  await expect(engine.step(long, adamw, 1)).rejects.toThrow(RangeError);
  await expect(engine.step(batchOf([[1], [1]]), adamw, 1)).rejects.toThrow('no targets');
  await expect(engine.leafLogits([new Array<number>(64).fill(1)], [[9]])).rejects.toThrow('context of 64');
  expect(() => engine.setParameters(new Map())).toThrow('is missing');
  engine.dispose();
});

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = a.length === b.length ? 0 : Infinity;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]));
  return largest;
}

import * as tf from '@tensorflow/tfjs-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { learnedDifferences, learnedModels, nothingLearned } from '../../../../fixtures/parity/learned-targets.ts';
import { comparePytorchCase, pytorchCases } from '../../../../fixtures/pytorch/cases.ts';
import { batchOf } from '../../../base/batch.ts';
import { compareWithPytorch, type PytorchFixture } from '../../../../fixtures/pytorch/compare.ts';
import fixtureJson from '../../../../fixtures/pytorch/gpt.json';
import weights from '../../../../fixtures/pytorch/gpt.safetensors?url';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { readSafetensors } from '../../../interchange/safetensors.ts';
import type { GptConfig } from '../../../models/gpt.ts';
import type { LstmConfig } from '../../../models/lstm.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import type { NamedArrays } from '../../../models/parameters.ts';
import type { Qwen3Config } from '../../../models/qwen3.ts';
import type { OptimizerSettings } from '../../engine.ts';
import { createEngine } from '../tfjs/create-engine.ts';
import { createWebgpuEngine } from './create-engine.ts';
import { openGraphics } from './graphics.ts';
import { cardShapes, emulatedShapes } from './lower.ts';
import { smallTiling } from '../../gpu-kit/matmul.ts';

const fixture = fixtureJson as PytorchFixture;
/**
 * The models of the PyTorch fixtures, with dropout where their kind has it: kernels are compiled for a model's sizes, and
 * an emulated card takes a second for each, so that all tests of this file share what the first have compiled.
 */
const modelOf = (name: string) => pytorchCases.find((one) => one.name.startsWith(name))!.fixture.model;
const gpt2: GptConfig = { ...(modelOf('GPT-2') as GptConfig), dropout: 0.1 };
const qwen3 = modelOf('Qwen3 with AdamW') as Qwen3Config;
const shifted = modelOf('Qwen3 with a shift');
const lfm2 = modelOf('LFM2');
const lstm: LstmConfig = { ...(modelOf('LSTM with slots') as LstmConfig), dropout: 0.1 };
const truncated: LstmConfig = { ...(modelOf('LSTM of truncated') as LstmConfig), dropout: 0.1 };
const { context, vocabulary } = gpt2;
const optimizer: OptimizerSettings = {
  ...{ learningRate: 3e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clipNorm: 1 },
  muon: { learningRate: 0.01, momentum: 0.9, weightDecay: 0.01 },
};

const start = (model: ModelConfig) => initialParameters(model, seededRandom('webgpu'));

/** Rows of changing lengths, at most `longest` tokens. */
function someBatch(step: number, rows = 4, longest = 20) {
  const random = seededRandom('webgpu batch', step);
  const lengths = Array.from({ length: rows }, (_, i) => (i === 0 ? longest : 1 + random.below(longest)));
  return batchOf(lengths.map((length) => Array.from({ length }, () => 1 + random.below(vocabulary - 1))));
}

afterEach(() => vi.restoreAllMocks());

describe.skipIf(!navigator.gpu)('the WebGPU engine (needs WebGPU)', () => {
  it('takes the ten steps that PyTorch takes', async () => {
    const bytes = new Uint8Array(await (await fetch(weights)).arrayBuffer());
    const parameters = unwrap(readSafetensors(bytes)).tensors;
    const engine = await createWebgpuEngine({ model: fixture.model, parameters });
    const differences = await compareWithPytorch(engine, fixture);
    console.log(engine.device.adapter, JSON.stringify({ differences, capabilities: engine.capabilities }));
    for (const difference of Object.values(differences)) expect(difference).toBeLessThan(1e-4);
    expect((await engine.optimizerState()).step).toBe(10);
    engine.dispose();
    expect(engine.memory()).toEqual({ tensors: 0, bytes: 0 });
  });

  it.each(pytorchCases)('takes them with $name', async ({ fixture }) => {
    const { engine, differences } = await comparePytorchCase(fixture, (model, parameters) =>
      createWebgpuEngine({ model, parameters }),
    );
    for (const difference of Object.values(differences)) expect(difference).toBeLessThan(1e-4);
    engine.dispose();
  });

  it('follows the reference over twenty steps with dropout, slots, a window and Muon', async () => {
    const reference = await createEngine({ backend: 'cpu', model: gpt2, parameters: start(gpt2) });
    const engine = await createWebgpuEngine({ model: gpt2, parameters: start(gpt2) });
    for (let step = 1; step <= 20; step++) {
      const batch = someBatch(step % 5, 3, 14);
      const [found, wanted] = [await engine.step(batch, optimizer, step), await reference.step(batch, optimizer, step)];
      expect(Math.abs(found.loss - wanted.loss)).toBeLessThan(1e-3 * wanted.loss);
      expect(Math.abs(found.gradientNorm - wanted.gradientNorm)).toBeLessThan(1e-2 * wanted.gradientNorm);
      expect(found.tokens).toBe(wanted.tokens);
    }
    const [mine, theirs] = [await engine.parameters(), await reference.parameters()];
    expect([...mine.keys()]).toEqual([...theirs.keys()]);
    for (const [name, { data }] of mine)
      theirs.get(name)!.data.forEach((value, i) => expect(Math.abs(data[i] - value)).toBeLessThan(5e-3));
    const found = await engine.logProbabilities(someBatch(9), [3]);
    (await reference.logProbabilities(someBatch(9), [3])).forEach((value, i) => {
      expect(Math.abs(found[i] - value)).toBeLessThan(1e-3 * Math.max(1, Math.abs(value)));
    });
    engine.dispose();
    reference.dispose();
  });

  it('learns towards and within sets of tokens as the reference does, and goes back to targets alone', async () => {
    const plain = { ...optimizer, muon: null };
    const reference = await createEngine({ backend: 'cpu', model: gpt2, parameters: start(gpt2) });
    const engine = await createWebgpuEngine({ model: gpt2, parameters: start(gpt2) });
    for (let step = 1; step <= 5; step++) {
      const batch = someBatch(step, 3, 14);
      const random = seededRandom('sets', step);
      // The token itself and others by chance: one word a token.
      const valid =
        step === 4 ? null : batch.tokens.map((token) => (1 << token) | (random.below(1 << vocabulary) & ~1));
      const one = { ...batch, valid, validWeight: step % 2 };
      const [found, wanted] = [await engine.step(one, plain, step), await reference.step(one, plain, step)];
      expect(Math.abs(found.loss - wanted.loss)).toBeLessThan(1e-4 * wanted.loss);
      expect(Math.abs(found.gradientNorm - wanted.gradientNorm)).toBeLessThan(1e-3 * wanted.gradientNorm);
    }
    engine.dispose();
    reference.dispose();
  });

  it.each(learnedModels)('learns from the named targets alone: $kind', async (model) => {
    const create = (model: ModelConfig, parameters: NamedArrays) => createWebgpuEngine({ model, parameters });
    const differences = await learnedDifferences(model, create, (model, parameters) =>
      createEngine({ backend: 'cpu', model, parameters }),
    );
    expect(differences.loss).toBeLessThan(1e-5);
    expect(differences.reference).toBeLessThan(1e-4);
    expect(differences.logProbabilities).toBe(0);
    const engine = await create(model, start(model));
    await expect(engine.step(nothingLearned(), optimizer, 1)).rejects.toThrow('no targets');
    engine.dispose();
  });

  it.each<ModelConfig>([gpt2, qwen3, shifted, lfm2, lstm])(
    'answers many questions after many prefixes as the reference does: $kind',
    async (model) => {
      // What starts at zero would hide what it does.
      const parameters = start(model);
      const random = seededRandom('stirred');
      for (const { data } of parameters.values())
        for (let i = 0; i < data.length; i++) data[i] += 0.2 * random.normal();
      const [engine, reference] = [
        await createWebgpuEngine({ model, parameters }),
        await createEngine({ backend: 'cpu', model, parameters }),
      ];
      const prefixes = [7, 1, 18, 4].map((length, row) =>
        Array.from({ length }, (_, i) => 1 + ((5 * i + row) % (vocabulary - 1))),
      );
      const leaves = [[1, 2, 3, 4, 5], [6], [], [7, 8, 9]];
      const [found, wanted] = [await engine.leafLogits(prefixes, leaves), await reference.leafLogits(prefixes, leaves)];
      const values = (answers: typeof found) => answers.flatMap((answer) => [answer.root, ...answer.leaves]);
      expect(values(found).length).toBe(13);
      values(found).forEach((logits, i) =>
        logits.forEach((value, token) => expect(value).toBeCloseTo(values(wanted)[i][token], 4)),
      );
      engine.dispose();
      reference.dispose();
    },
  );

  it.each<ModelConfig>([{ ...gpt2, dropout: 0, tied: false }, { ...qwen3, tied: false }, shifted, lfm2, truncated])(
    'takes the steps of the reference with an untied head, a shift, convolutions or truncated gradients: $kind',
    async (model) => {
      const parameters = start(model);
      const [engine, reference] = [
        await createWebgpuEngine({ model, parameters }),
        await createEngine({ backend: 'cpu', model, parameters }),
      ];
      for (let step = 1; step <= 4; step++) {
        const [found, wanted] = [
          await engine.step(someBatch(step), optimizer, step),
          await reference.step(someBatch(step), optimizer, step),
        ];
        expect(Math.abs(found.loss - wanted.loss)).toBeLessThan(1e-4 * wanted.loss);
        expect(Math.abs(found.gradientNorm - wanted.gradientNorm)).toBeLessThan(1e-3 * wanted.gradientNorm);
      }
      const found = await engine.logProbabilities(someBatch(9), [3]);
      (await reference.logProbabilities(someBatch(9), [3])).forEach((value, i) => {
        expect(Math.abs(found[i] - value)).toBeLessThan(1e-3 * Math.max(1, Math.abs(value)));
      });
      engine.dispose();
      reference.dispose();
    },
  );

  // All but its head are products of whole tiles, which need half as much code.
  const short: ModelConfig = { ...(fixture.model as GptConfig), layers: 1, dropout: 0.1 };
  // An emulation takes half a minute for each model by a card's kernels: attention and norms with the small tiles, the
  // recurrence with the large ones, which are another only for products (npm run test:kernels has both for all). By the
  // plain kernels of an emulation the trial of subgroups trains GPT-2, and parity.browser.test.ts has each of them.
  const variants = {
    'a graphics card': { shapes: cardShapes, models: [truncated] },
    'a narrow model on a graphics card': { shapes: { ...cardShapes, tiling: smallTiling }, models: [short] },
    'an emulation': { shapes: emulatedShapes, models: [truncated] },
  };
  it.each(Object.entries(variants))('makes the same step by the kernels for %s', async (_, { shapes, models }) => {
    for (const model of models) {
      const engine = await createWebgpuEngine({ model, parameters: start(model), shapes });
      const plain = { ...optimizer, muon: null };
      await engine.step(someBatch(1), plain, 1);
      const { loss, gradientNorm } = await engine.step(someBatch(2), plain, 2);
      engine.dispose();
      const reference = await createEngine({ backend: 'cpu', model, parameters: start(model) });
      await reference.step(someBatch(1), plain, 1);
      const wanted = await reference.step(someBatch(2), plain, 2);
      expect(Math.abs(loss - wanted.loss)).toBeLessThan(1e-5);
      expect(Math.abs(gradientNorm - wanted.gradientNorm)).toBeLessThan(1e-4);
      reference.dispose();
    }
  });

  it('makes nothing at all for its steps where it was made ready for them, and tells how far that is', async () => {
    const told: number[][] = [];
    const engine = await createWebgpuEngine({
      ...{ model: gpt2, parameters: start(gpt2), training: { muon: true, tokens: 8 * 20 } },
      onProgress: (done, total) => told.push([done, total]),
    });
    const [, total] = told[0];
    expect(told).toEqual(Array.from({ length: total + 1 }, (_, done) => [done, total]));
    const { device } = await openGraphics();
    const makers = ['createBuffer', 'createBindGroup', 'createComputePipeline', 'createComputePipelineAsync'] as const;
    const made = makers.map((maker) => vi.spyOn(device, maker));
    for (const [step, rows] of [2, 4, 8].entries()) await engine.step(someBatch(step, rows), optimizer, step);
    for (const spy of made) expect(spy).not.toHaveBeenCalled();
    engine.dispose();
    expect(engine.memory()).toEqual({ tensors: 0, bytes: 0 });
  });

  it('submits a step once and makes nothing new for it until a larger batch comes', async () => {
    const engine = await createWebgpuEngine({ model: gpt2, parameters: start(gpt2) });
    const { device } = await openGraphics();
    await engine.step(someBatch(1), optimizer, 1);
    const makers = ['createBuffer', 'createBindGroup', 'createComputePipeline', 'createComputePipelineAsync'] as const;
    const made = makers.map((maker) => vi.spyOn(device, maker));
    const submitted = vi.spyOn(device.queue, 'submit');
    const calls = () => made.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    // Two at once, and long enough for the sampled step that times its kernels.
    for (let step = 2; step <= 9; step++) {
      const ahead = engine.step(someBatch(1), optimizer, step);
      await engine.step(someBatch(1, 3, 18), optimizer, step);
      await ahead;
    }
    expect(submitted).toHaveBeenCalledTimes(16);
    expect(calls()).toBe(0);
    await engine.step(someBatch(1, 8), optimizer, 9);
    const grown = calls();
    expect(grown).toBeGreaterThan(0);
    await engine.step(someBatch(2, 9), optimizer, 9);
    expect(calls()).toBe(grown);
    if (device.features.has('timestamp-query')) {
      const times = (await engine.kernelTimes())!;
      expect(times.map(({ name }) => name)).toContain('weight gradients');
    }
    engine.dispose();
  });

  it('needs at most 36 dispatches for two layers and twelve for each further one', async () => {
    const dispatched = vi.spyOn(GPUComputePassEncoder.prototype, 'dispatchWorkgroups');
    const counts = async (layers: number) => {
      const model: ModelConfig = { ...gpt2, layers, dropout: 0 };
      const engine = await createWebgpuEngine({ model, parameters: start(model) });
      const found = [];
      for (const muon of [null, optimizer.muon]) {
        await engine.step(someBatch(1), { ...optimizer, muon }, 1);
        dispatched.mockClear();
        await engine.step(someBatch(1), { ...optimizer, muon }, 2);
        found.push(dispatched.mock.calls.length);
      }
      engine.dispose();
      return found;
    };
    const [[two, twoMuon], [three, threeMuon]] = [await counts(2), await counts(3)];
    expect(two).toBeLessThanOrEqual(36);
    expect(three - two).toBeLessThanOrEqual(12);
    expect(twoMuon - two).toBe(threeMuon - three);
  });

  it('cuts long steps into slices with the same result', async () => {
    const { device } = await openGraphics();
    const parameters = start(gpt2);
    const [whole, sliced] = [
      await createWebgpuEngine({ model: gpt2, parameters }),
      await createWebgpuEngine({ model: gpt2, parameters, sliceFlops: 50_000 }),
    ];
    const wanted = [await whole.step(someBatch(1), optimizer, 1), await whole.step(someBatch(2), optimizer, 2)];
    await sliced.step(someBatch(1), optimizer, 1);
    sliced.setParameters(parameters);
    const zero = { step: 0, moments: new Map([...(await sliced.optimizerState()).moments].map(empty)) };
    sliced.setOptimizerState(zero);
    const submitted = vi.spyOn(device.queue, 'submit');
    // Begun together: slices of one must not mix with the other's.
    const found = await Promise.all([sliced.step(someBatch(1), optimizer, 1), sliced.step(someBatch(2), optimizer, 2)]);
    expect(submitted.mock.calls.length).toBeGreaterThan(6);
    expect(found).toEqual(wanted);
    whole.dispose();
    sliced.dispose();
  });

  it('shares its weights with TF.js without a copy', async () => {
    const engine = await createWebgpuEngine({ model: gpt2, parameters: start(gpt2) });
    const all = await engine.weightsTensor();
    const before = await tf.tidy(() => tf.add(all, 0)).data();
    await engine.step(someBatch(1), optimizer, 1);
    const after = await tf.tidy(() => tf.add(all, 0)).data();
    const parameters = [...(await engine.parameters()).values()].flatMap(({ data }) => [...data]);
    expect([...after]).toEqual(parameters);
    expect([...after]).not.toEqual([...before]);
    const name = 'transformer.h.1.mlp.c_fc.weight';
    const tensor = await engine.parameterTensor(name);
    expect(tensor.shape).toEqual([gpt2.width, 4 * gpt2.width]);
    expect([...(await tensor.data())]).toEqual([...(await engine.parameters()).get(name)!.data]);
    tensor.dispose();
    engine.dispose();
  });

  it('says in words what does not fit', async () => {
    const engine = await createWebgpuEngine({ model: gpt2, parameters: start(gpt2) });
    await expect(engine.step(someBatch(1, 1, context + 1), optimizer, 1)).rejects.toThrow(`context of ${context}`);
    await expect(engine.step(batchOf([[1]]), optimizer, 1)).rejects.toThrow('no targets');
    await expect(engine.leafLogits([[]], [[]])).rejects.toThrow('begin token');
    expect(() => engine.continue([])).toThrow('begin token');
    engine.dispose();
  });
});

const empty = ([name, { shape, data }]: [string, { shape: number[]; data: Float32Array }]) =>
  [name, { shape, data: new Float32Array(data.length) }] as const;

import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../base/batch.ts';
import { seededRandom } from '../../../base/random.ts';
import type { SlotGrammar } from '../../../base/slot-grammar.ts';
import type { GptConfig } from '../../../models/gpt.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import type { PerformerConfig } from '../../../models/performer.ts';
import type { ReformerConfig } from '../../../models/reformer.ts';
import type { Engine, NamedArrays } from '../../engine.ts';
import { createEngine } from './create-engine.ts';

const random = seededRandom('inference test');
/** A grammar of 3 states and 4 slots: any will do. */
const slots: SlotGrammar = {
  count: 4,
  states: 3,
  slot: Array.from({ length: 90 }, () => random.below(4)),
  next: Array.from({ length: 90 }, () => random.below(3)),
};
const sizes = { layers: 2, width: 24, context: 20, vocabulary: 30 };
const model: GptConfig = { kind: 'gpt2', ...sizes, heads: 3, dropout: 0.3, window: null, slots: null, start: 'gpt2' };
const performer: PerformerConfig = {
  ...{ kind: 'performer', ...sizes, heads: 3, dropout: 0.3, start: 'gpt2', slots: null },
  ...{ kernel: 'softmax', features: 20, redraw: 1000, localHeads: 0, localWindow: 4 },
};
const mixed = { kernel: 'relu', features: null, localHeads: 2, slots } as const;
const reformer: ReformerConfig = {
  ...{ kind: 'reformer', ...sizes, heads: 3, dropout: 0.3, start: 'gpt2', slots: null },
  ...{ pattern: 'local', chunk: 4, buckets: 4, rounds: 2, positions: 'axial', axialRows: null, axialWidth: null },
};
const models: { name: string; model: ModelConfig }[] = [
  { name: 'GPT-2', model },
  { name: 'GPT-2 with slots and a window', model: { ...model, slots, window: 5 } },
  {
    name: 'Qwen3 with a window',
    model: { kind: 'qwen3', ...sizes, heads: 3, mlp: 40, window: 6, rotaryBase: 100, slots },
  },
  {
    name: 'Qwen3 with a shift',
    model: { kind: 'qwen3', ...sizes, heads: 3, mlp: 40, window: null, rotaryBase: 100, slots, shift: 4 },
  },
  {
    name: 'LFM2 with slots',
    model: {
      ...{ kind: 'lfm2', pattern: 'cac', width: 24, heads: 3, mlp: 40, taps: 4, context: 20, vocabulary: 30 },
      ...{ rotaryBase: 100, slots },
    },
  },
  { name: 'LSTM with slots', model: { kind: 'lstm', ...sizes, dropout: 0.3, slots } },
  { name: 'a Performer', model: performer },
  { name: 'a Performer with slots, ReLU features and local heads', model: { ...performer, ...mixed } },
  { name: 'a Reformer of local layers', model: reformer },
  // Rows of one chunk: in longer ones the order of an LSH layer is the whole row's.
  {
    name: 'a Reformer with slots',
    model: { ...reformer, pattern: 'local,lsh', chunk: 20, positions: 'learned', slots },
  },
];

/** Initial parameters, far enough from their start that every one has an effect. */
function parametersOf(model: ModelConfig): NamedArrays {
  const parameters = initialParameters(model, random);
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += 0.2 * random.normal();
  return parameters;
}

const sequence = (length: number) => [1, ...Array.from({ length: length - 1 }, () => 3 + random.below(27))];

/** Log-softmax in float64. */
function logSoftmax(logits: Float32Array): number[] {
  const most = Math.max(...logits);
  const total = Math.log(logits.reduce((sum, z) => sum + Math.exp(z - most), 0)) + most;
  return Array.from(logits, (z) => z - total);
}

/** The log-probabilities of a token after a prefix by a plain forward pass over one row, all tokens at once. */
async function plain(engine: Engine, row: number[], next: number): Promise<number> {
  const found = await engine.logProbabilities(batchOf([[...row, next]]), []);
  return found[row.length - 1];
}

const sides = models.flatMap((each) => (['wasm', 'cpu'] as const).map((backend) => ({ ...each, backend })));

describe.each(sides)('inference of $name on $backend', ({ model, backend }) => {
  const parameters = parametersOf(model);

  it('gives leaves the logits of the full sequence, whatever shares their pass', async () => {
    const engine = await createEngine({ backend, model, parameters });
    const prefixes = [sequence(7), sequence(19), sequence(1), sequence(7), sequence(12)];
    const leaves = [[5, 9, 4], [6], [], [5, 5, 11, 29], [3]];
    const before = engine.memory().tensors;
    const found = await engine.leafLogits(prefixes, leaves);
    expect(engine.memory().tensors).toBe(before);
    for (const [i, prefix] of prefixes.entries()) {
      expect(found[i].leaves).toHaveLength(leaves[i].length);
      expect(logSoftmax(found[i].root)[8]).toBeCloseTo(await plain(engine, prefix, 8), 5);
      for (const [j, leaf] of leaves[i].entries()) {
        if (prefix.length + 2 > model.context) continue;
        expect(logSoftmax(found[i].leaves[j])[8]).toBeCloseTo(await plain(engine, [...prefix, leaf], 8), 5);
      }
    }
    await expect(engine.leafLogits([sequence(20)], [[3]])).rejects.toThrow('context of 20');
    engine.dispose();
  });

  it('continues a sequence as a full pass reads it', async () => {
    const engine = await createEngine({ backend, model, parameters });
    const row = sequence(12);
    const before = engine.memory().tensors;
    const continuation = engine.continue(row.slice(0, 4));
    for (let length = 4; length < 12; length++) {
      expect(continuation.length).toBe(length);
      expect(logSoftmax(await continuation.logits())[17]).toBeCloseTo(await plain(engine, row.slice(0, length), 17), 5);
      continuation.advance(row[length]);
    }
    for (let length = 12; length < 20; length++) continuation.advance(5);
    expect(() => continuation.advance(5)).toThrow('context of 20');
    expect(continuation.length).toBe(20);
    continuation.dispose();
    expect(engine.memory().tensors).toBe(before);
    engine.dispose();
  });

  it('scores targets only, and gives muted tokens no probability', async () => {
    const engine = await createEngine({ backend, model, parameters });
    const batch = batchOf([
      [1, 5, 7, 9, 4, 6],
      [1, 8, 3],
    ]);
    const before = engine.memory().tensors;
    const all = await engine.logProbabilities(batch, []);
    expect([...all].map((p) => p !== 0)).toEqual([true, true, true, true, true, false, true, true, false]);
    const muted = [5, 28, 29];
    const some = await engine.logProbabilities(batch, muted);
    expect(some[0]).toBeLessThan(-1e9);
    const [{ root }] = await engine.leafLogits([[1, 5]], [[]]);
    const heard = root.filter((_, token) => !muted.includes(token));
    const wanted = root[7] - Math.log(heard.reduce((sum, z) => sum + Math.exp(z), 0));
    expect(some[1]).toBeCloseTo(wanted, 4);
    expect(engine.memory().tensors).toBe(before);
    engine.dispose();
  });
});

describe.each(models.filter(({ model }) => 'dropout' in model))('dropout of $name', ({ model }) => {
  const parameters = parametersOf(model);

  it('is a function of the seed, and absent from inference', async () => {
    const optimizer = {
      learningRate: 0,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      weightDecay: 0,
      clipNorm: 0,
      muon: null,
    };
    const batch = batchOf([sequence(15), sequence(9)]);
    const lossOf = async (engine: Engine, seed: number) => (await engine.step(batch, optimizer, seed)).loss;
    const engine = await createEngine({ backend: 'wasm', model, parameters });
    const first = await lossOf(engine, 7);
    // The optimiser's moments are made at the first step and stay.
    const tensors = engine.memory().tensors;
    const [again, other] = [await lossOf(engine, 7), await lossOf(engine, 8)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(engine.memory().tensors).toBe(tensors);
    // In inference nothing is dropped: the loss is that of the same model without dropout.
    const rested = await engine.logProbabilities(batch, []);
    const loss = -rested.reduce((sum, p) => sum + p, 0) / 22;
    if (!('dropout' in model)) throw new Error('there is no dropout');
    const plainEngine = await createEngine({ backend: 'wasm', model: { ...model, dropout: 0 }, parameters });
    expect(await lossOf(plainEngine, 7)).toBeCloseTo(loss, 4);
    engine.dispose();
    plainEngine.dispose();
  });
});

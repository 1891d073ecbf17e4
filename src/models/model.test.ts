import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import type { SlotGrammar } from '../base/slot-grammar.ts';
import { defaultPreset, presetNamed } from '../config/presets.ts';
import type { Lfm2Config } from './lfm2.ts';
import {
  estimateMemory,
  initialParameters,
  muonMatrices,
  parameterCount,
  parameterShapes,
  tokenEmbeddingName,
  trainingFlopsPerToken,
  type ModelConfig,
} from './model.ts';
import { modelOf } from './of-config.ts';
import { sizeOf } from './parameters.ts';
import { featuresName, type PerformerConfig } from './performer.ts';
import { axialShape, reformerLayers, rotationsName, type ReformerConfig } from './reformer.ts';

const slots: SlotGrammar = { count: 10, states: 1, slot: new Array(77).fill(0), next: new Array(77).fill(0) };
const sizes = { layers: 2, width: 32, context: 64, vocabulary: 77 };
const gpt2 = { kind: 'gpt2', ...sizes, heads: 4, dropout: 0, window: null, slots, start: 'zero-out' } as const;
const qwen3 = { kind: 'qwen3', ...sizes, heads: 4, mlp: 80, window: null, rotaryBase: 10_000, slots: null } as const;
const lfm2: Lfm2Config = {
  ...{ kind: 'lfm2', pattern: 'ca', width: 32, heads: 4, mlp: 48, taps: 3, context: 64, vocabulary: 77 },
  ...{ rotaryBase: 1000, slots },
};
const lstm = { kind: 'lstm', ...sizes, dropout: 0, slots } as const;
const reformer: ReformerConfig = {
  ...{ kind: 'reformer', ...sizes, heads: 4, dropout: 0, slots, start: 'zero-out', pattern: 'local,lsh', chunk: 16 },
  ...{ buckets: 6, rounds: 2, positions: 'axial', axialRows: null, axialWidth: null },
};
const performer: PerformerConfig = {
  ...{ kind: 'performer', ...sizes, heads: 4, dropout: 0, slots: null, start: 'gpt2', kernel: 'softmax' },
  ...{ features: null, redraw: 1000, localHeads: 1, localWindow: 16 },
};
const models: ModelConfig[] = [
  ...[gpt2, { ...gpt2, tied: false }, qwen3, { ...qwen3, tied: false }, { ...qwen3, shift: 3 }],
  ...[lfm2, lstm, reformer, performer],
];

/** Kinds whose matrices lie [inputs, outputs], as Conv1D keeps them. */
const convolutions = new Set(['gpt2', 'performer']);

const spread = (data: Float32Array) => Math.sqrt(data.reduce((sum, x) => sum + x * x, 0) / data.length);

describe.each(models)('$kind', (model) => {
  const shapes = parameterShapes(model);
  const shapeOf = new Map(shapes.map(({ name, shape }) => [name, shape]));

  it('has a token embedding, and matrices for Muon that cover their parameters once', () => {
    expect(shapeOf.get(tokenEmbeddingName(model.kind))).toEqual([77, 32]);
    const covered = new Map<string, Uint8Array>();
    for (const { name, offset, rows, columns, stride } of muonMatrices(model)) {
      const cells = covered.get(name) ?? new Uint8Array(sizeOf(shapeOf.get(name)!));
      for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) cells[offset + i * stride + j]++;
      covered.set(name, cells);
    }
    for (const cells of covered.values()) expect(cells.every((times) => times === 1)).toBe(true);
    const others = shapes.filter(({ name, shape }) => shape.length === 2 && !covered.has(name)).map(({ name }) => name);
    expect(others.every((name) => /wte|wpe|wse|embed|^head|^lm_head|features|shift/.test(name))).toBe(true);
  });

  it('knows how many outputs and inputs a matrix has, whichever way it lies', () => {
    for (const { name, rows, columns, outputs, inputs } of muonMatrices(model))
      expect([name, outputs, inputs]).toEqual([
        name,
        ...(convolutions.has(model.kind) ? [columns, rows] : [rows, columns]),
      ]);
  });

  it('needs more memory for more tokens', () => {
    expect(estimateMemory(model, 8, 64)).toBeGreaterThan(estimateMemory(model, 4, 64));
    expect(estimateMemory(model, 1, 1)).toBeGreaterThan(16 * parameterCount(model));
  });
});

it('counts parameters as the formulas of their papers do', () => {
  const d = 32;
  expect(parameterCount(gpt2)).toBe(77 * d + 64 * d + 10 * d + 2 * (12 * d * d + 13 * d) + 2 * d);
  expect(parameterCount(qwen3)).toBe(77 * d + 2 * (4 * d * d + 3 * d * 80 + 2 * 8 + 2 * d) + d);
  expect(parameterCount(lfm2)).toBe(
    77 * d + 10 * d + (4 * d * d + 3 * d) + (4 * d * d + 2 * 8) + 2 * (3 * d * 48 + 2 * d) + d,
  );
  expect(parameterCount({ ...qwen3, shift: 3 })).toBe(parameterCount(qwen3) + 2 * 3 * d);
  for (const model of [gpt2, qwen3])
    expect(parameterCount({ ...model, tied: false })).toBe(parameterCount({ ...model, tied: true }) + 77 * d);
  expect(parameterCount(lstm)).toBe(77 * d + 10 * d + 2 * (8 * d * d + 8 * d) + 77 * d + 77);
});

it("counts the paper's Reformer and Performer as table 11 of Toshniwal et al. does", () => {
  const of = (name: string) => modelOf(presetNamed(name)!.config, { size: 77, slots: null });
  const millions = (name: string) => parameterCount(of(name)) / 1e6;
  expect(Math.floor(millions('gpt2-small'))).toBe(85);
  expect(Math.floor(millions('reformer'))).toBe(83);
  expect(Math.round(millions('performer'))).toBe(86);
  expect(millions('gpt2-intermediate')).toBeCloseTo(113.9, 1);
  expect(millions('gpt2-medium')).toBeCloseTo(302.9, 1);
  expect(millions('lstm-paper')).toBeCloseTo(25.3, 1); // 24.3 in the paper, whose embedding is narrower
  const d = 32;
  const reformerLayer = (parts: number) => (parts + 1 + 8) * d * d + 4 * d + 5 * d;
  const { rows, columns, first, second } = axialShape(reformer);
  expect(parameterCount(reformer)).toBe(
    77 * d + 10 * d + rows * first + columns * second + reformerLayer(3) + reformerLayer(2) + 2 * d,
  );
  expect(parameterCount(performer)).toBe(77 * d + 64 * d + 2 * (12 * d * d + 13 * d) + 2 * d);
});

it("counts SPLAT's models as table 3 of Demeter and Downey does, who leave positions, biases and norms out", () => {
  const matrices = (name: string) =>
    parameterShapes(modelOf(presetNamed(name)!.config, { size: 4390, slots: null }))
      .filter(({ name, shape }) => shape.length === 2 && !name.includes('wpe'))
      .reduce((sum, { shape }) => sum + sizeOf(shape), 0) / 1e6;
  expect(matrices('splat-tlm').toFixed(1)).toBe('23.4');
  expect(matrices('splat-lstm').toFixed(1)).toBe('8.7');
});

it('starts an untied head as the embeddings, or at zero, and leaves it to AdamW', () => {
  const head = (model: ModelConfig) => initialParameters(model, seededRandom('head')).get('lm_head.weight');
  expect(head(gpt2)).toBeUndefined();
  expect(spread(head({ ...gpt2, tied: false, start: 'gpt2' })!.data)).toBeCloseTo(0.02, 2);
  expect(spread(head({ ...gpt2, tied: false })!.data)).toBe(0);
  expect(spread(head({ ...qwen3, tied: false })!.data)).toBe(0);
  for (const model of [gpt2, qwen3]) {
    expect(muonMatrices({ ...model, tied: false })).toEqual(muonMatrices(model));
    // What is multiplied is the same; only what is kept grows.
    expect(trainingFlopsPerToken({ ...model, tied: false })).toBe(trainingFlopsPerToken(model));
    const more = estimateMemory({ ...model, tied: false }, 4, 64) - estimateMemory(model, 4, 64);
    expect(more).toBe(16 * 77 * 32);
  }
  // The weights that both have are drawn alike.
  const [tied, untied] = [gpt2, { ...gpt2, tied: false }].map((model) =>
    initialParameters(model, seededRandom('head')),
  );
  for (const [name, { data }] of tied) expect(untied.get(name)!.data).toEqual(data);
});

it('starts a table that is only read far larger than one that scores tokens as well', () => {
  for (const name of ['model.embed_tokens.weight', 'model.embed_slots.weight']) {
    const table = (model: ModelConfig) => initialParameters(model, seededRandom('table')).get(name)!.data;
    expect(spread(table({ ...lfm2, tied: true }))).toBeCloseTo(0.02, 2);
    expect(spread(table({ ...lfm2, tied: false }))).toBeCloseTo(0.5, 1);
  }
});

it('starts a shift at zero, leaves it to AdamW, and draws the rest as without one', () => {
  const shifted = { ...qwen3, shift: 3 };
  const start = initialParameters(shifted, seededRandom('shift'));
  for (const name of ['model.layers.0.self_attn.shift.weight', 'model.layers.1.self_attn.shift.weight'])
    expect(start.get(name)).toEqual({ shape: [3, 32], data: new Float32Array(96) });
  for (const [name, { data }] of initialParameters(qwen3, seededRandom('shift')))
    expect(start.get(name)!.data).toEqual(data);
  expect(muonMatrices(shifted)).toEqual(muonMatrices(qwen3));
  expect(trainingFlopsPerToken(shifted) - trainingFlopsPerToken(qwen3)).toBe(6 * 2 * 3 * 32);
  expect(parameterShapes({ ...qwen3, shift: 0 })).toEqual(parameterShapes(qwen3));
});

it('starts a convolution near the token itself, leaves it to AdamW, and hands Muon its three maps apart', () => {
  const taps = initialParameters(lfm2, seededRandom('taps')).get('model.layers.0.conv.conv.weight')!;
  expect(taps.shape).toEqual([32, 1, 3]);
  const places = [0, 1, 2].map((place) => taps.data.filter((_, i) => i % 3 === place));
  const means = places.map((values) => values.reduce((sum, x) => sum + x, 0) / 32);
  [0, 0, 1].forEach((wanted, place) => expect(Math.abs(means[place] - wanted)).toBeLessThan(0.06));
  for (const values of places.slice(0, 2)) expect(Math.abs(spread(values) - 0.1)).toBeLessThan(0.04);
  const into = muonMatrices(lfm2).filter(({ name }) => name === 'model.layers.0.conv.in_proj.weight');
  expect(into.map(({ offset, rows, columns }) => [offset, rows, columns])).toEqual([
    [0, 32, 32],
    [1024, 32, 32],
    [2048, 32, 32],
  ]);
  expect(muonMatrices(lfm2).some(({ name }) => name.includes('conv.conv'))).toBe(false);
});

it('counts the layers of a preset as its measurements do', () => {
  const { config } = presetNamed('tiny')!;
  expect(parameterCount(modelOf(config, { size: 77, slots })) / 1e3).toBeCloseTo(711.5, 1);
  expect(parameterShapes(modelOf(config, { size: 77, slots })).map(({ name }) => name)).toContain(
    'model.layers.5.self_attn.q_layernorm.weight',
  );
});

it('keeps what is drawn and not learned beside the weights', () => {
  const shapeOf = (model: ModelConfig, name: string) => parameterShapes(model).find((shape) => shape.name === name);
  expect(shapeOf(reformer, rotationsName(1))).toMatchObject({ shape: [4, 8, 6], fixed: true });
  expect(shapeOf(reformer, rotationsName(0))).toBeUndefined();
  // 8 ln 8 = 16.6
  expect(shapeOf(performer, featuresName(1))).toMatchObject({ shape: [16, 8], fixed: true });
  const drawn = (seed: string) => initialParameters(performer, seededRandom(seed)).get(featuresName(1));
  expect(drawn('a')).toEqual(drawn('a'));
  expect(drawn('a')).not.toEqual(drawn('b'));
});

it('lays the layers and the grid of a Reformer out as the paper does', () => {
  expect(reformerLayers({ layers: 12, pattern: 'local,local,lsh,local' }).join()).toBe(
    'local,local,lsh,local,local,local,lsh,local,local,local,lsh,local',
  );
  const derived = { axialRows: null, axialWidth: null };
  expect(axialShape({ context: 350, width: 768, ...derived })).toEqual({
    rows: 14,
    columns: 25,
    first: 256,
    second: 512,
  });
  expect(axialShape({ context: 352, width: 128, ...derived })).toMatchObject({ rows: 16, columns: 22 });
  for (const context of [16, 17, 353, 1024]) {
    const { rows, columns } = axialShape({ context, width: 8, ...derived });
    expect(rows * columns).toBeGreaterThanOrEqual(context);
    expect(rows + columns).toBeLessThan(4 * Math.sqrt(context));
  }
});

it('starts with quiet residual branches where nothing else is said', () => {
  const start = initialParameters(gpt2, seededRandom('start'));
  const valuesOf = (name: string) => start.get(name)!.data;
  expect(spread(valuesOf('transformer.h.1.mlp.c_proj.weight'))).toBe(0);
  expect(spread(valuesOf('transformer.h.1.mlp.c_fc.weight'))).toBeCloseTo(1 / Math.sqrt(96), 2);
  expect(spread(valuesOf('transformer.wte.weight'))).toBeCloseTo(0.1, 2);
  const places = valuesOf('transformer.wpe.weight');
  expect([...places.subarray(0, 16)]).toEqual(new Array(16).fill(0));
  expect(places[32]).toBeCloseTo(0.1 * Math.sin(1), 6);
  expect(spread(initialParameters(qwen3, seededRandom('start')).get('model.layers.0.mlp.down_proj.weight')!.data)).toBe(
    0,
  );
});

it('costs less attention where tokens see a window', () => {
  for (const model of [gpt2, qwen3]) {
    const saved = trainingFlopsPerToken(model) - trainingFlopsPerToken({ ...model, window: 16 });
    expect(saved).toBe(12 * 2 * (64 - 16) * 32);
  }
});

it('is made of a config and a grammar', () => {
  const vocabulary = { size: 77, slots };
  const of = (model: object, from: { size: number; slots: SlotGrammar | null } = vocabulary) =>
    modelOf({ model: { ...defaultPreset.config.model, ...model } as typeof defaultPreset.config.model }, from);
  expect(of({ slots: false })).toEqual({ ...defaultPreset.config.model, vocabulary: 77, slots: null });
  expect(of({ slots: true })).toMatchObject({ slots });
  expect(() => of({ slots: true }, { size: 77, slots: null })).toThrow('needs a grammar');
});

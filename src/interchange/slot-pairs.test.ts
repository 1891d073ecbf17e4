import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { unwrap } from '../base/result.ts';
import { slotsOf } from '../base/slot-grammar.ts';
import { defaultPreset } from '../config/presets.ts';
import type { RunConfig } from '../config/run-config.ts';
import { chessSlots } from '../domains/chess/slots.ts';
import { vocabulary } from '../domains/chess/vocabulary.ts';
import { initialParameters } from '../models/model.ts';
import { modelOf } from '../models/of-config.ts';
import { floatOfHalf } from './float16.ts';
import { halved, modelFolder, modelFromFiles, type Files } from './huggingface.ts';
import { writeSafetensors } from './safetensors.ts';
import { pairsOf } from './slot-pairs.ts';

const WIDTH = 16;
const kinds = {
  lfm2: { kind: 'lfm2', pattern: 'ca', width: WIDTH, heads: 2, mlp: 24, taps: 3, context: 24, rotaryBase: 1000 },
  qwen3: {
    kind: 'qwen3',
    layers: 1,
    width: WIDTH,
    heads: 2,
    mlp: 24,
    context: 24,
    window: null,
    rotaryBase: 1000,
    shift: 0,
  },
} as const;
const cases = (['lfm2', 'qwen3'] as const).flatMap((kind) => [true, false].map((tied) => ({ kind, tied })));

function made(kind: keyof typeof kinds, tied: boolean) {
  const config = { ...defaultPreset.config, model: { ...kinds[kind], slots: true, tied } } as RunConfig;
  const model = modelOf(config, { size: vocabulary.size, slots: chessSlots });
  const parameters = initialParameters(model, seededRandom('pairs'));
  const random = seededRandom('spread');
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += 0.3 * random.normal();
  const record = { tokens: vocabulary.tokens, step: 1 };
  return { config, model, parameters, files: modelFolder(config, parameters, record, chessSlots) };
}

const imported = (files: Files) => modelFromFiles(files, () => chessSlots);

/** The input's rows of a sequence as a reader finds them who has the files alone and follows the README. */
function rowsOutside(files: Files, tokens: readonly number[]): number[][] {
  const bytes = files.get('model.safetensors')!;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = Number(view.getBigUint64(0, true));
  type Header = Record<string, { dtype: string; shape: number[]; data_offsets: number[] }>;
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as Header;
  const { dtype, data_offsets: offsets } = header['model.embed_tokens.weight'];
  const start = 8 + length + offsets[0];
  const grammar = JSON.parse(new TextDecoder().decode(files.get('slots.json'))) as { pair: number[]; next: number[] };
  let state = 0;
  return tokens.map((token) => {
    const at = state * vocabulary.size + token;
    state = grammar.next[at];
    return Array.from({ length: WIDTH }, (_, column) => {
      const place = grammar.pair[at] * WIDTH + column;
      return dtype === 'F16'
        ? floatOfHalf(view.getUint16(start + 2 * place, true))
        : view.getFloat32(start + 4 * place, true);
    });
  });
}

/** The same as the engines add them up from the model that the lab opens. */
function rowsInside(files: Files, tokens: readonly number[]): number[][] {
  const { model, parameters } = unwrap(imported(files));
  const [words, slots] = ['tokens', 'slots'].map((table) => parameters.get(`model.embed_${table}.weight`)!.data);
  const read = slotsOf(model.slots!, tokens).slots;
  return tokens.map((token, i) =>
    Array.from({ length: WIDTH }, (_, column) =>
      Math.fround(words[token * WIDTH + column] + slots[read[i] * WIDTH + column]),
    ),
  );
}

/** Every token in every state, squares between to come from one to the next. */
const everything = [1, ...Array.from(vocabulary.tokens.keys()).flatMap((id) => [id, 20, id, 30, id, 40, id])];

describe('the pairs of a grammar', () => {
  it('are those that can occur: of the 770 of chess, 281', () => {
    const { slots, tokens, grammar } = pairsOf(chessSlots);
    // 64 squares left and reached by two sides, 6 pieces and 4 promotions of two, <s> once, <pad> and </s> twice.
    expect(tokens).toHaveLength(64 * 4 + 6 * 2 + 4 * 2 + 1 + 2 * 2);
    expect(grammar.count).toBe(281);
    for (const [at, pair] of grammar.slot.entries())
      expect([slots[pair], tokens[pair]]).toEqual([chessSlots.slot[at], at % vocabulary.size]);
  });
});

describe.each(cases)('a folder of a $kind with slots, head tied: $tied', ({ kind, tied }) => {
  const { config, model, parameters, files } = made(kind, tied);
  const half = unwrap(halved(files));

  it('is computed with the rows that are stored, bit for bit, in 32 bits and in 16', () => {
    for (const folder of [files, half]) expect(rowsInside(folder, everything)).toEqual(rowsOutside(folder, everything));
  });

  it('stores in 32 bits what the model was computed with before', () => {
    const { slots } = slotsOf(chessSlots, everything);
    const [words, kinds] = ['tokens', 'slots'].map((table) => parameters.get(`model.embed_${table}.weight`)!.data);
    const before = everything.map((token, i) =>
      Array.from({ length: WIDTH }, (_, c) => Math.fround(words[token * WIDTH + c] + kinds[slots[i] * WIDTH + c])),
    );
    expect(rowsOutside(files, everything)).toEqual(before);
  });

  it('comes through a second folder unchanged', () => {
    const { parameters: once } = unwrap(imported(half));
    const again = modelFolder(config, once, { tokens: vocabulary.tokens, step: 1 }, chessSlots);
    expect(unwrap(halved(again)).get('model.safetensors')).toEqual(half.get('model.safetensors'));
  });

  it('has tables again to go on learning with, whose sums are the rows to rounding', () => {
    const { learnable } = unwrap(imported(files));
    expect(learnable!.model).toEqual(model);
    expect([...learnable!.parameters.keys()]).toEqual([...parameters.keys()]);
    const { slots } = slotsOf(chessSlots, everything);
    const [words, kinds] = ['tokens', 'slots'].map(
      (table) => learnable!.parameters.get(`model.embed_${table}.weight`)!.data,
    );
    const wanted = rowsOutside(files, everything);
    everything.forEach((token, i) => {
      for (let c = 0; c < WIDTH; c++)
        expect(words[token * WIDTH + c] + kinds[slots[i] * WIDTH + c]).toBeCloseTo(wanted[i][c], 5);
    });
  });

  it('reads folders of before, with a row for every product of a slot and a token', () => {
    const [size, width] = parameters.get('model.embed_tokens.weight')!.shape;
    const old = new Map(parameters);
    const [words, kinds] = ['tokens', 'slots'].map((table) => old.get(`model.embed_${table}.weight`)!.data);
    const rows = Float32Array.from({ length: 10 * size * width }, (_, i) => {
      const [slot, column] = [Math.floor(i / width / size), i % width];
      return words[i % (size * width)] + kinds[slot * width + column];
    });
    const head = new Float32Array(rows.length);
    head.set(old.get('lm_head.weight')?.data ?? words);
    old.delete('model.embed_slots.weight');
    old.set('model.embed_tokens.weight', { shape: [10 * size, width], data: rows });
    old.set('lm_head.weight', { shape: [10 * size, width], data: head });
    const hugging = JSON.parse(new TextDecoder().decode(files.get('config.json'))) as object;
    const told = { ...hugging, vocab_size: 770, tie_word_embeddings: false, tie_embedding: false };
    const folder: Files = new Map(files)
      .set('model.safetensors', writeSafetensors(old))
      .set('config.json', new TextEncoder().encode(JSON.stringify(told)));
    expect(unwrap(imported(folder)).parameters).toEqual(unwrap(imported(files)).parameters);
  });
});

it('the shipped model is written again to the same bytes', () => {
  const folder = new URL('../../public/checkpoints/chess/', import.meta.url);
  const names = ['model.safetensors', 'config.json', 'blindfold.json'];
  const files: Files = new Map(names.map((name) => [name, new Uint8Array(readFileSync(new URL(name, folder)))]));
  const { config, parameters, record } = unwrap(imported(files));
  const again = unwrap(halved(modelFolder(config!, parameters, record!, chessSlots)));
  expect(Buffer.compare(again.get('model.safetensors')!, files.get('model.safetensors')!)).toBe(0);
});

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { ok, unwrap } from '../base/result.ts';
import { defaultPreset } from '../config/presets.ts';
import type { RunConfig } from '../config/run-config.ts';
import { chessSlots } from '../domains/chess/notation/slots.ts';
import { chessTokenizerRules } from '../domains/chess/notation/tokenizer-rules.ts';
import { vocabulary } from '../domains/chess/notation/vocabulary.ts';
import { initialParameters } from '../models/model.ts';
import { modelOf } from '../models/of-config.ts';
import { askable } from './agreement.ts';
import { modelFolder, modelFromFiles, type Files } from './huggingface.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';

const shape = { width: 16, heads: 2, context: 24, slots: true, tied: true };
const modern = { ...shape, mlp: 24, rotaryBase: 1000 };
const models = {
  lfm2: { ...modern, kind: 'lfm2', pattern: 'ca', taps: 3 },
  qwen3: { ...modern, kind: 'qwen3', layers: 1, window: null, shift: 0 },
  gpt2: { ...shape, kind: 'gpt2', layers: 1, dropout: 0, window: null, start: 'gpt2' },
} satisfies Record<string, RunConfig['model']>;
const record = { tokens: vocabulary.tokens, step: 1 };
const notation = { slots: chessSlots, tokenizerRules: chessTokenizerRules };

function folderOf(kind: keyof typeof models, slots = true): Files {
  const config: RunConfig = { ...defaultPreset.config, model: { ...models[kind], slots } };
  const model = modelOf(config, { size: vocabulary.size, slots: chessSlots });
  return modelFolder(config, initialParameters(model, seededRandom('agreement')), record, notation);
}

// A file of JSON as tests change it.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- folders are damaged on purpose, past what types allow
type Change = (value: Record<string, any>) => void;

/** A folder with one of its JSON files changed. */
function altered(files: Files, name: string, change: Change): Files {
  const value = JSON.parse(new TextDecoder().decode(files.get(name))) as Record<string, unknown>;
  change(value);
  return new Map(files).set(name, new TextEncoder().encode(JSON.stringify(value)));
}

const read = (files: Files) => modelFromFiles(files, () => chessSlots);
const asked = (files: Files) => {
  const found = read(files);
  return found.ok ? askable(found.value, () => ok(vocabulary.tokens)) : found;
};
const refusal = (files: Files) => {
  const found = asked(files);
  return found.ok ? 'asked' : `${found.error.code}: ${found.error.message}`;
};

describe('config.json beside blindfold.json', () => {
  it.each([
    ['lfm2', (c) => (c.rope_theta = 2000), /rope_theta is 2000/],
    ['lfm2', (c) => (c.rope_parameters.rope_theta = 2000), /rope_parameters is .*2000.*1000/],
    ['lfm2', (c) => (c.theta = c.rope_theta = c.rope_parameters.rope_theta = 2000), /rope_theta is 2000 .* 1000/],
    ['lfm2', (c) => (c.num_attention_heads = c.num_key_value_heads = 1), /num_attention_heads is 1 .* 2/],
    ['qwen3', (c) => (c.rope_theta = c.rope_parameters.rope_theta = 2000), /rope_theta is 2000 .* 1000/],
    ['qwen3', (c) => (c.rope_parameters.rope_theta = 2000), /rope_parameters is .*2000.*1000/],
    ['qwen3', (c) => Object.assign(c, { use_sliding_window: true, sliding_window: 5, max_window_layers: 0 }), /window/],
    ['gpt2', (c) => (c.n_head = 4), /n_head is 4 .* 2/],
  ] satisfies [keyof typeof models, Change, RegExp][])('of a %s must say the same: %#', (kind, change, expected) => {
    const files = folderOf(kind);
    expect(asked(files).ok).toBe(true);
    expect(refusal(altered(files, 'config.json', change))).toMatch(expected);
  });

  it('may belong to another kind of model, which is refused', () => {
    const files = folderOf('gpt2');
    const other = new Map(files).set('blindfold.json', folderOf('qwen3').get('blindfold.json')!);
    expect(refusal(other)).toMatch(/record-differs/);
  });
});

describe('the tokens that blindfold.json lists', () => {
  it.each<[string, unknown, RegExp]>([
    ['in another order', [...vocabulary.tokens.slice(1), vocabulary.tokens[0]], /other-vocabulary: .*id 0 is "<s>"/],
    ['one short', vocabulary.tokens.slice(0, -1), /other-vocabulary: .*id 76 is null/],
    ['one too many', [...vocabulary.tokens, 'x'], /other-vocabulary: .*id 77 is "x"/],
    ['a number', 77, /no-vocabulary: .*record.tokens is no list/],
    ['missing', undefined, /no-vocabulary: .*record.tokens is no list/],
  ])('are refused: %s', (_, tokens, expected) => {
    const files = folderOf('lfm2');
    expect(refusal(altered(files, 'blindfold.json', (recorded) => (recorded.record.tokens = tokens)))).toMatch(
      expected,
    );
  });

  it('must be there: no record and no blindfold.json are refused', () => {
    const files = folderOf('gpt2', false);
    expect(refusal(altered(files, 'blindfold.json', (recorded) => delete recorded.record))).toMatch(/no-vocabulary/);
    expect(refusal(new Map([...files].filter(([name]) => name !== 'blindfold.json')))).toMatch(/no-vocabulary/);
  });
});

it.each([NaN, Infinity, -Infinity])('a weight of %d is refused', (value) => {
  const files = folderOf('lfm2');
  const { tensors } = unwrap(readSafetensors(files.get('model.safetensors')!));
  tensors.get('model.embedding_norm.weight')!.data[3] = value;
  files.set('model.safetensors', writeSafetensors(tensors));
  expect(refusal(files)).toMatch(/not-finite: .*model.embedding_norm.weight/);
});

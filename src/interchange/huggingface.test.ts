import { describe, expect, it } from 'vitest';
import { tinyGpt2 } from '../../fixtures/sample-run.ts';
import { seededRandom } from '../base/random.ts';
import type { SlotGrammar } from '../base/slot-grammar.ts';
import { unwrap } from '../base/result.ts';
import { wordRules } from '../base/tokenizer-rules.ts';
import { defaultPreset } from '../config/presets.ts';
import type { RunConfig } from '../config/run-config.ts';
import { initialParameters } from '../models/model.ts';
import { modelOf } from '../models/of-config.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { halved, modelFolder, modelFromFiles, type Files } from './huggingface.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';

const config: RunConfig = {
  ...defaultPreset.config,
  model: tinyGpt2({ layers: 4, heads: 4, context: 24 }),
};
/** A grammar of 2 states and 3 slots over 9 tokens. */
const grammar: SlotGrammar = {
  count: 3,
  states: 2,
  slot: Array.from({ length: 18 }, (_, i) => i % 3),
  next: Array.from({ length: 18 }, (_, i) => (i >> 1) % 2),
};
const grammarOf = () => grammar;
const notation = { slots: grammar, tokenizerRules: () => wordRules(tokens) };
const draw = (config: RunConfig) => {
  const model = modelOf(config, { size: 9, slots: grammar });
  return { model, parameters: initialParameters(model, seededRandom('hf')) };
};
const { model, parameters } = draw(config);
const tokens = ['<pad>', '<s>', '</s>', ...'abcdef'];
const record = { tokens, step: 7 };
const folder = () => modelFolder(config, parameters, record, notation);
const imported = (files: Files) => modelFromFiles(files, grammarOf);

const json = (files: Files, name: string) => JSON.parse(new TextDecoder().decode(files.get(name)));
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** The folder with changes to its config and weights. */
function changed(
  fields: Record<string, unknown>,
  weights: (tensors: NamedArrays) => NamedArrays = (tensors) => tensors,
): Files {
  const files = folder();
  files.delete('blindfold.json');
  files.set('config.json', bytesOf({ ...json(files, 'config.json'), ...fields }));
  files.set(
    'model.safetensors',
    writeSafetensors(weights(unwrap(readSafetensors(files.get('model.safetensors')!)).tensors)),
  );
  return files;
}

const failure = (files: Files) => {
  const found = imported(files);
  return found.ok ? 'ok' : `${found.error.code}: ${found.error.message}`;
};

describe('a Hugging Face folder', () => {
  it('says what GPT2LMHeadModel needs to know', () => {
    const files = folder();
    expect([...files.keys()]).toEqual([
      ...[
        'config.json',
        'generation_config.json',
        'tokenizer.json',
        'tokenizer_config.json',
        'special_tokens_map.json',
      ],
      ...['model.safetensors', 'blindfold.json', 'README.md'],
    ]);
    expect(json(files, 'config.json')).toMatchObject({
      architectures: ['GPT2LMHeadModel'],
      model_type: 'gpt2',
      vocab_size: 9,
      n_positions: 24,
      n_embd: 16,
      n_layer: 4,
      n_head: 4,
      activation_function: 'gelu_new',
      tie_word_embeddings: true,
      bos_token_id: 1,
      eos_token_id: 2,
      pad_token_id: 0,
    });
    const { tensors } = unwrap(readSafetensors(files.get('model.safetensors')!));
    expect(tensors.get('transformer.h.1.mlp.c_fc.weight')!.shape).toEqual([16, 64]);
    expect(tensors.get('transformer.h.0.attn.c_attn.bias')!.shape).toEqual([48]);
  });

  it('comes back as the model it was made of', () => {
    const found = unwrap(imported(folder()));
    expect(found.parameters).toEqual(parameters);
    expect(found.model).toEqual(model);
    expect(found.config).toEqual(config);
    expect(found.record).toEqual({ tokens, step: 7 });
  });

  it('comes back rounded where its weights are stored in half precision', () => {
    const whole = folder();
    const half = unwrap(halved(whole));
    expect([...half.keys()]).toEqual([...whole.keys()]);
    const [many, few] = [whole, half].map((files) => files.get('model.safetensors')!.length);
    expect(few / many).toBeLessThan(0.6);
    const found = unwrap(imported(half));
    expect(found.model).toEqual(model);
    for (const [name, { shape, data }] of parameters) {
      const other = found.parameters.get(name)!;
      expect(other.shape).toEqual(shape);
      // Eleven binary places, and 2^-24 where numbers are subnormal.
      data.forEach((x, i) =>
        expect(Math.abs(other.data[i] - x)).toBeLessThanOrEqual(Math.abs(x) * 2 ** -11 + 2 ** -25),
      );
    }
  });

  it('may be one of others: no prefix, mask buffers, a tied head written out', () => {
    const files = changed({ resid_pdrop: 0.1 }, (tensors) => {
      const others: NamedArrays = new Map(
        [...tensors].reverse().map(([name, tensor]) => [name.replace('transformer.', ''), tensor]),
      );
      others.set('h.0.attn.bias', { shape: [1, 1, 2, 2], data: Float32Array.of(1, 0, 1, 1) });
      others.set('h.0.attn.masked_bias', { shape: [], data: Float32Array.of(-1e4) });
      others.set('lm_head.weight', others.get('wte.weight')!);
      return others;
    });
    const found = unwrap(imported(files));
    expect(found.parameters).toEqual(parameters);
    expect([...found.parameters.keys()]).toEqual([...parameters.keys()]);
    expect(found.config).toBeNull();
    expect(found.model).toMatchObject({ kind: 'gpt2', dropout: 0.1, window: null, slots: null });
  });

  it('fails in words where it is not a model of this kind', () => {
    const drop = (name: string) => (tensors: NamedArrays) => new Map([...tensors].filter(([found]) => found !== name));
    expect(failure(new Map())).toMatch(/no-weights: There is neither model.safetensors nor pytorch_model.bin/);
    expect(failure(new Map([...changed({})].filter(([name]) => name !== 'config.json')))).toMatch(/no-config/);
    expect(failure(changed({ model_type: 'llama' }))).toMatch(/model_type is "llama"/);
    expect(failure(changed({ activation_function: 'relu' }))).toMatch(
      /activation_function is "relu" where this model has "gelu_new"/,
    );
    expect(failure(changed({ scale_attn_by_inverse_layer_idx: true }))).toMatch(/scale_attn_by_inverse_layer_idx/);
    expect(failure(changed({ n_layer: 'two' }))).toMatch(/n_layer is missing or not a count/);
    expect(failure(changed({ n_head: 3 }))).toMatch(/not a multiple/);
    expect(failure(changed({ n_layer: 5 }))).toMatch(/transformer.h.4.ln_1.weight is missing/);
    expect(failure(changed({ n_layer: 3 }))).toMatch(/transformer.h.3.* is not a parameter of this model/);
    expect(failure(changed({ n_positions: 25 }))).toMatch(
      /transformer.wpe.weight has shape \[24, 16\] where the model has \[25, 16\]/,
    );
    expect(failure(changed({}, drop('transformer.wte.weight')))).toMatch(/no token embedding/);
    expect(
      failure(changed({}, (tensors) => tensors.set('lm_head.weight', { shape: [9, 16], data: new Float32Array(144) }))),
    ).toMatch(/head-untied/);
    const broken = folder();
    broken.set('config.json', new TextEncoder().encode('{'));
    expect(failure(broken)).toMatch(/config.json: it is not a JSON object/);
    const cut = folder();
    cut.set('model.safetensors', cut.get('model.safetensors')!.subarray(0, 5000));
    expect(failure(cut)).toMatch(/safetensors-truncated/);
  });
});

describe('a folder of a GPT-2 with slots and a window', () => {
  const slotted: RunConfig = { ...config, model: { ...config.model, window: 6, slots: true } as RunConfig['model'] };
  const { parameters } = draw(slotted);
  const folder = () => modelFolder(slotted, parameters, record, notation);

  it('says that no library has the window', () => {
    expect(new TextDecoder().decode(folder().get('README.md'))).toContain('the 5 before it');
  });
});

it('keeps the letters of pieces out of what generate writes, where they are a second target', () => {
  const suppressed = (changes: Partial<RunConfig>, { slots }: { slots: boolean }) => {
    const told = { ...config, notation: 'rap:40', ...changes, model: { ...config.model, slots } } as RunConfig;
    const files = modelFolder(told, draw(told).parameters, record, { ...notation, mutedInEvaluation: [3, 4] });
    const rows: number[] | undefined = json(files, 'generation_config.json').suppress_tokens;
    const { vocab } = json(files, 'tokenizer.json').model;
    const text = Object.entries<number>(vocab).filter(([, row]) => rows?.includes(row));
    return [...new Set(text.map(([piece]) => piece.replace(/[^a-f].*/, '')))];
  };
  expect(suppressed({ pieceWeight: 0.5 }, { slots: false })).toEqual(['a', 'b']);
  expect(suppressed({ pieceWeight: 0.5 }, { slots: true })).toEqual(['a', 'b']);
  expect(suppressed({ pieceWeight: 0 }, { slots: true })).toEqual([]);
});

describe('a folder of a Qwen3', () => {
  const make = (window: number | null) => {
    const qwen: RunConfig = {
      ...config,
      model: {
        kind: 'qwen3',
        layers: 2,
        width: 16,
        heads: 4,
        mlp: 24,
        context: 24,
        window,
        rotaryBase: 5000,
        slots: false,
        tied: true,
        shift: 0,
      },
    };
    return { qwen, ...draw(qwen) };
  };
  const { qwen, model, parameters } = make(8);
  const changedQwen = (fields: object) => {
    const files = modelFolder(qwen, parameters, record, notation);
    files.set('config.json', bytesOf({ ...json(files, 'config.json'), ...fields }));
    return files;
  };

  it('says what Qwen3ForCausalLM needs to know', () => {
    expect(json(changedQwen({}), 'config.json')).toMatchObject({
      architectures: ['Qwen3ForCausalLM'],
      model_type: 'qwen3',
      vocab_size: 9,
      head_dim: 4,
      num_key_value_heads: 4,
      rope_theta: 5000,
      rms_norm_eps: 1e-6,
      tie_word_embeddings: true,
      hidden_act: 'silu',
      attention_bias: false,
      use_sliding_window: true,
      sliding_window: 8,
      max_window_layers: 0,
    });
    expect(json(modelFolder(make(null).qwen, parameters, record, notation), 'config.json')).toMatchObject({
      use_sliding_window: false,
      sliding_window: null,
    });
    const { tensors } = unwrap(readSafetensors(changedQwen({}).get('model.safetensors')!));
    expect(tensors.get('model.layers.1.mlp.gate_proj.weight')!.shape).toEqual([24, 16]);
  });

  it('comes back as the model it was made of, with blindfold.json or without', () => {
    for (const window of [8, null]) {
      const { qwen, model, parameters } = make(window);
      const files = modelFolder(qwen, parameters, record, notation);
      expect(unwrap(imported(files))).toEqual({ model, parameters, config: qwen, record, folder: true });
      files.delete('blindfold.json');
      expect(unwrap(imported(files))).toEqual({ model, parameters, config: null, record: null, folder: true });
    }
  });

  it('may be one of others, and fails in words where its arithmetic is another', () => {
    const newer = changedQwen({ rope_theta: undefined, layer_types: ['sliding_attention', 'sliding_attention'] });
    expect(unwrap(imported(newer)).model).toEqual(model);
    expect(failure(changedQwen({ num_key_value_heads: 2 }))).toMatch(/num_key_value_heads is 2 where this model has 4/);
    expect(failure(changedQwen({ head_dim: 8 }))).toMatch(/head_dim is 8 where this model has 4/);
    expect(failure(changedQwen({ tie_word_embeddings: false }))).toMatch(/lm_head.weight is missing/);
    expect(failure(changedQwen({ rope_scaling: { type: 'yarn' } }))).toMatch(/rope_scaling/);
    expect(failure(changedQwen({ max_window_layers: 1 }))).toMatch(/max_window_layers/);
    expect(failure(changedQwen({ num_hidden_layers: 3 }))).toMatch(/model.layers.2.*missing/);
  });
});

describe('a folder of a model with a head of its own', () => {
  const sizes = { layers: 1, width: 16, heads: 4, context: 24, window: null, tied: false } as const;
  const gpt2 = (slots: boolean): RunConfig => ({
    ...config,
    model: { kind: 'gpt2', ...sizes, dropout: 0, slots, start: 'gpt2' },
  });
  const qwen3 = (slots: boolean): RunConfig => ({
    ...config,
    model: { kind: 'qwen3', ...sizes, mlp: 24, rotaryBase: 5000, slots, shift: 0 },
  });
  /** Heads start at zero or nearly; these are told apart from everything else. */
  const drawn = (config: RunConfig) => {
    const model = modelOf(config, { size: 9, slots: grammar });
    const parameters = initialParameters(model, seededRandom('hf'));
    const random = seededRandom('heads');
    const { data } = parameters.get('lm_head.weight')!;
    for (let i = 0; i < data.length; i++) data[i] = random.normal();
    return { model, parameters, files: modelFolder(config, parameters, record, notation) };
  };
  const headOf = (files: Files) =>
    unwrap(readSafetensors(files.get('model.safetensors')!)).tensors.get('lm_head.weight')!;
  const asBefore = (found: NamedArrays, wanted: NamedArrays) => {
    expect([...found.keys()]).toEqual([...wanted.keys()]);
    for (const [name, { shape, data }] of wanted) {
      expect(found.get(name)!.shape).toEqual(shape);
      expect(found.get(name)!.data).toEqual(data);
    }
  };

  it.each([gpt2(false), qwen3(false)])('says so and comes back: $model.kind, slots $model.slots', (config) => {
    const { model, parameters, files } = drawn(config);
    const own = parameters.get('lm_head.weight')!.data;
    const rows = json(files, 'config.json').vocab_size;
    expect(json(files, 'config.json').tie_word_embeddings).toBe(false);
    expect(headOf(files).shape).toEqual([rows, 16]);
    expect(headOf(files).data.subarray(0, own.length)).toEqual(own);
    const found = unwrap(imported(files));
    expect(found.model).toEqual(model);
    expect(found.config).toEqual(config);
    asBefore(found.parameters, parameters);
    expect(unwrap(imported(unwrap(halved(files)))).model).toEqual(model);
  });

  it.each([gpt2(false), qwen3(false)])('needs no blindfold.json, nor a prefix: $model.kind', (config) => {
    const { model, parameters, files } = drawn(config);
    files.delete('blindfold.json');
    const { tensors } = unwrap(readSafetensors(files.get('model.safetensors')!));
    const bare = new Map([...tensors].map(([name, tensor]) => [name.replace(/^(transformer|model)\./, ''), tensor]));
    files.set('model.safetensors', writeSafetensors(bare));
    const found = unwrap(imported(files));
    expect(found.model).toEqual(model);
    asBefore(found.parameters, parameters);
  });

  it('is refused in words where the config says that the head is tied', () => {
    const { files } = drawn(gpt2(false));
    files.set('config.json', bytesOf({ ...json(files, 'config.json'), tie_word_embeddings: true }));
    expect(failure(files)).toMatch(/head-untied: .* set tie_word_embeddings to false/);
  });
});

describe('a folder of an LSTM', () => {
  const recurrent: RunConfig = {
    ...config,
    model: { kind: 'lstm', layers: 2, width: 8, context: 24, dropout: 0.1, slots: true, truncation: 30 },
  };
  const { model, parameters } = draw(recurrent);

  it("has PyTorch's names, no class of Hugging Face, and comes back", () => {
    const files = modelFolder(recurrent, parameters, record, notation);
    expect([...files.keys()]).toEqual(['model.safetensors', 'blindfold.json', 'slots.json', 'README.md']);
    const readme = new TextDecoder().decode(files.get('README.md'));
    expect(readme).toContain('Hugging Face has no class for it');
    expect(readme).toContain('torch.nn.LSTM(8, 8, 2, batch_first=True)');
    const { tensors } = unwrap(readSafetensors(files.get('model.safetensors')!));
    expect([...tensors.keys()]).toEqual([...parameters.keys()]);
    expect(unwrap(imported(files))).toEqual({ model, parameters, config: recurrent, record, folder: true });
    files.delete('blindfold.json');
    expect(failure(files)).toMatch(/no-config/);
  });
});

describe.each([
  {
    ...{ kind: 'reformer', layers: 3, width: 12, heads: 3, context: 24, dropout: 0.1, pattern: 'local,lsh', chunk: 4 },
    ...{ buckets: 4, rounds: 2, positions: 'axial', axialRows: null, axialWidth: null, slots: true, start: 'gpt2' },
  },
  {
    ...{ kind: 'performer', layers: 2, width: 12, heads: 3, context: 24, dropout: 0, kernel: 'relu', features: 5 },
    ...{ redraw: 10, localHeads: 1, localWindow: 4, slots: false, start: 'gpt2' },
  },
] satisfies RunConfig['model'][])('a folder of a $kind', (own) => {
  const rowConfig: RunConfig = { ...config, model: own };
  const { model, parameters } = draw(rowConfig);
  const folder = () => modelFolder(rowConfig, parameters, record, notation);

  it('says how it is computed, since no library has it, and comes back', () => {
    const files = folder();
    const slots = own.slots ? ['slots.json'] : [];
    expect([...files.keys()]).toEqual(['model.safetensors', 'blindfold.json', ...slots, 'README.md']);
    const readme = new TextDecoder().decode(files.get('README.md'));
    expect(readme).toContain('has a class that computes exactly this');
    expect(readme.includes('slots_of(ids)')).toBe(own.slots);
    // Every weight is there, and the README names what is drawn and not learned.
    const { tensors } = unwrap(readSafetensors(files.get('model.safetensors')!));
    expect([...tensors.keys()]).toEqual([...parameters.keys()]);
    expect(readme).toContain(own.kind === 'reformer' ? '"rotations"' : '"attn.features"');
    expect(unwrap(imported(files))).toEqual({ model, parameters, config: rowConfig, record, folder: true });
    expect(unwrap(imported(unwrap(halved(files)))).model).toEqual(model);
  });

  it('is nothing without blindfold.json, nor with that of another kind', () => {
    const files = folder();
    files.delete('blindfold.json');
    expect(failure(files)).toMatch(/no-config/);
    const other = folder();
    const changed = { ...own, layers: own.layers + 1 };
    other.set('blindfold.json', bytesOf({ config: { ...rowConfig, model: changed }, record }));
    expect(failure(other)).toMatch(/weights-differ: .* is missing/);
  });
});

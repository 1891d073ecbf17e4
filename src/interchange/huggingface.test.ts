import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { unwrap } from '../base/result.ts';
import { defaultPreset } from '../config/presets.ts';
import { initialParameters, type NamedArrays } from '../models/gpt.ts';
import { gpt2Folder, modelFromFiles, type Files } from './huggingface.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';

const config = { ...defaultPreset.config, model: { ...defaultPreset.config.model, width: 16, context: 24 } };
const parameters = initialParameters({ ...config.model, vocabulary: 9 }, seededRandom('hf'));
const tokens = ['<pad>', '<s>', '</s>', ...'abcdef'];
const folder = () => gpt2Folder(config, parameters, { tokens, step: 7 });

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
  const found = modelFromFiles(files);
  return found.ok ? 'ok' : `${found.error.code}: ${found.error.message}`;
};

describe('a Hugging Face folder', () => {
  it('says what GPT2LMHeadModel needs to know', () => {
    const files = folder();
    expect([...files.keys()]).toEqual(['config.json', 'model.safetensors', 'blindfold.json']);
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
    const found = unwrap(modelFromFiles(folder()));
    expect(found.parameters).toEqual(parameters);
    expect(found.model).toEqual({ ...config.model, vocabulary: 9 });
    expect(found.config).toEqual(config);
    expect(found.record).toEqual({ tokens, step: 7 });
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
    const found = unwrap(modelFromFiles(files));
    expect(found.parameters).toEqual(parameters);
    expect([...found.parameters.keys()]).toEqual([...parameters.keys()]);
    expect(found.config).toBeNull();
    expect(found.model.dropout).toBe(0.1);
  });

  it('fails in words where it is not a model of this kind', () => {
    const drop = (name: string) => (tensors: NamedArrays) => new Map([...tensors].filter(([found]) => found !== name));
    expect(failure(new Map())).toMatch(/no-weights: There is no model.safetensors/);
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

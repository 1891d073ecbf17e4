import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import type { SlotGrammar } from '../../base/slot-grammar.ts';
import { unwrap } from '../../base/result.ts';
import { defaultPreset } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { initialParameters } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import { halved, modelFolder, modelFromFiles, type Files } from '../huggingface.ts';
import { readSafetensors } from '../safetensors.ts';

/** A grammar of 2 states and 3 slots over 9 tokens. */
const grammar: SlotGrammar = {
  count: 3,
  states: 2,
  slot: Array.from({ length: 18 }, (_, i) => i % 3),
  next: Array.from({ length: 18 }, (_, i) => (i >> 1) % 2),
};
const notation = { slots: grammar, tokenizerRules: () => null };
const record = { tokens: ['<pad>', '<s>', '</s>', ...'abcdef'], step: 7 };
const sizes = { pattern: 'cac', width: 16, heads: 2, mlp: 24, taps: 4, context: 24, rotaryBase: 5000 } as const;

function made({ slots, tied }: { slots: boolean; tied: boolean }) {
  const config: RunConfig = { ...defaultPreset.config, model: { kind: 'lfm2', ...sizes, slots, tied } };
  const model = modelOf(config, { size: 9, slots: grammar });
  const random = seededRandom('lfm2');
  const parameters = initialParameters(model, random);
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += 0.3 * random.normal();
  return { config, model, parameters, files: modelFolder(config, parameters, record, notation) };
}

const imported = (files: Files) => modelFromFiles(files, () => grammar);
const json = (files: Files, name: string) => JSON.parse(new TextDecoder().decode(files.get(name)));

/** Another's folder: no blindfold.json, and a config.json with other fields; undefined ones are left out. */
function others(files: Files, fields: Record<string, unknown>): Files {
  const config = JSON.stringify({ ...json(files, 'config.json'), ...fields });
  const kept = [...files].filter(([name]) => name !== 'blindfold.json');
  return new Map(kept).set('config.json', new TextEncoder().encode(config));
}

describe('a folder of an LFM2', () => {
  it('says what Lfm2ForCausalLM needs to know', () => {
    const { files } = made({ slots: false, tied: true });
    expect(json(files, 'config.json')).toMatchObject({
      ...{ architectures: ['Lfm2ForCausalLM'], model_type: 'lfm2', vocab_size: 9, hidden_size: 16 },
      ...{ num_hidden_layers: 3, layer_types: ['conv', 'full_attention', 'conv'], full_attn_idxs: [1] },
      ...{ num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 24, block_auto_adjust_ff_dim: false },
      ...{ conv_L_cache: 4, conv_bias: false, norm_eps: 1e-5, rope_theta: 5000, tie_word_embeddings: true },
    });
    const { tensors } = unwrap(readSafetensors(files.get('model.safetensors')!));
    // Lfm2Model.state_dict() of these sizes.
    const feedForward = (layer: number) => [
      [`model.layers.${layer}.feed_forward.w1.weight`, [24, 16]],
      [`model.layers.${layer}.feed_forward.w3.weight`, [24, 16]],
      [`model.layers.${layer}.feed_forward.w2.weight`, [16, 24]],
      [`model.layers.${layer}.operator_norm.weight`, [16]],
      [`model.layers.${layer}.ffn_norm.weight`, [16]],
    ];
    const convolution = (layer: number) => [
      [`model.layers.${layer}.conv.conv.weight`, [16, 1, 4]],
      [`model.layers.${layer}.conv.in_proj.weight`, [48, 16]],
      [`model.layers.${layer}.conv.out_proj.weight`, [16, 16]],
      ...feedForward(layer),
    ];
    expect([...tensors].map(([name, { shape }]) => [name, shape])).toEqual([
      ['model.embed_tokens.weight', [9, 16]],
      ...convolution(0),
      ...['q_proj', 'k_proj', 'v_proj', 'out_proj'].map((part) => [
        `model.layers.1.self_attn.${part}.weight`,
        [16, 16],
      ]),
      ...['q_layernorm', 'k_layernorm'].map((part) => [`model.layers.1.self_attn.${part}.weight`, [8]]),
      ...feedForward(1),
      ...convolution(2),
      ['model.embedding_norm.weight', [16]],
    ]);
  });

  it.each([
    { slots: false, tied: true },
    { slots: false, tied: false },
    { slots: true, tied: true },
    { slots: true, tied: false },
  ])('comes back as the model it was made of: %o', (settings) => {
    const { config, model, parameters, files } = made(settings);
    for (const found of [unwrap(imported(files)), unwrap(imported(unwrap(halved(files))))]) {
      const learnt = found.learnable ?? found;
      expect(learnt.model).toEqual(model);
      expect(found.config).toEqual(config);
      expect([...learnt.parameters.keys()]).toEqual([...parameters.keys()]);
    }
    if (settings.slots) return;
    expect(unwrap(imported(files)).parameters).toEqual(parameters);
  });

  it('may be of others, in the words of older releases too', () => {
    const { parameters, files } = made({ slots: false, tied: true });
    const older = { layer_types: undefined, intermediate_size: undefined, tie_word_embeddings: undefined };
    for (const fields of [{}, older]) {
      const found = unwrap(imported(others(files, fields)));
      expect(found.model).toEqual({ kind: 'lfm2', ...sizes, tied: true, vocabulary: 9, slots: null });
      expect(found.parameters).toEqual(parameters);
    }
  });

  it('fails in words where its arithmetic is another', () => {
    const { files } = made({ slots: false, tied: true });
    for (const [field, value] of [
      ['norm_eps', 1e-6],
      ['conv_bias', true],
      ['block_auto_adjust_ff_dim', true],
      ['num_key_value_heads', 1],
      ['conv_L_cache', 0],
      ['layer_types', ['conv', 'sliding_attention', 'conv']],
      ['layer_types', ['conv', 'full_attention']],
    ] as const)
      expect(imported(others(files, { [field]: value }))).toMatchObject({
        ok: false,
        error: { code: 'other-model', message: expect.stringContaining(field) },
      });
    expect(imported(others(files, { conv_L_cache: 3 }))).toMatchObject({
      ok: false,
      error: { code: 'weights-differ' },
    });
  });
});

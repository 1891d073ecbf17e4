import type { SettingsOf } from '../../config/model-schema.ts';
import { LFM2_NORM_EPSILON } from '../../models/lfm2.ts';
import { countsOf, firstDifference, otherModel, type FolderForm } from '../folder.ts';
import { fittedModern, MODERN_COUNTS } from './modern-form.ts';
import { fromPlain, isPlain, writePlain, type PlainSizes } from '../plain/plain-folder.ts';

const types = { c: 'conv', a: 'full_attention' } as const;

/** Lfm2ForCausalLM; names and layouts are its own already, and a model with slots becomes a plain one. */
export const lfm2Form: FolderForm<SettingsOf<'lfm2'>> = {
  write: (model, parameters, slots) => writePlain(model, parameters, slots, huggingConfig),

  read(c, tensors, own, file) {
    const settings = own?.config.model;
    const slots = settings?.slots ? own!.slots : null;
    if (isPlain(own, c.hidden_size)) return fromPlain(own, huggingConfig, c, tensors, file);
    const rope = (c.rope_parameters ?? {}) as Record<string, unknown>;
    const counts = countsOf(
      { ...c, intermediate_size: c.block_ff_dim ?? c.intermediate_size, conv_L_cache: c.conv_L_cache ?? 3 },
      { ...MODERN_COUNTS, conv_L_cache: 1000 },
    );
    if (!counts.ok) return counts;
    const { num_hidden_layers: layers, hidden_size: width, num_attention_heads: heads } = counts.value;
    const { intermediate_size: mlp, max_position_embeddings: context, conv_L_cache: taps } = counts.value;
    const pattern = patternOf(c, layers);
    if (pattern === null) return otherModel('layer_types does not say of each layer "conv" or "full_attention"');
    const headTied = (c.tie_embedding ?? c.tie_word_embeddings ?? true) === true;
    const rotaryBase = Number(c.theta ?? c.rope_theta ?? rope.rope_theta ?? 1e6);
    const different = firstDifference([
      // Releases differ in which of them they read.
      ['rope_theta', c.rope_theta ?? rotaryBase, rotaryBase],
      ['rope_parameters.rope_theta', rope.rope_theta ?? rotaryBase, rotaryBase],
      ['norm_eps', c.norm_eps ?? LFM2_NORM_EPSILON, LFM2_NORM_EPSILON],
      ['conv_bias', c.conv_bias ?? false, false],
      ['block_auto_adjust_ff_dim', c.block_auto_adjust_ff_dim ?? true, false],
      ['num_key_value_heads', c.num_key_value_heads ?? 8, heads],
      ['head_dim', c.head_dim ?? width / heads, width / heads],
      ['rope_scaling', c.rope_scaling ?? null, null],
      ['rope_type', rope.rope_type ?? 'default', 'default'],
    ]);
    if (different) return otherModel(different);
    if ((width / heads) % 2 !== 0) return otherModel(`head_dim ${width / heads} is not an even number`);
    if (!(rotaryBase > 0)) return otherModel('rope_theta is not a number above 0');
    const tied = settings && slots ? settings.tied : headTied;
    const sizes = { kind: 'lfm2', pattern, width, heads, mlp, taps, context, rotaryBase, tied } as const;
    return fittedModern((vocabulary) => ({ ...sizes, vocabulary, slots }), tensors, headTied, file);
  },
};

/** A letter for each of so many layers; null where the config does not tell, or tells of other kinds. */
function patternOf({ layer_types, full_attn_idxs }: Record<string, unknown>, layers: number): string | null {
  if (Array.isArray(layer_types)) {
    const letters = layer_types.map((type) => (type === 'conv' ? 'c' : type === 'full_attention' ? 'a' : ''));
    return letters.length === layers && letters.every((letter) => letter !== '') ? letters.join('') : null;
  }
  // Older configs list the layers that attend; none listed are all.
  if (full_attn_idxs !== undefined && !Array.isArray(full_attn_idxs)) return null;
  const attends = (layer: number) => full_attn_idxs === undefined || full_attn_idxs.includes(layer);
  return Array.from({ length: layers }, (_, layer) => (attends(layer) ? 'a' : 'c')).join('');
}

/** What config.json says, but for the ids of special tokens. */
function huggingConfig(model: SettingsOf<'lfm2'>, { rows, width: plainWidth }: PlainSizes) {
  const { pattern, width, heads, mlp, taps, context, rotaryBase, tied } = model;
  const layers = Array.from(pattern, (letter) => types[letter as keyof typeof types]);
  const headTied = tied && plainWidth === undefined;
  const stream = plainWidth ?? width;
  return {
    model_type: 'lfm2',
    architectures: ['Lfm2ForCausalLM'],
    vocab_size: rows,
    hidden_size: stream,
    head_dim: width / heads,
    num_hidden_layers: pattern.length,
    layer_types: layers,
    num_attention_heads: heads,
    num_key_value_heads: heads,
    max_position_embeddings: context,
    initializer_range: 0.02,
    norm_eps: LFM2_NORM_EPSILON,
    conv_bias: false,
    conv_L_cache: taps,
    // Else the width of the gated unit would be made of another.
    block_auto_adjust_ff_dim: false,
    intermediate_size: mlp,
    // Releases from 5.0 on read the second form.
    rope_theta: rotaryBase,
    rope_parameters: { rope_type: 'default', rope_theta: rotaryBase },
    tie_word_embeddings: headTied,
    // What the first releases call the same.
    ...{ block_dim: stream, conv_dim: stream, block_ff_dim: mlp, theta: rotaryBase, tie_embedding: headTied },
    full_attn_idxs: layers.flatMap((type, layer) => (type === 'full_attention' ? [layer] : [])),
    torch_dtype: 'float32',
  };
}

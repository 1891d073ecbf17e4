import type { SettingsOf } from '../../config/model-schema.ts';
import { modernTokenEmbedding } from '../../models/modern.ts';
import { RMS_NORM_EPSILON } from '../../models/qwen3.ts';
import { countsOf, firstDifference, otherModel, labModel, type FolderForm } from '../folder.ts';
import { fittedModern, MODERN_COUNTS } from './modern-form.ts';
import { fromPlain, isPlain, writePlain, type PlainSizes } from '../plain/plain-folder.ts';
import { shiftedQwen3Readme } from '../records/shifted-qwen3-readme.ts';

/**
 * Qwen3ForCausalLM; names and layouts are its own already, and a model with slots becomes a plain one. With a shift it is no
 * model of Hugging Face's: weights as they are, and a README computes it.
 */
export const qwen3Form: FolderForm<SettingsOf<'qwen3'>> = {
  write(model, parameters, slots) {
    if (model.shift === 0) return writePlain(model, parameters, slots, huggingConfig);
    const readme = shiftedQwen3Readme({ slots: slots !== null, tied: model.tied });
    return { hugging: null, tensors: parameters, readme };
  },

  read(c, tensors, own, file) {
    const settings = own?.config.model;
    if (settings && settings.shift > 0) return labModel('qwen3', modernTokenEmbedding, tensors, own, file);
    const slots = settings?.slots ? own!.slots : null;
    if (isPlain(own, c.hidden_size)) return fromPlain(own, huggingConfig, c, tensors, file);
    const rope = (c.rope_parameters ?? {}) as Record<string, unknown>;
    const counts = countsOf(c, MODERN_COUNTS);
    if (!counts.ok) return counts;
    const { num_hidden_layers: layers, hidden_size: width, num_attention_heads: heads } = counts.value;
    const { intermediate_size: mlp, max_position_embeddings: context } = counts.value;
    const windowed = c.use_sliding_window === true && c.sliding_window !== null;
    const layerTypes = new Set(Array.isArray(c.layer_types) ? c.layer_types : []);
    const rotaryBase = Number(c.rope_theta ?? rope.rope_theta ?? 10_000);
    const different = firstDifference([
      // Releases differ in which of the two they read.
      ['rope_parameters.rope_theta', rope.rope_theta ?? rotaryBase, rotaryBase],
      ['hidden_act', c.hidden_act ?? 'silu', 'silu'],
      ['rms_norm_eps', c.rms_norm_eps ?? RMS_NORM_EPSILON, RMS_NORM_EPSILON],
      ['attention_bias', c.attention_bias ?? false, false],
      ['num_key_value_heads', c.num_key_value_heads ?? heads, heads],
      ['head_dim', c.head_dim ?? 128, width / heads],
      ['rope_scaling', c.rope_scaling ?? null, null],
      ['rope_type', rope.rope_type ?? 'default', 'default'],
      ['max_window_layers', windowed ? (c.max_window_layers ?? 28) : 0, 0],
      ['layer_types', layerTypes.size > 1 ? c.layer_types : null, null],
    ]);
    if (different) return otherModel(different);
    if ((width / heads) % 2 !== 0) return otherModel(`head_dim ${width / heads} is not an even number`);
    if (!(rotaryBase > 0)) return otherModel('rope_theta is not a number above 0');
    const window = windowed ? Number(c.sliding_window) : null;
    if (window !== null && !(Number.isSafeInteger(window) && window > 0))
      return otherModel('sliding_window is not a count');
    const headTied = c.tie_word_embeddings === true;
    const tied = settings && slots ? settings.tied : headTied;
    const sizes = { kind: 'qwen3', layers, width, heads, mlp, context, window, rotaryBase, tied, shift: 0 } as const;
    return fittedModern((vocabulary) => ({ ...sizes, vocabulary, slots }), tensors, headTied, file);
  },
};

/** What config.json says, but for the ids of special tokens. */
function huggingConfig(model: SettingsOf<'qwen3'>, { rows, width: plainWidth }: PlainSizes) {
  const { layers, width, heads, mlp, context, window, rotaryBase, tied } = model;
  return {
    model_type: 'qwen3',
    architectures: ['Qwen3ForCausalLM'],
    vocab_size: rows,
    hidden_size: plainWidth ?? width,
    intermediate_size: mlp,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: heads,
    head_dim: width / heads,
    hidden_act: 'silu',
    max_position_embeddings: context,
    initializer_range: 0.02,
    rms_norm_eps: RMS_NORM_EPSILON,
    // Releases from 5.0 on read the second form.
    rope_theta: rotaryBase,
    rope_parameters: { rope_type: 'default', rope_theta: rotaryBase },
    attention_bias: false,
    attention_dropout: 0,
    use_sliding_window: window !== null,
    sliding_window: window,
    // Layers from this one on have the window.
    max_window_layers: window === null ? layers : 0,
    tie_word_embeddings: tied && plainWidth === undefined,
    torch_dtype: 'float32',
  };
}

import { ok, type Result } from '../../base/result.ts';
import type { SettingsOf } from '../../config/model-schema.ts';
import { tokenEmbedding, type GptConfig } from '../../models/gpt.ts';
import { countsOf, embeddingOf, firstDifference, fitted, otherModel, type FolderForm } from '../folder.ts';
import { fromPlain, isPlain, writePlain, type PlainSizes } from '../plain/plain-folder.ts';

const PREFIX = 'transformer.';

/**
 * GPT2LMHeadModel; names and layouts are its own already, and a model with slots becomes a plain one. It has no window;
 * the folder's README says so.
 */
export const gpt2Form: FolderForm<SettingsOf<'gpt2'>> = {
  write: (model, parameters, slots) => ({
    ...writePlain(model, parameters, slots, huggingConfig),
    readme: model.window === null ? '' : windowSection(model.window),
  }),

  read(hugging, tensors, own, file) {
    if (isPlain(own, hugging.n_embd)) return fromPlain(own, huggingConfig, hugging, tensors, file);
    const shape = shapeOf(hugging);
    if (!shape.ok) return shape;
    const { tied } = shape.value;
    const embedding = embeddingOf(tensors, tokenEmbedding, PREFIX, { tied, title: 'GPT-2', file });
    if (!embedding.ok) return embedding;
    const [vocabulary] = embedding.value.shape;
    const { window = null, start = 'gpt2' } = own?.config.model ?? {};
    return fitted({ ...shape.value, vocabulary, window, slots: null, start }, tensors, PREFIX, file);
  },
};

/** What config.json says, but for the ids of special tokens. */
function huggingConfig(model: SettingsOf<'gpt2'>, { rows, width: plainWidth }: PlainSizes) {
  const { layers, width, heads, context, dropout, tied } = model;
  return {
    model_type: 'gpt2',
    architectures: ['GPT2LMHeadModel'],
    vocab_size: rows,
    n_positions: context,
    n_ctx: context,
    n_embd: plainWidth ?? width,
    n_layer: layers,
    n_head: heads,
    n_inner: plainWidth === undefined ? null : 4 * width,
    activation_function: 'gelu_new',
    layer_norm_epsilon: 1e-5,
    initializer_range: 0.02,
    resid_pdrop: dropout,
    embd_pdrop: dropout,
    attn_pdrop: dropout,
    scale_attn_weights: true,
    tie_word_embeddings: tied && plainWidth === undefined,
    torch_dtype: 'float32',
  };
}

/** The sizes in a config.json, or the first thing about it that this project's GPT-2 does differently. */
function shapeOf(
  c: Record<string, unknown>,
): Result<Pick<GptConfig, 'kind' | 'layers' | 'width' | 'heads' | 'context' | 'dropout'> & { tied: boolean }> {
  const different = firstDifference([
    ['activation_function', c.activation_function ?? 'gelu_new', 'gelu_new'],
    ['layer_norm_epsilon', c.layer_norm_epsilon ?? 1e-5, 1e-5],
    ['scale_attn_weights', c.scale_attn_weights ?? true, true],
    ['scale_attn_by_inverse_layer_idx', c.scale_attn_by_inverse_layer_idx ?? false, false],
    ['add_cross_attention', c.add_cross_attention ?? false, false],
    ['n_inner', c.n_inner === 4 * Number(c.n_embd) ? null : (c.n_inner ?? null), null],
  ]);
  if (different) return otherModel(different);
  const counts = countsOf(c, { n_layer: 1000, n_embd: 1e6, n_head: 1e6, n_positions: 1e6 });
  if (!counts.ok) return counts;
  const { n_layer: layers, n_embd: width, n_head: heads, n_positions: context } = counts.value;
  if (width % heads !== 0) return otherModel(`n_embd ${width} is not a multiple of n_head ${heads}`);
  const dropout = typeof c.resid_pdrop === 'number' ? c.resid_pdrop : 0;
  return ok({ kind: 'gpt2', layers, width, heads, context, dropout, tied: c.tie_word_embeddings !== false });
}

const windowSection = (window: number): string => `
## Window

In training each token saw itself and the ${window - 1} before it. GPT2LMHeadModel has no such window: on sequences longer than ${window} tokens its logits are others, unless the attention mask is given in four dimensions.
`;

import { fail, ok, type Result } from '../../base/result.ts';
import { tokenEmbedding, type GptConfig } from '../../models/gpt.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { countsOf, embeddingOf, firstDifference, fitted, otherModel, untiedHead, type FolderForm } from '../folder.ts';
import { fromPlain, isPlain, plainModel } from '../plain/plain-folder.ts';

const PREFIX = 'transformer.';

/**
 * GPT2LMHeadModel; names and layouts are its own already, and a model with slots becomes a plain one. It has no window;
 * the folder's README says so.
 */
export const gpt2Form: FolderForm = {
  write(config, parameters, slots) {
    if (config.model.kind !== 'gpt2') throw new Error('gpt2Form writes GPT-2');
    const { window } = config.model;
    const readme = window === null ? '' : windowSection(window);
    const rows = parameters.get(tokenEmbedding)!.shape[0];
    if (!slots) return { hugging: huggingConfig(config, { rows }), tensors: parameters, readme };
    const plain = plainModel(config, parameters, slots);
    return {
      ...{ hugging: huggingConfig(config, plain), tensors: plain.parameters, readings: plain.readings, readme },
    };
  },

  read(hugging, tensors, own, file) {
    if (isPlain(own, (hugging as Record<string, unknown>).n_embd))
      return fromPlain(own, huggingConfig, hugging, tensors, file);
    const shape = shapeOf(hugging);
    if (!shape.ok) return shape;
    const embedding = embeddingOf(tensors, tokenEmbedding, PREFIX);
    if (!embedding)
      return fail('weights-differ', `${file} holds no token embedding (${tokenEmbedding}): it is no GPT-2.`, {
        file,
      });
    const { tied } = shape.value;
    const untied = tied ? untiedHead(tensors, embedding.data, file) : null;
    if (untied) return untied;
    const settings = own?.config.model.kind === 'gpt2' ? own.config.model : null;
    const { window = null, start = 'gpt2' } = settings ?? {};
    const model: GptConfig = { ...shape.value, vocabulary: embedding.shape[0], window, slots: null, start };
    return fitted(model, tensors, PREFIX, file);
  },
};

/** What config.json says, but for the ids of special tokens; `width` where the model is a plain one of one with slots. */
function huggingConfig(config: RunConfig, { rows, width: plainWidth }: { rows: number; width?: number }) {
  if (config.model.kind !== 'gpt2') throw new Error('this is for GPT-2');
  const { layers, width, heads, context, dropout, tied } = config.model;
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
  config: unknown,
): Result<Pick<GptConfig, 'kind' | 'layers' | 'width' | 'heads' | 'context' | 'dropout'> & { tied: boolean }> {
  const c = config as Record<string, unknown>;
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
  if (!counts.ok) return otherModel(`${counts.field} is missing or not a count that a model can have`);
  const { n_layer: layers, n_embd: width, n_head: heads, n_positions: context } = counts.value;
  if (width % heads !== 0) return otherModel(`n_embd ${width} is not a multiple of n_head ${heads}`);
  const dropout = typeof c.resid_pdrop === 'number' ? c.resid_pdrop : 0;
  return ok({ kind: 'gpt2', layers, width, heads, context, dropout, tied: c.tie_word_embeddings !== false });
}

const windowSection = (window: number): string => `
## Window

In training each token saw itself and the ${window - 1} before it. GPT2LMHeadModel has no such window: on sequences longer than ${window} tokens its logits are others, unless the attention mask is given in four dimensions.
`;

import { fail, ok, type Result } from '../base/result.ts';
import { lmHead, slotEmbedding, tokenEmbedding, type GptConfig } from '../models/gpt.ts';
import type { NamedArrays } from '../models/parameters.ts';
import {
  countsOf,
  embeddingOf,
  firstDifference,
  fitted,
  otherModel,
  special,
  untiedHead,
  type FolderForm,
} from './folder.ts';

const PREFIX = 'transformer.';

/**
 * GPT2LMHeadModel. It has no slot embedding by that name, but adds a second row of its token embedding for each of
 * `token_type_ids`: so the slots' rows follow the vocabulary's, and an untied head gets rows of zeros for them, which
 * nobody asks. It has no window; the folder's README says so.
 */
export const gpt2Form: FolderForm = {
  write(config, parameters, slots) {
    if (config.model.kind !== 'gpt2') throw new Error('gpt2Form writes GPT-2');
    const { layers, width, heads, context, dropout, tied } = config.model;
    const tensors = mergedSlots(parameters);
    const vocabulary = parameters.get(tokenEmbedding)!.shape[0];
    const rows = tensors.get(tokenEmbedding)!.shape[0];
    const hugging = {
      model_type: 'gpt2',
      architectures: ['GPT2LMHeadModel'],
      vocab_size: rows,
      n_positions: context,
      n_ctx: context,
      n_embd: width,
      n_layer: layers,
      n_head: heads,
      n_inner: null,
      activation_function: 'gelu_new',
      layer_norm_epsilon: 1e-5,
      initializer_range: 0.02,
      resid_pdrop: dropout,
      embd_pdrop: dropout,
      attn_pdrop: dropout,
      scale_attn_weights: true,
      tie_word_embeddings: tied,
      torch_dtype: 'float32',
      ...special,
    };
    const suppressed = Array.from({ length: rows - vocabulary }, (_, slot) => vocabulary + slot);
    return {
      hugging,
      generation: slots ? { ...special, suppress_tokens: suppressed } : undefined,
      tensors,
      readme: readmeOf(vocabulary, slots !== null, config.model.window),
    };
  },

  read(hugging, tensors, own, file) {
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
    const slots = settings?.slots ? own!.slots : null;
    const vocabulary = embedding.shape[0] - (slots?.count ?? 0);
    const { window = null, start = 'gpt2' } = settings ?? {};
    const model: GptConfig = { ...shape.value, vocabulary, window, slots, start };
    return fitted(model, slots ? splitSlots(tensors, vocabulary, tied) : tensors, PREFIX, file);
  },
};

/** The token embedding with the slots' rows after its own. */
function mergedSlots(parameters: NamedArrays): NamedArrays {
  const slots = parameters.get(slotEmbedding);
  if (!slots) return parameters;
  const tokens = parameters.get(tokenEmbedding)!;
  const data = new Float32Array(tokens.data.length + slots.data.length);
  data.set(tokens.data);
  data.set(slots.data, tokens.data.length);
  const shape = [tokens.shape[0] + slots.shape[0], tokens.shape[1]];
  const merged = new Map(parameters);
  merged.delete(slotEmbedding);
  merged.set(tokenEmbedding, { shape, data });
  const own = parameters.get(lmHead);
  if (!own) return merged;
  const head = new Float32Array(data.length);
  head.set(own.data);
  return merged.set(lmHead, { shape, data: head });
}

function splitSlots(tensors: NamedArrays, vocabulary: number, tied: boolean): NamedArrays {
  const { shape, data } = embeddingOf(tensors, tokenEmbedding, PREFIX)!;
  const split = new Map(tensors);
  split.delete(tokenEmbedding.slice(PREFIX.length));
  const [rows, width] = shape;
  // A tied head written out is the embedding, as has been checked, and is passed over.
  const head = tied ? null : tensors.get(lmHead);
  if (head?.shape[0] === rows)
    split.set(lmHead, { shape: [vocabulary, width], data: head.data.slice(0, vocabulary * width) });
  split.set(tokenEmbedding, { shape: [vocabulary, width], data: data.slice(0, vocabulary * width) });
  return split.set(slotEmbedding, { shape: [rows - vocabulary, width], data: data.slice(vocabulary * width) });
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

function readmeOf(vocabulary: number, slots: boolean, window: number | null): string {
  const parts = [
    'A GPT-2 that Blindfold trained on the moves of games. `GPT2LMHeadModel.from_pretrained` reads this folder. The tokens are those of `record.tokens` in blindfold.json, in the order of their ids; there is no tokenizer.',
  ];
  if (slots)
    parts.push(
      `## Slots

Besides its token, each place has a slot that the spelling alone tells: what kind of token it is and whose move it belongs to. The vector of slot s is row ${vocabulary} + s of the token embedding, so give \`token_type_ids = ${vocabulary} + slot\`; without them the model has never seen such input. Rows from ${vocabulary} on are no tokens: leave their logits out (generation_config.json suppresses them). slots.json is the automaton that tells the slots:

\`\`\`python
import json
import torch
from transformers import GPT2LMHeadModel

grammar = json.load(open("slots.json"))
tokens = json.load(open("blindfold.json"))["record"]["tokens"]

def slots_of(ids):
    state, slots = 0, []
    for token in ids:
        at = state * len(tokens) + token
        slots.append(grammar["slot"][at])
        state = grammar["next"][at]
    return slots

model = GPT2LMHeadModel.from_pretrained(".").eval()
ids = [1]  # a game begins with <s>, which is 1; its moves follow
types = [len(tokens) + slot for slot in slots_of(ids)]
logits = model(torch.tensor([ids]), token_type_ids=torch.tensor([types])).logits[0, -1, : len(tokens)]
\`\`\`

\`generate\` does not know the automaton: ask for one token at a time.`,
    );
  if (window !== null)
    parts.push(
      `## Window

In training each token saw itself and the ${window - 1} before it. GPT2LMHeadModel has no such window: on sequences longer than ${window} tokens its logits are others, unless the attention mask is given in four dimensions.`,
    );
  return `${parts.join('\n\n')}\n`;
}

import { fail } from '../base/result.ts';
import { lmHead } from '../models/gpt.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { qwenSlotEmbedding, qwenTokenEmbedding, RMS_NORM_EPSILON } from '../models/qwen3.ts';
import {
  countsOf,
  embeddingOf,
  firstDifference,
  fitted,
  otherModel,
  ownModel,
  special,
  untiedHead,
  type FolderForm,
} from './folder.ts';
import { shiftedQwen3Readme } from './shifted-qwen3-readme.ts';

const PREFIX = 'model.';

/**
 * Qwen3ForCausalLM; names and layouts are its own already. It has no slot embedding: with slots, each pair of a slot s
 * and a token t becomes token s * vocabulary + t, whose row is the sum of the two vectors. The head, which speaks of the
 * tokens alone, has `vocabulary` rows that are asked: the tokens' vectors where the model's head is tied to them, else
 * the model's own, and then the tokens' vectors lie in the rows behind, since sums do not tell what they are sums of.
 * All other rows are zeros. With a shift it is no model of Hugging Face's: weights as they are, and a README computes it.
 */
export const qwen3Form: FolderForm = {
  write(config, parameters, slots) {
    if (config.model.kind !== 'qwen3') throw new Error('qwen3Form writes Qwen3');
    const { layers, width, heads, mlp, context, window, rotaryBase, tied, shift } = config.model;
    if (shift > 0)
      return {
        ...{ hugging: null, tensors: parameters },
        readme: shiftedQwen3Readme({ slots: slots !== null, tied }),
      };
    const vocabulary = parameters.get(qwenTokenEmbedding)!.shape[0];
    const tensors = slots ? paired(parameters) : parameters;
    const rows = tensors.get(qwenTokenEmbedding)!.shape[0];
    const hugging = {
      model_type: 'qwen3',
      architectures: ['Qwen3ForCausalLM'],
      vocab_size: rows,
      hidden_size: width,
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
      tie_word_embeddings: tied && slots === null,
      torch_dtype: 'float32',
      ...special,
    };
    const suppressed = Array.from({ length: rows - vocabulary }, (_, pair) => vocabulary + pair);
    return {
      hugging,
      generation: slots ? { ...special, suppress_tokens: suppressed } : undefined,
      tensors,
      readme: slots ? README + slotsSection(vocabulary, tied) : README,
    };
  },

  read(hugging, tensors, own, file) {
    const settings = own?.config.model;
    if (settings?.kind === 'qwen3' && settings.shift > 0)
      return ownModel('qwen3', qwenTokenEmbedding, tensors, own, file);
    const slots = settings?.kind === 'qwen3' && settings.slots ? own!.slots : null;
    const c = hugging as Record<string, unknown>;
    const rope = (c.rope_parameters ?? {}) as Record<string, unknown>;
    const counts = countsOf(c, {
      num_hidden_layers: 1000,
      hidden_size: 1e6,
      num_attention_heads: 1e6,
      intermediate_size: 1e7,
      max_position_embeddings: 1e7,
    });
    if (!counts.ok) return otherModel(`${counts.field} is missing or not a count that a model can have`);
    const { num_hidden_layers: layers, hidden_size: width, num_attention_heads: heads } = counts.value;
    const { intermediate_size: mlp, max_position_embeddings: context } = counts.value;
    const windowed = c.use_sliding_window === true && c.sliding_window !== null;
    const layerTypes = new Set(Array.isArray(c.layer_types) ? c.layer_types : []);
    const different = firstDifference([
      ['hidden_act', c.hidden_act ?? 'silu', 'silu'],
      ['rms_norm_eps', c.rms_norm_eps ?? RMS_NORM_EPSILON, RMS_NORM_EPSILON],
      ['attention_bias', c.attention_bias ?? false, false],
      ['tie_word_embeddings', slots !== null && c.tie_word_embeddings === true, false],
      ['num_key_value_heads', c.num_key_value_heads ?? heads, heads],
      ['head_dim', c.head_dim ?? 128, width / heads],
      ['rope_scaling', c.rope_scaling ?? null, null],
      ['rope_type', rope.rope_type ?? 'default', 'default'],
      ['max_window_layers', windowed ? (c.max_window_layers ?? 28) : 0, 0],
      ['layer_types', layerTypes.size > 1 ? c.layer_types : null, null],
    ]);
    if (different) return otherModel(different);
    if ((width / heads) % 2 !== 0) return otherModel(`head_dim ${width / heads} is not an even number`);
    const rotaryBase = Number(c.rope_theta ?? rope.rope_theta ?? 10_000);
    if (!(rotaryBase > 0)) return otherModel('rope_theta is not a number above 0');
    const window = windowed ? Number(c.sliding_window) : null;
    if (window !== null && !(Number.isSafeInteger(window) && window > 0))
      return otherModel('sliding_window is not a count');
    const embedding = embeddingOf(tensors, qwenTokenEmbedding, PREFIX);
    if (!embedding)
      return fail('weights-differ', `${file} holds no token embedding (${qwenTokenEmbedding}): it is no Qwen3.`, {
        file,
      });
    const tied = settings?.kind === 'qwen3' && slots ? settings.tied : c.tie_word_embeddings === true;
    const sizes = { kind: 'qwen3', layers, width, heads, mlp, context, window, rotaryBase, tied, shift: 0 } as const;
    if (slots) {
      const vocabulary = embedding.shape[0] / slots.count;
      const parted = unpaired(tensors, slots.count, tied);
      if (parted) return fitted({ ...sizes, vocabulary, slots }, parted, PREFIX, file);
      return fail('weights-differ', `${file}: the token embedding and lm_head do not hold ${slots.count} slots.`, {
        file,
      });
    }
    const untied = tied ? untiedHead(tensors, embedding.data, file) : null;
    if (untied) return untied;
    return fitted({ ...sizes, vocabulary: embedding.shape[0], slots: null }, tensors, PREFIX, file);
  },
};

/** The tables of tokens and slots as one of their pairs, with a head that speaks of the tokens alone. */
function paired(parameters: NamedArrays): NamedArrays {
  const tokens = parameters.get(qwenTokenEmbedding)!;
  const slots = parameters.get(qwenSlotEmbedding)!;
  const [vocabulary, width] = tokens.shape;
  const shape = [slots.shape[0] * vocabulary, width];
  const embedding = new Float32Array(shape[0] * width);
  for (let i = 0; i < embedding.length; i++) {
    const slot = Math.floor(i / tokens.data.length);
    embedding[i] = tokens.data[i % tokens.data.length] + slots.data[slot * width + (i % width)];
  }
  const head = new Float32Array(embedding.length);
  const own = parameters.get(lmHead);
  head.set((own ?? tokens).data);
  if (own && shape[0] > vocabulary) head.set(tokens.data, own.data.length);
  const pairs = new Map(parameters);
  pairs.delete(qwenSlotEmbedding);
  return pairs.set(qwenTokenEmbedding, { shape, data: embedding }).set(lmHead, { shape, data: head });
}

/**
 * The two tables again, null where the rows do not divide: the tokens' as the head has it, a slot's as the mean of what
 * its rows are above the tokens', which is nearer than the rounding of any one of them; and an untied head.
 */
function unpaired(tensors: NamedArrays, count: number, tied: boolean): NamedArrays | null {
  const pairs = embeddingOf(tensors, qwenTokenEmbedding, PREFIX)!;
  const head = tensors.get(lmHead);
  const [rows, width] = pairs.shape;
  if (!head || head.data.length !== pairs.data.length || rows % count !== 0) return null;
  const size = (rows / count) * width;
  // A single slot leaves no row behind the head's: the sums serve as the tokens' vectors, and the slot's is zero.
  const tokens = tied
    ? head.data.slice(0, size)
    : count > 1
      ? head.data.slice(size, 2 * size)
      : pairs.data.slice(0, size);
  const slots = new Float32Array(count * width);
  for (let slot = 0; slot < count; slot++)
    for (let column = 0; column < width; column++) {
      let sum = 0;
      for (let i = column; i < size; i += width) sum += pairs.data[slot * size + i] - tokens[i];
      slots[slot * width + column] = sum / (rows / count);
    }
  const parted = new Map(tensors);
  parted.delete(lmHead);
  if (!tied) parted.set(lmHead, { shape: [rows / count, width], data: head.data.slice(0, size) });
  parted.delete(qwenTokenEmbedding.slice(PREFIX.length));
  parted.set(qwenTokenEmbedding, { shape: [rows / count, width], data: tokens });
  return parted.set(qwenSlotEmbedding, { shape: [count, width], data: slots });
}

const README = `A Qwen3 that Blindfold trained on the moves of games. \`Qwen3ForCausalLM.from_pretrained\` reads this folder. The tokens are those of \`record.tokens\` in blindfold.json, in the order of their ids; there is no tokenizer.
`;

const slotsSection = (vocabulary: number, tied: boolean) => `
## Slots

Besides its token, each place has a slot that the spelling alone tells: what kind of token it is and whose move it belongs to. A token t in slot s is given as \`${vocabulary} * s + t\`. Only the first ${vocabulary} logits mean anything: they are the tokens' (generation_config.json suppresses the rest${tied ? '' : '; rows of lm_head from there on keep what the sums were made of'}). slots.json is the automaton that tells the slots:

\`\`\`python
import json
import torch
from transformers import Qwen3ForCausalLM

grammar = json.load(open("slots.json"))
tokens = json.load(open("blindfold.json"))["record"]["tokens"]

def pairs_of(ids):
    state, pairs = 0, []
    for token in ids:
        at = state * len(tokens) + token
        pairs.append(len(tokens) * grammar["slot"][at] + token)
        state = grammar["next"][at]
    return pairs

model = Qwen3ForCausalLM.from_pretrained(".").eval()
ids = [1, 2]  # begin with <s>, which is 1
logits = model(torch.tensor([pairs_of(ids)])).logits[0, -1, : len(tokens)]
\`\`\`

\`generate\` does not know the automaton: ask for one token at a time.
`;

import { fail, type Result } from '../base/result.ts';
import type { SlotGrammar } from '../base/slot-grammar.ts';
import { lmHead } from '../models/gpt.ts';
import { modernSlotEmbedding, modernTokenEmbedding } from '../models/modern.ts';
import type { ModelConfig } from '../models/model.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { embeddingOf, fitted, special, untiedHead, type FittedModel } from './folder.ts';

const PREFIX = 'model.';

/** Kinds of the modern family, which Hugging Face has under the same names of tables. */
type Modern = Extract<ModelConfig, { kind: 'qwen3' | 'lfm2' }>;

/**
 * What the folders of the modern family have in common; `kind` as in the name of the class, KINDForCausalLM. None of them
 * has a slot embedding: with slots, each pair of a slot s and a token t becomes token s * vocabulary + t, whose row is
 * the sum of the two vectors. The head, which speaks of the tokens alone, has `vocabulary` rows that are asked: the
 * tokens' vectors where the model's head is tied to them, else the model's own, and then the tokens' vectors lie in the
 * rows behind, since sums do not tell what they are sums of. All other rows are zeros.
 * @returns `rows` of the token embedding beside the parts of the folder
 */
export function modernFolder(
  kind: 'Qwen3' | 'Lfm2',
  parameters: NamedArrays,
  { slots, tied }: { slots: SlotGrammar | null; tied: boolean },
): { tensors: NamedArrays; rows: number; generation: object | undefined; readme: string } {
  const vocabulary = parameters.get(modernTokenEmbedding)!.shape[0];
  const tensors = slots ? paired(parameters) : parameters;
  const rows = tensors.get(modernTokenEmbedding)!.shape[0];
  const suppressed = Array.from({ length: rows - vocabulary }, (_, pair) => vocabulary + pair);
  return {
    tensors,
    rows,
    generation: slots ? { ...special, suppress_tokens: suppressed } : undefined,
    readme: readmeOf(kind) + (slots ? slotsSection(kind, vocabulary, tied) : ''),
  };
}

/** The model of a folder, given its vocabulary, with the tensors as its parameters: pairs of slot and token parted. */
export function fittedModern(
  modelOf: (vocabulary: number) => Modern,
  tensors: NamedArrays,
  file: string,
): Result<FittedModel> {
  const embedding = embeddingOf(tensors, modernTokenEmbedding, PREFIX);
  const differ = (what: string) => fail('weights-differ', `${file}${what}.`, { file });
  const { kind, slots, tied } = modelOf(0);
  if (!embedding) return differ(` holds no token embedding (${modernTokenEmbedding}): it is no ${kind}`);
  const rows = embedding.shape[0];
  if (slots) {
    const parted = unpaired(tensors, slots.count, tied !== false);
    if (parted) return fitted(modelOf(rows / slots.count), parted, PREFIX, file);
    return differ(`: the token embedding and lm_head do not hold ${slots.count} slots`);
  }
  const untied = tied !== false ? untiedHead(tensors, embedding.data, file) : null;
  return untied ?? fitted(modelOf(rows), tensors, PREFIX, file);
}

/** The tables of tokens and slots as one of their pairs, with a head that speaks of the tokens alone. */
function paired(parameters: NamedArrays): NamedArrays {
  const tokens = parameters.get(modernTokenEmbedding)!;
  const slots = parameters.get(modernSlotEmbedding)!;
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
  pairs.delete(modernSlotEmbedding);
  return pairs.set(modernTokenEmbedding, { shape, data: embedding }).set(lmHead, { shape, data: head });
}

/**
 * The two tables again, null where the rows do not divide: the tokens' as the head has it, a slot's as the mean of what
 * its rows are above the tokens', which is nearer than the rounding of any one of them; and an untied head.
 */
function unpaired(tensors: NamedArrays, count: number, tied: boolean): NamedArrays | null {
  const pairs = embeddingOf(tensors, modernTokenEmbedding, PREFIX)!;
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
  parted.delete(modernTokenEmbedding.slice(PREFIX.length));
  parted.set(modernTokenEmbedding, { shape: [rows / count, width], data: tokens });
  return parted.set(modernSlotEmbedding, { shape: [count, width], data: slots });
}

const readmeOf = (kind: 'Qwen3' | 'Lfm2') =>
  `${kind === 'Qwen3' ? 'A Qwen3' : 'An LFM2'} that Blindfold trained on the moves of games. \`${kind}ForCausalLM.from_pretrained\` reads this folder${kind === 'Lfm2' ? ', with transformers 4.54 or later' : ''}. The tokens are those of \`record.tokens\` in blindfold.json, in the order of their ids; there is no tokenizer.
`;

const slotsSection = (kind: string, vocabulary: number, tied: boolean) => `
## Slots

Besides its token, each place has a slot that the spelling alone tells: what kind of token it is and whose move it belongs to. A token t in slot s is given as \`${vocabulary} * s + t\`. Only the first ${vocabulary} logits mean anything: they are the tokens' (generation_config.json suppresses the rest${tied ? '' : '; rows of lm_head from there on keep what the sums were made of'}). slots.json is the automaton that tells the slots:

\`\`\`python
import json
import torch
from transformers import ${kind}ForCausalLM

grammar = json.load(open("slots.json"))
tokens = json.load(open("blindfold.json"))["record"]["tokens"]

def pairs_of(ids):
    state, pairs = 0, []
    for token in ids:
        at = state * len(tokens) + token
        pairs.append(len(tokens) * grammar["slot"][at] + token)
        state = grammar["next"][at]
    return pairs

model = ${kind}ForCausalLM.from_pretrained(".").eval()
ids = [1]  # a game begins with <s>, which is 1; its moves follow
logits = model(torch.tensor([pairs_of(ids)])).logits[0, -1, : len(tokens)]
\`\`\`

\`generate\` does not know the automaton: ask for one token at a time.
`;

import { fail, ok, type Result } from '../base/result.ts';
import type { SlotGrammar } from '../base/slot-grammar.ts';
import { lmHead } from '../models/gpt.ts';
import { modernSlotEmbedding, modernTokenEmbedding } from '../models/modern.ts';
import type { ModelConfig } from '../models/model.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { embeddingOf, fitted, special, untiedHead, type FittedModel } from './folder.ts';
import { pairParameters, pairRows, pairsOf, partedTables, type SlotPairs } from './slot-pairs.ts';

const PREFIX = 'model.';

/** Kinds of the modern family, which Hugging Face has under the same names of tables. */
type Modern = Extract<ModelConfig, { kind: 'qwen3' | 'lfm2' }>;

/**
 * What the folders of the modern family have in common; `kind` as in the name of the class, KINDForCausalLM. None of them
 * has a slot embedding: with slots, the token embedding has the rows of the head, one for each token, and behind them one
 * for each pair of a slot and a token that the grammar can give. The pairs are what the model is given, so nothing but
 * the rows that a reader of the weights finds is computed with, here as there; the head, tied to all rows, is asked for
 * the tokens' logits alone.
 * @returns `rows` of the token embedding, and `begin`, the one that a game begins with, beside the parts of the folder
 */
export function modernFolder(
  kind: 'Qwen3' | 'Lfm2',
  parameters: NamedArrays,
  grammar: SlotGrammar | null,
): {
  tensors: NamedArrays;
  rows: number;
  tokens: Record<keyof typeof special, number>;
  generation?: object;
  grammar?: object;
  readme: string;
} {
  const [vocabulary, width] = parameters.get(modernTokenEmbedding)!.shape;
  if (!grammar) return { tensors: parameters, rows: vocabulary, tokens: special, readme: readmeOf(kind) };
  const pairs = pairsOf(grammar);
  const rows = vocabulary + pairs.tokens.length;
  const data = new Float32Array(rows * width);
  data.set((parameters.get(lmHead) ?? parameters.get(modernTokenEmbedding)!).data);
  data.set(pairRows(parameters, pairs), vocabulary * width);
  const tensors = new Map(parameters);
  for (const name of [modernSlotEmbedding, lmHead]) tensors.delete(name);
  tensors.set(modernTokenEmbedding, { shape: [rows, width], data });
  const pair = pairs.grammar.slot.map((number) => vocabulary + number);
  const tokens = { ...special, bos_token_id: pair[special.bos_token_id] };
  return {
    ...{ tensors, rows, tokens, grammar: { ...grammar, pair } },
    generation: { ...tokens, suppress_tokens: pairs.tokens.map((_, number) => vocabulary + number) },
    readme: readmeOf(kind) + slotsSection(kind, vocabulary),
  };
}

/**
 * The model of a folder, given its vocabulary, with the tensors as its parameters. One with slots computes with the rows
 * of the pairs as they are stored.
 * @param headTied whether config.json says that the token embedding is the head's matrix
 */
export function fittedModern(
  modelOf: (vocabulary: number) => Modern,
  tensors: NamedArrays,
  headTied: boolean,
  file: string,
): Result<FittedModel> {
  const embedding = embeddingOf(tensors, modernTokenEmbedding, PREFIX);
  const { kind, slots } = modelOf(0);
  if (!embedding)
    return fail('weights-differ', `${file} holds no token embedding (${modernTokenEmbedding}): it is no ${kind}.`, {
      file,
    });
  const untied = headTied ? untiedHead(tensors, embedding.data, file) : null;
  if (untied) return untied;
  if (!slots) return fitted(modelOf(embedding.shape[0]), tensors, PREFIX, file);

  const vocabulary = slots.slot.length / slots.states;
  const pairs = pairsOf(slots);
  const stored = headTied ? besideHead(embedding, vocabulary, pairs) : apart(tensors, embedding, slots, pairs);
  if (stored === null)
    return fail(
      'weights-differ',
      `${file}: the token embedding and lm_head do not hold the pairs of ${vocabulary} tokens and ${slots.count} slots.`,
      { file },
    );
  const width = embedding.shape[1];
  const parameters = pairParameters(tensors, stored.rows, stored.head, width);
  const asked: Modern = { ...modelOf(vocabulary), slots: pairs.grammar, tied: false };
  const model = fitted(asked, parameters, PREFIX, file);
  if (!model.ok) return model;
  const learning = modelOf(vocabulary);
  const tables = partedTables(model.value.parameters, slots, pairs, learning.tied !== false);
  const learnable = fitted(learning, tables, PREFIX, file);
  return learnable.ok ? ok({ ...model.value, learnable: learnable.value }) : learnable;
}

type Table = NonNullable<ReturnType<NamedArrays['get']>>;

interface StoredRows {
  rows: Float32Array;
  head: Float32Array;
}

/** The head's rows and the pairs' behind them, as `modernFolder` writes them. */
function besideHead({ shape, data }: Table, vocabulary: number, { tokens }: SlotPairs): StoredRows | null {
  if (shape[0] !== vocabulary + tokens.length) return null;
  const size = vocabulary * shape[1];
  return { head: data.slice(0, size), rows: data.slice(size) };
}

/**
 * As folders had them before: a row for each product of a slot s and a token t, at s * vocabulary + t, and a matrix of
 * the head of that size, whose first rows are the tokens'.
 */
function apart(
  tensors: NamedArrays,
  { shape, data }: Table,
  grammar: SlotGrammar,
  { slots, tokens }: SlotPairs,
): StoredRows | null {
  const vocabulary = grammar.slot.length / grammar.states;
  const head = tensors.get(lmHead);
  const [all, width] = shape;
  if (all !== grammar.count * vocabulary || head?.data.length !== data.length) return null;
  const rows = new Float32Array(tokens.length * width);
  for (const [pair, token] of tokens.entries()) {
    const at = (slots[pair] * vocabulary + token) * width;
    rows.set(data.subarray(at, at + width), pair * width);
  }
  return { rows, head: head.data.slice(0, vocabulary * width) };
}

const readmeOf = (kind: 'Qwen3' | 'Lfm2') =>
  `${kind === 'Qwen3' ? 'A Qwen3' : 'An LFM2'} that Blindfold trained on the moves of games. \`${kind}ForCausalLM.from_pretrained\` reads this folder${kind === 'Lfm2' ? ', with transformers 4.54 or later' : ''}. The tokens are those of \`record.tokens\` in blindfold.json, in the order of their ids; there is no tokenizer.
`;

const slotsSection = (kind: string, vocabulary: number) => `
## Slots

Besides its token, each place has a slot that the spelling alone tells: what kind of token it is and whose move it belongs to. The model is given the pair of the two: each pair that can occur is a row of the token embedding, from row ${vocabulary} on. The rows before are the tokens' in the head, so only the first ${vocabulary} logits mean anything (generation_config.json suppresses the rest). slots.json is the automaton that tells the pairs:

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
        pairs.append(grammar["pair"][at])
        state = grammar["next"][at]
    return pairs

model = ${kind}ForCausalLM.from_pretrained(".").eval()
ids = [1]  # a game begins with <s>, which is 1; its moves follow
logits = model(torch.tensor([pairs_of(ids)])).logits[0, -1, : len(tokens)]
\`\`\`

\`generate\` does not know the automaton: ask for one token at a time.
`;

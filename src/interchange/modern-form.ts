import { fail, ok, type Result } from '../base/result.ts';
import type { SlotGrammar } from '../base/slot-grammar.ts';
import { lmHead } from '../models/gpt.ts';
import { modernTokenEmbedding } from '../models/modern.ts';
import type { ModelConfig } from '../models/model.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { embeddingOf, fitted, untiedHead, type FittedModel } from './folder.ts';
import { pairParameters, pairsOf, partedTables, type SlotPairs } from './slot-pairs.ts';

const PREFIX = 'model.';

/** Kinds of the modern family, which Hugging Face has under the same names of tables. */
type Modern = Extract<ModelConfig, { kind: 'qwen3' | 'lfm2' }>;

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

/** As folders had them before: the head's rows and the pairs' behind them. */
function besideHead({ shape, data }: Table, vocabulary: number, { tokens }: SlotPairs): StoredRows | null {
  if (shape[0] !== vocabulary + tokens.length) return null;
  const size = vocabulary * shape[1];
  return { head: data.slice(0, size), rows: data.slice(size) };
}

/**
 * As folders had them before that: a row for each product of a slot s and a token t, at s * vocabulary + t, and a matrix of
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

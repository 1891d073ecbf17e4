import { ok, type Result } from '../../base/result.ts';
import type { SlotGrammar } from '../../base/slot-grammar.ts';
import { lmHead, slotEmbedding, tokenEmbedding } from '../../models/gpt.ts';
import { modernSlotEmbedding, modernTokenEmbedding } from '../../models/modern.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { fitted, type FittedModel } from '../folder.ts';
import type { PlainKind } from '../plain/stretch.ts';

/** The pairs of a slot and a token that a grammar can give, in the order of the slots, then of the tokens. */
export interface SlotPairs {
  /** [pairs] */
  slots: readonly number[];
  /** [pairs] */
  tokens: readonly number[];
  /** The grammar again with a slot of its own for each pair. */
  grammar: SlotGrammar;
}

/** Alternations of `partedTables`; where the tables are not told by one round they converge geometrically. */
const ROUNDS = 60;

/** The tables of tokens and of slots by the kind of model. */
export function tablesOf(kind: PlainKind['kind']): { tokens: string; slots: string } {
  return kind === 'gpt2'
    ? { tokens: tokenEmbedding, slots: slotEmbedding }
    : { tokens: modernTokenEmbedding, slots: modernSlotEmbedding };
}

export function pairsOf(grammar: SlotGrammar): SlotPairs {
  const vocabulary = grammar.slot.length / grammar.states;
  const codes = grammar.slot.map((slot, at) => slot * vocabulary + (at % vocabulary));
  const pairs = [...new Set(codes)].sort((a, b) => a - b);
  const numbers = new Map(pairs.map((code, pair) => [code, pair]));
  return {
    slots: pairs.map((code) => Math.floor(code / vocabulary)),
    tokens: pairs.map((code) => code % vocabulary),
    grammar: { ...grammar, count: pairs.length, slot: codes.map((code) => numbers.get(code)!) },
  };
}

/**
 * A model with slots from rows of the pairs [pairs, width] and of the head [vocabulary, width]. It is asked as one that adds
 * nothing: the rows of its pairs are its slots' vectors, the tokens' are zeros and the head is its own. So an engine
 * computes with the very rows that are stored, which need be no sums.
 */
export function fittedPairs(
  model: PlainKind,
  tensors: NamedArrays,
  { rows, head, pairs, width }: { rows: Float32Array; head: Float32Array; pairs: SlotPairs; width: number },
  prefix: string,
  file: string,
): Result<FittedModel> {
  const names = tablesOf(model.kind);
  const parameters = new Map(tensors);
  parameters.delete(names.tokens.replace(/^[^.]*\./, ''));
  const table = (data: Float32Array) => ({ shape: [data.length / width, width], data });
  parameters.set(names.tokens, table(new Float32Array(head.length)));
  parameters.set(names.slots, table(rows)).set(lmHead, table(head));
  const asked = fitted({ ...model, slots: pairs.grammar, tied: false }, parameters, prefix, file);
  if (!asked.ok) return asked;
  const learnable = fitted(model, partedTables(asked.value.parameters, model, pairs), prefix, file);
  return learnable.ok ? ok({ ...asked.value, learnable: learnable.value }) : learnable;
}

/**
 * The parameters with a table of the tokens and one of the slots, which a model needs that goes on learning: those whose
 * sums are nearest to the pairs. A tied head is the tokens' table.
 */
function partedTables(parameters: NamedArrays, model: PlainKind, pairs: SlotPairs): NamedArrays {
  const names = tablesOf(model.kind);
  const tied = model.tied !== false;
  const { count } = model.slots!;
  const { data: rows } = parameters.get(names.slots)!;
  const { shape, data: head } = parameters.get(lmHead)!;
  const width = shape[1];
  const tokens = tied ? head.slice() : new Float32Array(head.length);
  const slots = new Float32Array(count * width);
  for (let round = 0; round < (tied ? 1 : ROUNDS); round++) {
    if (!tied) fitTable(tokens, pairs.tokens, slots, pairs.slots, rows, width);
    fitTable(slots, pairs.slots, tokens, pairs.tokens, rows, width);
  }
  const parted = new Map(parameters);
  if (tied) parted.delete(lmHead);
  return parted.set(names.tokens, { shape, data: tokens }).set(names.slots, { shape: [count, width], data: slots });
}

/** Each row of `table` becomes the mean of what the pairs that it is in have above the rows of the `other` table. */
function fitTable(
  table: Float32Array,
  places: readonly number[],
  other: Float32Array,
  others: readonly number[],
  rows: Float32Array,
  width: number,
): void {
  const sums = new Float64Array(table.length);
  const counts = new Int32Array(table.length / width);
  for (const [pair, place] of places.entries()) {
    counts[place]++;
    for (let column = 0; column < width; column++)
      sums[place * width + column] += rows[pair * width + column] - other[others[pair] * width + column];
  }
  for (let i = 0; i < table.length; i++) table[i] = sums[i] / Math.max(1, counts[Math.floor(i / width)]);
}

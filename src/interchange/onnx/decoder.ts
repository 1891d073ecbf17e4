import { lmHead } from '../../models/gpt.ts';
import type { GraphBuilder } from './graph-builder.ts';

/**
 * What the graphs of transformers share, with the inputs and outputs that optimum and transformers.js give a decoder with
 * a cache: input_ids, attention_mask and position_ids; past_key_values.LAYER.key and .value; logits; present.LAYER.key and
 * .value.
 */
export interface Decoder {
  ids: string;
  positions: string;
  /** [batch, tokens, 1]: 0 where a row is padded, 1 elsewhere. */
  present(): string;
  /** Attention of one layer to itself and the rows before: [batch, tokens, width] of queries, keys and values by head. */
  attend(layer: number, query: string, key: string, value: string): string;
}

export interface DecoderShape {
  heads: number;
  headWidth: number;
  /** What transformers.js takes for the width of a head of an empty cache, where config.json says none. */
  cacheWidth: number;
  window: number | null;
}

const BATCH = 'batch_size';
const TOKENS = 'sequence_length';
/** What is added to the score of what may not be seen; an infinity would make rows of padding NaN. */
const HIDDEN = -1e30;

export function decoder(b: GraphBuilder, shape: DecoderShape): Decoder {
  const { heads, headWidth, cacheWidth, window } = shape;
  const ids = b.input('input_ids', 'int64', [BATCH, TOKENS]);
  const mask = b.input('attention_mask', 'int64', [BATCH, 'total_sequence_length']);
  const positions = b.input('position_ids', 'int64', [BATCH, TOKENS]);
  const side = (x: string) => b.op('Gather', [b.op('Shape', [x]), b.ints(1)]);
  const [tokens, total] = [side(ids), side(mask)];
  const before = b.op('Sub', [total, tokens]);
  let hidden: string | null = null;

  /** [batch, 1, tokens, total] to add to scores: nothing where a row may look, much below zero elsewhere. */
  function hiding(): string {
    const queries = b.unsqueeze(b.op('Range', [before, total, b.ints(1)]), [1]);
    const keys = b.unsqueeze(b.op('Range', [b.ints(0), total, b.ints(1)]), [0]);
    let seen = b.op('LessOrEqual', [keys, queries]);
    if (window !== null) seen = b.op('And', [seen, b.op('Greater', [keys, b.op('Sub', [queries, b.ints(window)])])]);
    const there = b.unsqueeze(b.op('Cast', [mask], { to: 9 }), [1, 2]);
    return b.op('Where', [b.op('And', [seen, there]), b.number(0), b.number(HIDDEN)]);
  }

  /** What the cache has of a layer with the new rows behind. An empty cache may have another width than a head. */
  function extended(name: string, now: string): string {
    const size = ['past_sequence_length', headWidth === cacheWidth ? headWidth : 'cache_width'];
    const past = b.input(`past_key_values.${name}`, 'float', [BATCH, heads, ...size]);
    const rows = b.op('Slice', [b.op('Shape', [past]), b.ints([0]), b.ints([3]), b.ints([0])]);
    const fitted =
      headWidth === cacheWidth
        ? past
        : b.op('Reshape', [past, b.op('Concat', [rows, b.ints([headWidth])], { axis: 0 })], { allowzero: 1 });
    b.output(`present.${name}`, 'float', [BATCH, heads, 'total_sequence_length', headWidth]);
    return b.op('Concat', [fitted, now], { axis: 2 }, `present.${name}`);
  }

  return {
    ...{ ids, positions },
    present() {
      const rows = b.op('Slice', [mask, b.unsqueeze(before, [0]), b.unsqueeze(total, [0]), b.ints([1])]);
      return b.unsqueeze(b.op('Cast', [rows], { to: 1 }), [2]);
    },
    attend(layer, query, key, value) {
      hidden ??= hiding();
      const keys = b.transpose(extended(`${layer}.key`, key), [0, 1, 3, 2]);
      const values = extended(`${layer}.value`, value);
      const scaled = b.multiply(query, b.number(1 / Math.sqrt(headWidth)));
      const shares = b.op('Softmax', [b.add(b.op('MatMul', [scaled, keys]), hidden)], { axis: -1 });
      return b.reshape(b.transpose(b.op('MatMul', [shares, values]), [0, 2, 1, 3]), [0, 0, heads * headWidth]);
    },
  };
}

/** [batch, tokens, heads * width] as [batch, heads, tokens, width]. */
export function byHead(b: GraphBuilder, x: string, heads: number, width: number): string {
  return b.transpose(b.reshape(x, [0, 0, heads, width]), [0, 2, 1, 3]);
}

/** The logits [batch, tokens, vocabulary]; a head that there is no matrix for is tied to the embedding. */
export function logitsOf(b: GraphBuilder, x: string, embedding: string): void {
  const head = b.parameters.has(lmHead) ? lmHead : embedding;
  // It keeps all its bits: a plain model's head has entries of -1000 beside the others.
  const logits = b.op('MatMul', [x, b.transpose(b.parameter(head), [1, 0])]);
  b.op('Identity', [logits], {}, 'logits');
  b.output('logits', 'float', [BATCH, TOKENS, b.parameters.get(head)!.shape[0]]);
}

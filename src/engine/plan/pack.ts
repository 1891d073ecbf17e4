import { slotsOf, type SlotGrammar } from '../../base/slot-grammar.ts';
import type { Batch } from '../engine.ts';

/**
 * Rows of tokens end to end: what a plan runs on. In training rows start at 0 and nothing has a history. In inference a run
 * may go on from earlier rows of the same buffers: rows [firstRow, firstRow + count) are computed, and a segment sees
 * the history rows before its own. Arrays are indexed by row - firstRow.
 */
export interface PackedBatch {
  firstRow: number;
  /** N */
  count: number;
  /** [N] each */
  tokens: Int32Array;
  /** Place in its sequence. */
  positions: Int32Array;
  slots: Int32Array;
  /** The token to be predicted and learned from, -1 where there is none. */
  targets: Int32Array;
  /**
   * [N, ceil(V / 32)]: for each token with a target, the set of tokens to learn towards, as in Batch.valid. Null where
   * it is the target alone.
   */
  valid: Int32Array | null;
  /** row * columns + column in the padded batch: what dropout masks are numbered by. */
  padded: Int32Array;
  /** [S, 4]: first row, length, first row of the history, its length; a history holds the sequence from its beginning. */
  segments: Int32Array;
  /** Rows and columns of the padded batch. */
  rows: number;
  columns: number;
  /** Targets in the batch, those left out of `learn` not counted. */
  targetCount: number;
}

/** Int32 values of one segment in `segments`. */
export const SEGMENT_FIELDS = 4;

/**
 * A training batch without its padding. Every row's last token has no target but is kept: its state is nobody's input,
 * so it is dropped, and a row of one token vanishes. What `learn` leaves out is read and has no target.
 */
export function packBatch(batch: Batch, grammar: SlotGrammar | null): PackedBatch {
  const lengths = Array.from(batch.lengths, (length) => Math.max(0, Math.min(length, batch.columns) - 1));
  const count = lengths.reduce((sum, length) => sum + length, 0);
  const packed = emptyBatch(count, lengths.filter((length) => length > 0).length);
  packed.rows = batch.rows;
  packed.columns = batch.columns;
  packed.targetCount = count;
  const words = (batch.valid?.length ?? 0) / (batch.rows * batch.columns);
  if (batch.valid) packed.valid = new Int32Array(count * words);
  let at = 0;
  let segment = 0;
  lengths.forEach((length, row) => {
    if (length === 0) return;
    const start = row * batch.columns;
    const tokens = batch.tokens.subarray(start, start + length);
    packed.tokens.set(tokens, at);
    packed.targets.set(batch.tokens.subarray(start + 1, start + length + 1), at);
    // Kernels pass over what has no target: a token that is only read is one more of those.
    if (batch.learn)
      for (let t = 0; t < length; t++)
        if (!batch.learn[start + t + 1]) {
          packed.targets[at + t] = -1;
          packed.targetCount--;
        }
    packed.valid?.set(batch.valid!.subarray((start + 1) * words, (start + length + 1) * words), at * words);
    if (grammar) packed.slots.set(slotsOf(grammar, tokens).slots, at);
    for (let t = 0; t < length; t++) {
      packed.positions[at + t] = t;
      packed.padded[at + t] = start + t;
    }
    packed.segments.set([at, length, 0, 0], SEGMENT_FIELDS * segment++);
    at += length;
  });
  return packed;
}

/** A batch of `count` rows and `segments` segments, all zero, targets none. */
export function emptyBatch(count: number, segments: number): PackedBatch {
  const ints = () => new Int32Array(count);
  return {
    firstRow: 0,
    count,
    tokens: ints(),
    positions: ints(),
    slots: ints(),
    targets: ints().fill(-1),
    valid: null,
    padded: ints(),
    segments: new Int32Array(SEGMENT_FIELDS * segments),
    rows: 1,
    columns: count,
    targetCount: 0,
  };
}

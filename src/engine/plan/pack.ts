import { rowsOf, type Batch } from '../../base/batch.ts';
import { slotsOf } from '../../base/slot-grammar.ts';
import type { ModelConfig } from '../../models/model.ts';

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
  /** Above 0, the weight of the sets' semantic loss beside that of the target, as in Batch.validWeight. */
  validWeight: number;
  /** row * columns + column, were the rows padded: what dropout masks are numbered by. */
  padded: Int32Array;
  /** [S, 4]: first row, length, first row of the history, its length; a history holds the sequence from its beginning. */
  segments: Int32Array;
  /** Rows, and the columns that they would be padded to. */
  rows: number;
  columns: number;
  /** Targets in the batch, those left out of `learn` not counted. */
  targetCount: number;
}

/** Int32 values of one segment in `segments`. */
export const SEGMENT_FIELDS = 4;

/** Padded rows come in multiples of this, so that a device compiles few shapes. */
const COLUMN_STEP = 16;

/**
 * Columns that a batch has where its rows are padded to one length. What pads nothing numbers its dropout masks as if it
 * did, so that every engine drops the same.
 * @throws RangeError where a row is longer than the context
 */
export function paddedColumns(batch: Batch, context: number): number {
  const longest = Math.max(...rowsOf(batch).map(({ length }) => length));
  if (longest > context)
    throw new RangeError(`a row of ${longest} tokens does not fit the model's context of ${context}`);
  return Math.min(context, Math.ceil(longest / COLUMN_STEP) * COLUMN_STEP);
}

/**
 * A training batch as a plan runs on it. A row's last token has no target, and its state is nobody's input: it is left
 * out, and a row of one token vanishes. What `learn` leaves out is read and has no target.
 * @throws RangeError as `paddedColumns` does
 */
export function packBatch(
  batch: Batch,
  { context, slots: grammar }: Pick<ModelConfig, 'context' | 'slots'>,
): PackedBatch {
  const { tokens, offsets, valid, learn } = batch;
  const rows = rowsOf(batch);
  const lengths = rows.map((row) => Math.max(0, row.length - 1));
  const count = lengths.reduce((sum, length) => sum + length, 0);
  const packed = emptyBatch(count, lengths.filter((length) => length > 0).length);
  packed.rows = rows.length;
  packed.columns = paddedColumns(batch, context);
  packed.targetCount = count;
  const words = valid ? valid.length / tokens.length : 0;
  if (valid) {
    packed.valid = new Int32Array(count * words);
    packed.validWeight = batch.validWeight ?? 0;
  }
  let at = 0;
  let segment = 0;
  lengths.forEach((length, row) => {
    if (length === 0) return;
    const start = offsets[row];
    const read = rows[row].subarray(0, length);
    packed.tokens.set(read, at);
    packed.targets.set(rows[row].subarray(1), at);
    // Kernels pass over what has no target: a token that is only read is one more of those.
    if (learn)
      for (let t = 0; t < length; t++)
        if (!learn[start + t + 1]) {
          packed.targets[at + t] = -1;
          packed.targetCount--;
        }
    packed.valid?.set(valid!.subarray((start + 1) * words, (start + length + 1) * words), at * words);
    if (grammar) packed.slots.set(slotsOf(grammar, read).slots, at);
    for (let t = 0; t < length; t++) {
      packed.positions[at + t] = t;
      packed.padded[at + t] = row * packed.columns + t;
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
    validWeight: 0,
    padded: ints(),
    segments: new Int32Array(SEGMENT_FIELDS * segments),
    rows: 1,
    columns: count,
    targetCount: 0,
  };
}

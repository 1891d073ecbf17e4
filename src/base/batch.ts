/** Rows of tokens, end to end. The targets of a row are its tokens shifted by one: its first is none, its end token is one. */
export interface Batch {
  /** [N] token ids, row after row. */
  tokens: Int32Array;
  /** [B + 1] where in `tokens` each row begins, and the end of the last. */
  offsets: Int32Array;
  /**
   * Where set, a step learns towards all tokens that are valid in a target's place, each alike, rather than the target
   * alone: bit masks [N, ceil(V / 32)], token v being bit v % 32 of word v / 32. The target must be among them.
   */
  valid?: Int32Array | null;
  /**
   * Above 0, the target alone is learned towards, and the sets of `valid` add the semantic loss of Xu et al. (2018) with
   * this weight: -log of the probability that the set has in all.
   */
  validWeight?: number;
  /**
   * Where set, a step learns from some targets only: bytes [N], 1 where the token at that place is a target that is
   * learned from. The others are read as they stand, but neither loss, gradients nor the count of targets know of them.
   */
  learn?: Uint8Array | null;
}

/** Rows as a batch that learns from all of them. */
export function batchOf(rows: readonly ArrayLike<number>[]): Batch {
  const offsets = new Int32Array(rows.length + 1);
  rows.forEach(({ length }, row) => (offsets[row + 1] = offsets[row] + length));
  const tokens = new Int32Array(offsets[rows.length]);
  rows.forEach((row, i) => tokens.set(row, offsets[i]));
  return { tokens, offsets, valid: null, learn: null };
}

/** The tokens of each row, as views of the batch. */
export function rowsOf({ tokens, offsets }: Batch): Int32Array[] {
  return Array.from(offsets.subarray(1), (end, row) => tokens.subarray(offsets[row], end));
}

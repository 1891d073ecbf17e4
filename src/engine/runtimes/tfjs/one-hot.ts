import * as tf from '@tensorflow/tfjs-core';
import type { Batch } from '../../engine.ts';

/**
 * One-hot rows [N, V] of token ids; an id of -1 gives a row of zeros. Written here and not by tf.oneHot, because the
 * WASM kernel does not check its indices and writes -1 before its buffer.
 */
export function oneHotRows(ids: Int32Array, vocabulary: number): tf.Tensor2D {
  const values = new Float32Array(ids.length * vocabulary);
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] >= vocabulary || ids[i] < -1)
      throw new RangeError(`token ${ids[i]} is not in the vocabulary of ${vocabulary}`);
    if (ids[i] >= 0) values[i * vocabulary + ids[i]] = 1;
  }
  return tf.tensor2d(values, [ids.length, vocabulary]);
}

/**
 * What each place of a batch is to predict, as rows [B * T, V] that sum to 1, or to 0 where there is no target: one-hot,
 * or uniform over the tokens that are valid there.
 * @param ids as targetsOf gives them
 */
export function targetRows(ids: Int32Array, batch: Batch, vocabulary: number): tf.Tensor2D {
  const { valid, rows, columns } = batch;
  if (!valid) return oneHotRows(ids, vocabulary);
  const words = valid.length / (rows * columns);
  const values = new Float32Array(ids.length * vocabulary);
  const members: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] < 0) continue;
    // The set of a target lies with the token that it is: one place on.
    const set = (i + 1) * words;
    members.length = 0;
    for (let v = 0; v < vocabulary; v++) if ((valid[set + (v >> 5)] >> (v & 31)) & 1) members.push(v);
    for (const v of members) values[i * vocabulary + v] = 1 / members.length;
  }
  return tf.tensor2d(values, [ids.length, vocabulary]);
}

/**
 * The target of each place of a batch, [B * T]: the row's next token, or -1 where it has none. Padding is never a
 * target; nor is the begin token, since it comes first. The end token is one. What `learn` leaves out is none.
 */
export function targetsOf(batch: Batch): { ids: Int32Array; count: number } {
  const ids = new Int32Array(batch.rows * batch.columns).fill(-1);
  let count = 0;
  for (let row = 0; row < batch.rows; row++) {
    const start = row * batch.columns;
    for (let t = 0; t + 1 < batch.lengths[row]; t++) {
      const next = batch.tokens[start + t + 1];
      if (next === batch.pad || batch.learn?.[start + t + 1] === 0) continue;
      ids[start + t] = next;
      count++;
    }
  }
  return { ids, count };
}

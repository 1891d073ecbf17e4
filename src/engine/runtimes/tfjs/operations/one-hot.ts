import * as tf from '@tensorflow/tfjs-core';
import type { Batch } from '../../../engine.ts';

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

/** The set of each place's target as rows [places, V] of 0 and 1; of zeros where it has none. */
export function setRows({ tokens, valid }: Batch, targets: Int32Array, vocabulary: number): tf.Tensor2D {
  const words = valid!.length / tokens.length;
  const values = new Float32Array(targets.length * vocabulary);
  for (let i = 0; i < targets.length; i++)
    for (let v = 0; targets[i] >= 0 && v < vocabulary; v++)
      values[i * vocabulary + v] = (valid![targets[i] * words + (v >> 5)] >> (v & 31)) & 1;
  return tf.tensor2d(values, [targets.length, vocabulary]);
}

/**
 * What each place is to predict, as rows [places, V] that sum to 1, or to 0 where there is no target: one-hot, or uniform
 * over the tokens that are valid there.
 * @param targets where in the batch each place's target stands, -1 for none
 */
export function targetRows(batch: Batch, targets: Int32Array, vocabulary: number): tf.Tensor2D {
  const { tokens, valid, validWeight = 0 } = batch;
  if (!valid || validWeight > 0)
    return oneHotRows(
      targets.map((at) => (at < 0 ? -1 : tokens[at])),
      vocabulary,
    );
  return tf.tidy(() => {
    const sets = setRows(batch, targets, vocabulary);
    return tf.div(sets, tf.maximum(tf.sum(sets, 1, true), 1)) as tf.Tensor2D;
  });
}

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

/**
 * What each place is to predict, as rows [places, V] that sum to 1, or to 0 where there is no target: one-hot, or uniform
 * over the tokens that are valid there.
 * @param targets where in the batch each place's target stands, -1 for none
 */
export function targetRows({ tokens, valid }: Batch, targets: Int32Array, vocabulary: number): tf.Tensor2D {
  if (!valid)
    return oneHotRows(
      targets.map((at) => (at < 0 ? -1 : tokens[at])),
      vocabulary,
    );
  const words = valid.length / tokens.length;
  const values = new Float32Array(targets.length * vocabulary);
  const members: number[] = [];
  for (let i = 0; i < targets.length; i++) {
    if (targets[i] < 0) continue;
    const set = targets[i] * words;
    members.length = 0;
    for (let v = 0; v < vocabulary; v++) if ((valid[set + (v >> 5)] >> (v & 31)) & 1) members.push(v);
    for (const v of members) values[i * vocabulary + v] = 1 / members.length;
  }
  return tf.tensor2d(values, [targets.length, vocabulary]);
}

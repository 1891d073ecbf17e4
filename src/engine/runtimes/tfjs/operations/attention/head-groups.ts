import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from '../differentiable.ts';

/**
 * Some of the heads of a projection, where heads of one layer attend in different ways.
 * @param qkv [N, 3d]: queries, keys and values, each by head
 * @returns [N, 3 * count * dh] of the heads from `first` on
 */
export function headGroup(qkv: tf.Tensor2D, heads: number, first: number, count: number): tf.Tensor2D {
  const [rows, columns] = qkv.shape;
  const size = columns / 3 / heads;
  return differentiable([qkv], () => ({
    value: tf.reshape(
      tf.slice(tf.reshape(qkv, [rows, 3, heads * size]), [0, 0, first * size], [rows, 3, count * size]),
      [rows, 3 * count * size],
    ),
    saved: [],
    gradient: (dy: tf.Tensor2D) => {
      const others: [number, number] = [first * size, (heads - first - count) * size];
      return [tf.reshape(tf.pad(tf.reshape(dy, [rows, 3, count * size]), [[0, 0], [0, 0], others]), [rows, columns])];
    },
  }));
}

/** a [N, x] and b [N, y] side by side. */
export function beside(a: tf.Tensor2D, b: tf.Tensor2D): tf.Tensor2D {
  const sizes = [a.shape[1], b.shape[1]];
  return differentiable([a, b], () => ({
    value: tf.concat([a, b], 1),
    saved: [],
    gradient: (dy: tf.Tensor2D) => tf.split(dy, sizes, 1),
  }));
}

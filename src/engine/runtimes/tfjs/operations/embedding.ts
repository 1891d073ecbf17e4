import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';
import { sumRows } from './linear.ts';

/**
 * Token embedding plus learned position, for rows that all start at position 0.
 * Both are products rather than look-ups: gather's gradient needs UnsortedSegmentSum, which tfjs-backend-wasm lacks,
 * and a one-hot product is exact and faster there anyway.
 * @param oneHot [B * C, V]
 * @param tokens [V, d]
 * @param positions [context, d]
 * @returns [B * C, d]
 */
export function embed(oneHot: tf.Tensor2D, tokens: tf.Tensor2D, positions: tf.Tensor2D, columns: number): tf.Tensor2D {
  const [context, width] = positions.shape;
  const rows = oneHot.shape[0] / columns;
  return differentiable([tokens, positions], () => {
    const words = tf.reshape(tf.matMul(oneHot, tokens), [rows, columns, width]);
    const places = tf.slice(positions, [0, 0], [columns, width]);
    return {
      value: tf.reshape(tf.add(words, places), [rows * columns, width]) as tf.Tensor2D,
      saved: [oneHot],
      gradient: (dy: tf.Tensor2D, oneHot: tf.Tensor2D) => {
        const places = tf.reshape(sumRows(tf.reshape(dy, [rows, columns * width])), [columns, width]);
        const unused: [number, number] = [0, context - columns];
        return [tf.matMul(oneHot, dy, true, false), tf.pad(places, [unused, [0, 0]])];
      },
    };
  });
}

/** Rows of a table [V, d] picked by one-hot rows [N, V]: [N, d]. */
export function lookUp(oneHot: tf.Tensor2D, table: tf.Tensor2D): tf.Tensor2D {
  return differentiable([table], () => ({
    value: tf.matMul(oneHot, table),
    saved: [oneHot],
    gradient: (dy: tf.Tensor2D, oneHot: tf.Tensor2D) => [tf.matMul(oneHot, dy, true, false)],
  }));
}

/** Token embedding plus the position of each token [N]: for inference, where rows begin anywhere. */
export function embedAt(oneHot: tf.Tensor2D, tokens: tf.Tensor2D, positions: tf.Tensor2D, at: Int32Array): tf.Tensor2D {
  return tf.add(tf.matMul(oneHot, tokens), tf.gather(positions, tf.tensor1d(at, 'int32')));
}

import * as tf from '@tensorflow/tfjs-core';

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
  const run = tf.customGrad((...args) => {
    const [tokens, positions, save] = args as [tf.Tensor2D, tf.Tensor2D, tf.GradSaveFunc];
    save([oneHot]);
    const [context, width] = positions.shape;
    const rows = oneHot.shape[0] / columns;
    const words = tf.reshape(tf.matMul(oneHot, tokens), [rows, columns, width]);
    const places = tf.slice(positions, [0, 0], [columns, width]);
    return {
      value: tf.reshape(tf.add(words, places), [rows * columns, width]),
      gradFunc: (dy, saved) => {
        const d = dy as tf.Tensor2D;
        const byRow = tf.reshape(d, [rows, columns * width]);
        const places = tf.reshape(tf.matMul(tf.ones([1, rows]) as tf.Tensor2D, byRow as tf.Tensor2D), [columns, width]);
        return [
          tf.matMul(saved[0] as tf.Tensor2D, d, true, false),
          tf.pad(places as tf.Tensor2D, [
            [0, context - columns],
            [0, 0],
          ]),
        ];
      },
    };
  });
  return run(tokens, positions) as tf.Tensor2D;
}

/** Token embedding plus the position of each token, [N]: for inference, where rows begin anywhere. */
export function embedAt(
  oneHot: tf.Tensor2D,
  tokens: tf.Tensor2D,
  positions: tf.Tensor2D,
  at: tf.Tensor1D,
): tf.Tensor2D {
  return tf.add(tf.matMul(oneHot, tokens), tf.gather(positions, at));
}

import * as tf from '@tensorflow/tfjs-core';

/**
 * x [N, I] times weight [I, O] plus bias [O]. The bias gradient is a product with a row of ones: TF.js sums over the
 * first axis by transposing first, which cost more than the rest of the layer's element-wise work.
 */
export function linear(x: tf.Tensor2D, weight: tf.Tensor2D, bias: tf.Tensor1D): tf.Tensor2D {
  return linearWithGradient(x, weight, bias) as tf.Tensor2D;
}

const linearWithGradient = tf.customGrad((...args) => {
  const [x, weight, bias, save] = args as [tf.Tensor2D, tf.Tensor2D, tf.Tensor1D, tf.GradSaveFunc];
  save([x, weight]);
  return {
    value: tf.fused.matMul({ a: x, b: weight, bias }),
    gradFunc: (dy, saved) => {
      const [x, weight] = saved as tf.Tensor2D[];
      const d = dy as tf.Tensor2D;
      return [tf.matMul(d, weight, false, true), tf.matMul(x, d, true, false), sumRows(d)];
    },
  };
});

/** The sum of the rows of x [N, C]: [C]. */
export function sumRows(x: tf.Tensor2D): tf.Tensor1D {
  return tf.tidy(() => tf.reshape(tf.matMul(tf.ones([1, x.shape[0]]) as tf.Tensor2D, x), [x.shape[1]]));
}

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

/** hidden [N, d] times the transpose of the token embedding [V, d]: logits [N, V]. */
export function tiedHead(hidden: tf.Tensor2D, tokens: tf.Tensor2D): tf.Tensor2D {
  return tiedHeadWithGradient(hidden, tokens) as tf.Tensor2D;
}

const tiedHeadWithGradient = tf.customGrad((...args) => {
  const [hidden, tokens, save] = args as [tf.Tensor2D, tf.Tensor2D, tf.GradSaveFunc];
  save([hidden, tokens]);
  return {
    value: tf.matMul(hidden, tokens, false, true),
    gradFunc: (dy, saved) => {
      const [hidden, tokens] = saved as tf.Tensor2D[];
      const d = dy as tf.Tensor2D;
      return [tf.matMul(d, tokens), tf.matMul(d, hidden, true, false)];
    },
  };
});

/** a plus b of one shape: the residual sum. TF.js's core comes without gradients unless all are bundled. */
export function residual(a: tf.Tensor2D, b: tf.Tensor2D): tf.Tensor2D {
  return residualWithGradient(a, b) as tf.Tensor2D;
}

const residualWithGradient = tf.customGrad((...args) => {
  const [a, b] = args as [tf.Tensor2D, tf.Tensor2D, tf.GradSaveFunc];
  return { value: tf.add(a, b), gradFunc: (dy) => [tf.clone(dy as tf.Tensor), tf.clone(dy as tf.Tensor)] };
});

/** The sum of the rows of x [N, C]: [C]. */
export function sumRows(x: tf.Tensor2D): tf.Tensor1D {
  return tf.tidy(() => tf.reshape(tf.matMul(tf.ones([1, x.shape[0]]) as tf.Tensor2D, x), [x.shape[1]]));
}

import * as tf from '@tensorflow/tfjs-core';

// gelu(x) = x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (Hendrycks and Gimpel 2016), and
// (1 + tanh u) / 2 = sigmoid(2u). XNNPACK's sigmoid is vectorised; tanh on WASM is a scalar loop 17 times slower.
const linearTerm = 2 * Math.sqrt(2 / Math.PI);
const cubicTerm = linearTerm * 0.044715;

/** GELU by its tanh approximation ("gelu_new"), element by element. */
export function gelu<T extends tf.Tensor>(x: T): T {
  return geluWithGradient(x) as T;
}

const geluWithGradient = tf.customGrad((...args) => {
  const [x, save] = args as unknown as [tf.Tensor, tf.GradSaveFunc];
  const gate = tf.sigmoid(tf.mul(x, tf.add(tf.mul(tf.square(x), cubicTerm), linearTerm)));
  save([x, gate]);
  return {
    value: tf.mul(x, gate),
    gradFunc: (dy, saved) => {
      const [x, gate] = saved;
      // d/dx x s(z(x)) = s + x s (1 - s) z'(x)
      const slope = tf.add(tf.mul(tf.square(x), 3 * cubicTerm), linearTerm);
      const bend = tf.mul(tf.mul(tf.sub(1, gate), x), slope);
      return tf.mul(tf.mul(dy as tf.Tensor, gate), tf.add(bend, 1));
    },
  };
});

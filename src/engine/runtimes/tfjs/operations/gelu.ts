import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';

// gelu(x) = x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) (Hendrycks and Gimpel 2016), and
// (1 + tanh u) / 2 = sigmoid(2u). XNNPACK's sigmoid is vectorised; tanh on WASM is a scalar loop 17 times slower.
const linearTerm = 2 * Math.sqrt(2 / Math.PI);
const cubicTerm = linearTerm * 0.044715;

/** GELU by its tanh approximation ("gelu_new"), element by element. */
export function gelu(x: tf.Tensor2D): tf.Tensor2D {
  return differentiable([x], () => {
    const gate = tf.sigmoid(tf.mul(x, tf.add(tf.mul(tf.square(x), cubicTerm), linearTerm))) as tf.Tensor2D;
    return {
      value: tf.mul(x, gate) as tf.Tensor2D,
      saved: [x, gate],
      gradient: (dy: tf.Tensor2D, x: tf.Tensor2D, gate: tf.Tensor2D) => {
        // d/dx x s(z(x)) = s (1 + (1 - s) x z'(x))
        const slope = tf.add(tf.mul(tf.square(x), 3 * cubicTerm), linearTerm);
        const bend = tf.mul(tf.mul(tf.sub(1, gate), x), slope);
        return [tf.mul(tf.mul(dy, gate), tf.add(bend, 1))];
      },
    };
  });
}

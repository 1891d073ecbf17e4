import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';

/**
 * x [N, I] times weight [I, O] plus bias [O]. The bias gradient is a product with a row of ones: TF.js sums over the
 * first axis by transposing first, which costs more.
 */
export function linear(x: tf.Tensor2D, weight: tf.Tensor2D, bias: tf.Tensor1D): tf.Tensor2D {
  return differentiable([x, weight, bias], () => ({
    value: tf.fused.matMul({ a: x, b: weight, bias }) as tf.Tensor2D,
    saved: [x, weight],
    gradient: (dy: tf.Tensor2D, x: tf.Tensor2D, weight: tf.Tensor2D) => [
      tf.matMul(dy, weight, false, true),
      tf.matMul(x, dy, true, false),
      sumRows(dy),
    ],
  }));
}

/**
 * x [N, I] times the transposes of several weights [O_i, I], side by side: [N, sum O_i]. nn.Linear keeps its weights so,
 * and libraries keep apart what one product makes (q, k and v; gate and up).
 */
export function linearTransposed(x: tf.Tensor2D, weights: tf.Tensor2D[]): tf.Tensor2D {
  const sizes = weights.map((weight) => weight.shape[0]);
  return differentiable<tf.Tensor2D, tf.Tensor2D[]>([x, ...weights], () => ({
    value: tf.matMul(x, tf.concat(weights, 0), false, true),
    saved: [x, ...weights],
    gradient: (dy, x, ...weights) => [
      tf.matMul(dy, tf.concat(weights, 0)),
      ...tf.split(tf.matMul(dy, x, true, false), sizes, 0),
    ],
  }));
}

/** x [N, C] plus a bias [C]. */
export function addBias(x: tf.Tensor2D, bias: tf.Tensor1D): tf.Tensor2D {
  return differentiable([x, bias], () => ({
    value: tf.add(x, bias) as tf.Tensor2D,
    saved: [],
    gradient: (dy: tf.Tensor2D) => [tf.clone(dy), sumRows(dy)],
  }));
}

/** hidden [N, d] times the transpose of the head's matrix [V, d], tied to the token embedding or not: logits [N, V]. */
export function tiedHead(hidden: tf.Tensor2D, tokens: tf.Tensor2D): tf.Tensor2D {
  return differentiable([hidden, tokens], () => ({
    value: tf.matMul(hidden, tokens, false, true),
    saved: [hidden, tokens],
    gradient: (dy: tf.Tensor2D, hidden: tf.Tensor2D, tokens: tf.Tensor2D) => [
      tf.matMul(dy, tokens),
      tf.matMul(dy, hidden, true, false),
    ],
  }));
}

/** a plus b of one shape: the residual sum. TF.js's core comes without gradients unless all are bundled. */
export function residual(a: tf.Tensor2D, b: tf.Tensor2D): tf.Tensor2D {
  return differentiable([a, b], () => ({
    value: tf.add(a, b),
    saved: [],
    gradient: (dy: tf.Tensor2D) => [tf.clone(dy), tf.clone(dy)],
  }));
}

/** The sum of the rows of x [N, C]: [C]. */
export function sumRows(x: tf.Tensor2D): tf.Tensor1D {
  return tf.reshape(tf.matMul(tf.ones([1, x.shape[0]]) as tf.Tensor2D, x), [x.shape[1]]);
}

import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';

/** max(0, x), element by element. */
export function relu(x: tf.Tensor2D): tf.Tensor2D {
  return differentiable([x], () => {
    const value = tf.relu(x) as tf.Tensor2D;
    return { value, saved: [value], gradient: (dy: tf.Tensor2D, value: tf.Tensor2D) => [tf.mul(dy, tf.step(value))] };
  });
}

import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';

/** SwiGLU (Shazeer 2020): silu(gate) * up of rows [N, 2f] that hold the gate first; silu(z) = z sigmoid(z). */
export function gatedUnit(gateUp: tf.Tensor2D): tf.Tensor2D {
  return differentiable([gateUp], () => {
    const [gate, up] = tf.split(gateUp, 2, 1) as [tf.Tensor2D, tf.Tensor2D];
    const open = tf.sigmoid(gate) as tf.Tensor2D;
    return {
      value: tf.mul(tf.mul(gate, open), up) as tf.Tensor2D,
      saved: [gate, up, open],
      gradient: (dy: tf.Tensor2D, gate: tf.Tensor2D, up: tf.Tensor2D, open: tf.Tensor2D) => {
        // silu'(z) = s (1 + z (1 - s))
        const slope = tf.mul(open, tf.add(tf.mul(gate, tf.sub(1, open)), 1));
        return [tf.concat([tf.mul(tf.mul(dy, up), slope), tf.mul(dy, tf.mul(gate, open))], 1)];
      },
    };
  });
}

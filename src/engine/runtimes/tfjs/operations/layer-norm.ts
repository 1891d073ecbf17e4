import * as tf from '@tensorflow/tfjs-core';
import { LAYER_NORM_EPSILON } from '../../../../models/gpt.ts';
import { differentiable } from './differentiable.ts';
import { sumRows } from './linear.ts';

/** Layer norm (Ba et al. 2016) of each row of x [N, C] with gain and bias [C]; the variance is the biased one. */
export function layerNorm(x: tf.Tensor2D, gain: tf.Tensor1D, bias: tf.Tensor1D): tf.Tensor2D {
  return differentiable([x, gain, bias], () => {
    const centred = tf.sub(x, tf.mean(x, 1, true));
    const variance = tf.mean(tf.square(centred), 1, true);
    const inverse = tf.rsqrt(tf.add(variance, LAYER_NORM_EPSILON)) as tf.Tensor2D; // [N, 1]
    const normal = tf.mul(centred, inverse) as tf.Tensor2D;
    return {
      value: tf.add(tf.mul(normal, gain), bias) as tf.Tensor2D,
      saved: [normal, inverse, gain],
      gradient: (dy: tf.Tensor2D, normal: tf.Tensor2D, inverse: tf.Tensor2D, gain: tf.Tensor1D) => {
        const dNormal = tf.mul(dy, gain);
        const along = tf.mul(normal, tf.mean(tf.mul(dNormal, normal), 1, true));
        const across = tf.sub(dNormal, tf.mean(dNormal, 1, true));
        return [tf.mul(tf.sub(across, along), inverse), sumRows(tf.mul(dy, normal)), sumRows(dy)];
      },
    };
  });
}

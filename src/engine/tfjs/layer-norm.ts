import * as tf from '@tensorflow/tfjs-core';
import { LAYER_NORM_EPSILON } from '../../models/gpt.ts';
import { sumRows } from './linear.ts';

/** Layer norm (Ba et al. 2016) of each row of x [N, C] with gain and bias [C]; the variance is the biased one. */
export function layerNorm(x: tf.Tensor2D, gain: tf.Tensor1D, bias: tf.Tensor1D): tf.Tensor2D {
  return layerNormWithGradient(x, gain, bias) as tf.Tensor2D;
}

const layerNormWithGradient = tf.customGrad((...args) => {
  const [x, gain, bias, save] = args as [tf.Tensor2D, tf.Tensor1D, tf.Tensor1D, tf.GradSaveFunc];
  const centred = tf.sub(x, tf.mean(x, 1, true));
  const variance = tf.mean(tf.square(centred), 1, true);
  const inverse = tf.rsqrt(tf.add(variance, LAYER_NORM_EPSILON)); // [N, 1]
  const normal = tf.mul(centred, inverse);
  save([normal, inverse, gain]);
  return {
    value: tf.add(tf.mul(normal, gain), bias),
    gradFunc: (dy, saved) => {
      const [normal, inverse, gain] = saved as [tf.Tensor2D, tf.Tensor2D, tf.Tensor1D];
      const d = dy as tf.Tensor2D;
      const dn = tf.mul(d, gain);
      const along = tf.mul(normal, tf.mean(tf.mul(dn, normal), 1, true));
      const dx = tf.mul(tf.sub(tf.sub(dn, tf.mean(dn, 1, true)), along), inverse);
      return [dx, sumRows(tf.mul(d, normal)), sumRows(d)];
    },
  };
});

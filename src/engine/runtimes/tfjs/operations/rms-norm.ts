import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';
import { sumRows } from './linear.ts';

/** x over the root mean square of its last axis, and the inverse of that root. */
export function rootMeanSquare<T extends tf.Tensor>(x: T, epsilon: number): { normal: T; inverse: T } {
  const inverse = tf.rsqrt(tf.add(tf.mean(tf.square(x), -1, true), epsilon)) as T;
  return { normal: tf.mul(x, inverse) as T, inverse };
}

/** The gradient of x from that of `normal`. */
export function rootMeanSquareGradient<T extends tf.Tensor>(dNormal: tf.Tensor, normal: T, inverse: T): T {
  const along = tf.mul(normal, tf.mean(tf.mul(dNormal, normal), -1, true));
  return tf.mul(tf.sub(dNormal, along), inverse) as T;
}

/** RMSNorm (Zhang and Sennrich 2019) of each row of x [N, C] with gain [C]. */
export function rmsNorm(x: tf.Tensor2D, gain: tf.Tensor1D, epsilon: number): tf.Tensor2D {
  return differentiable([x, gain], () => {
    const { normal, inverse } = rootMeanSquare(x, epsilon);
    return {
      value: tf.mul(normal, gain) as tf.Tensor2D,
      saved: [normal, inverse, gain],
      gradient: (dy: tf.Tensor2D, normal: tf.Tensor2D, inverse: tf.Tensor2D, gain: tf.Tensor1D) => [
        rootMeanSquareGradient(tf.mul(dy, gain), normal, inverse),
        sumRows(tf.mul(dy, normal)),
      ],
    };
  });
}

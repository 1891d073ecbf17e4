import * as tf from '@tensorflow/tfjs-core';
import type { OptimizerSettings } from '../../../engine.ts';

export interface Moments {
  m: tf.Tensor;
  v: tf.Tensor;
}

/** The global L2 norm of gradients and the factor that clips it, as torch.nn.utils.clip_grad_norm_ has them. */
export function clipping(gradients: readonly tf.Tensor[], clipNorm: number): { norm: tf.Scalar; factor: tf.Scalar } {
  return tf.tidy(() => {
    // Not addN: on WebGPU it binds a buffer for each of its inputs and, past the device's limit, quietly does nothing.
    const norm = tf.sqrt(tf.sum(tf.stack(gradients.map(sumOfSquares)))) as tf.Scalar;
    const factor = clipNorm > 0 ? tf.minimum(tf.div(clipNorm, tf.add(norm, 1e-6)), 1) : tf.scalar(1);
    return { norm, factor: factor as tf.Scalar };
  });
}

function sumOfSquares(x: tf.Tensor): tf.Scalar {
  return tf.tidy(() => tf.sum(tf.sum(tf.square(x), -1)) as tf.Scalar);
}

/**
 * One update by AdamW (Loshchilov and Hutter 2019), as torch.optim.AdamW computes it: decay of every parameter apart
 * from the gradient, moments corrected for their start. The corrections are folded into two scalars, so that a
 * parameter costs thirteen element-wise passes rather than the nineteen of the formula as it is written:
 *   p (1 - lr wd) - lr sqrt(c2) / c1 * m / (sqrt(v) + eps sqrt(c2)),  c_i = 1 - beta_i^step.
 */
export class AdamW {
  private readonly decay: tf.Scalar;
  private readonly rate: tf.Scalar;
  private readonly epsilon: tf.Scalar;
  private readonly keepM: tf.Scalar;
  private readonly keepV: tf.Scalar;
  private readonly takeM: tf.Tensor;
  private readonly takeV: tf.Tensor;

  /** @param step counts from 1. Make it inside a tidy: it holds tensors. */
  constructor(settings: OptimizerSettings, step: number, factor: tf.Scalar) {
    const { learningRate, beta1, beta2, epsilon, weightDecay } = settings;
    const root = Math.sqrt(1 - beta2 ** step);
    this.decay = tf.scalar(1 - learningRate * weightDecay);
    this.rate = tf.scalar((learningRate * root) / (1 - beta1 ** step));
    this.epsilon = tf.scalar(epsilon * root);
    this.keepM = tf.scalar(beta1);
    this.keepV = tf.scalar(beta2);
    this.takeM = tf.mul(factor, 1 - beta1);
    this.takeV = tf.mul(tf.square(factor), 1 - beta2);
  }

  /** The parameter and its moments after the step, new tensors. */
  update(parameter: tf.Tensor, gradient: tf.Tensor, { m, v }: Moments): { parameter: tf.Tensor } & Moments {
    return tf.tidy(() => {
      const nextM = tf.add(tf.mul(m, this.keepM), tf.mul(gradient, this.takeM));
      const nextV = tf.add(tf.mul(v, this.keepV), tf.mul(tf.square(gradient), this.takeV));
      const change = tf.div(tf.mul(nextM, this.rate), tf.add(tf.sqrt(nextV), this.epsilon));
      return { parameter: tf.sub(tf.mul(parameter, this.decay), change), m: nextM, v: nextV };
    });
  }
}

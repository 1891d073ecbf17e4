import * as tf from '@tensorflow/tfjs-core';
import { maskElement, maskKey } from '../../../plan/dropout-mask.ts';
import { differentiable } from './differentiable.ts';

/**
 * The masks of a step (../dropout-mask.ts), drawn on the CPU because TF.js has no random kernel that is the same on
 * every backend; with dropout 0 nothing of this runs.
 */
export class Dropout {
  private site = 0;
  constructor(
    private readonly rate: number,
    private readonly seed: number,
  ) {}

  /** The next site's mask of this shape, or null at rate 0. Sites are numbered in the order of asking. */
  mask<R extends tf.Rank>(shape: tf.ShapeMap[R]): tf.Tensor<R> | null {
    if (this.rate === 0) return null;
    const key = maskKey(this.seed, this.site++);
    const values = new Float32Array(tf.util.sizeFromShape(shape));
    for (let i = 0; i < values.length; i++) values[i] = maskElement(key, i, this.rate);
    return tf.tensor(values, shape) as tf.Tensor<R>;
  }
}

/** x times a mask, or x itself where there is none. */
export function dropped(x: tf.Tensor2D, mask: tf.Tensor2D | null): tf.Tensor2D {
  if (!mask) return x;
  return differentiable([x], () => ({
    value: tf.mul(x, mask) as tf.Tensor2D,
    saved: [mask],
    gradient: (dy: tf.Tensor2D, mask: tf.Tensor2D) => [tf.mul(dy, mask)],
  }));
}

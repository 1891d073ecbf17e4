import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';

/**
 * Masks of inverted dropout: 0 with probability `rate`, else 1 / (1 - rate). A mask is a function of (seed, site)
 * alone, so that a resumed run meets the same ones. They are drawn on the CPU, two a 32-bit hash, because TF.js has no
 * random kernel that is the same on every backend; with dropout 0 nothing of this runs.
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
    const values = keepMask(tf.util.sizeFromShape(shape), this.rate, this.seed, this.site++);
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

function keepMask(length: number, rate: number, seed: number, site: number): Float32Array {
  const values = new Float32Array(length);
  const kept = 1 / (1 - rate);
  const threshold = Math.round(rate * 65536);
  const key = mix(mix(seed >>> 0) ^ mix(Math.floor(seed / 4294967296) + 0x9e3779b9) ^ mix(site + 0x85ebca6b));
  for (let i = 0; i < length; i += 2) {
    const bits = mix(key + (i >>> 1));
    if (bits >>> 16 >= threshold) values[i] = kept;
    if ((bits & 0xffff) >= threshold && i + 1 < length) values[i + 1] = kept;
  }
  return values;
}

/** A 32-bit integer hash (lowbias32, found by C. Wellons' search over such hashes). */
function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

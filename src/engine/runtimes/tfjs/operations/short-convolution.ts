import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';
import { sumRows } from './linear.ts';
import { earlierRows, laterRows, rowsBefore } from './token-shift.ts';

/**
 * LFM2's short convolution between its two products: C * convolution(B * x), each channel convolved by itself.
 * @param bcx [N, 3d]: `rows` sequences from their beginning, each row B, C and x
 * @param weight [d, 1, taps], the tap of the row itself last, as nn.Conv1d has it
 * @returns [N, d]
 */
export function shortConvolution(bcx: tf.Tensor2D, weight: tf.Tensor3D, rows: number): tf.Tensor2D {
  const [total, width] = bcx.shape;
  const [d, , taps] = weight.shape;
  const columns = total / rows;
  const parts = (bcx: tf.Tensor2D) => {
    const [b, c, x] = tf.split(tf.reshape(bcx, [rows, columns, width]), 3, 2) as tf.Tensor3D[];
    return { b, c, x, gated: tf.mul(b, x) as tf.Tensor3D };
  };
  const reach = Math.min(taps, columns);
  const convolve = (gated: tf.Tensor3D, weight: tf.Tensor3D): tf.Tensor3D => {
    let sum = tf.mul(gated, tap(weight, 0));
    for (let back = 1; back < reach; back++) sum = tf.add(sum, tf.mul(earlierRows(gated, back), tap(weight, back)));
    return sum as tf.Tensor3D;
  };
  return differentiable([bcx, weight], () => {
    const { c, gated } = parts(bcx);
    return {
      value: tf.reshape(tf.mul(c, convolve(gated, weight)), [total, d]) as tf.Tensor2D,
      saved: [bcx, weight],
      gradient: (dy: tf.Tensor2D, bcx: tf.Tensor2D, weight: tf.Tensor3D) => {
        const { b, c, x, gated } = parts(bcx);
        const d3 = tf.reshape(dy, [rows, columns, d]);
        const dSum = tf.mul(d3, c) as tf.Tensor3D;
        let dGated = tf.mul(dSum, tap(weight, 0)) as tf.Tensor3D;
        const dTaps: tf.Tensor1D[] = [];
        for (let back = 0; back < taps; back++) {
          if (back > 0 && back < reach)
            dGated = tf.add(dGated, laterRows(tf.mul(dSum, tap(weight, back)) as tf.Tensor3D, back));
          const read = back < reach ? tf.mul(dSum, earlierRows(gated, back)) : tf.zerosLike(dSum);
          dTaps.unshift(sumRows(tf.reshape(read, [total, d])));
        }
        const dBcx = tf.concat([tf.mul(dGated, x), tf.mul(d3, convolve(gated, weight)), tf.mul(dGated, b)], 2);
        return [tf.reshape(dBcx, [total, width]), tf.reshape(tf.stack(dTaps, 1), [d, 1, taps])];
      },
    };
  });
}

/**
 * The same in inference for rows that each follow the end of a sequence read before, not one another.
 * @param bcx [B * C, 3d]: C rows after each of B sequences
 * @param before [B, S, 3d]: the rows of the sequences, of which the first `lengths` count
 */
export function shortConvolutionAfter(
  bcx: tf.Tensor2D,
  weight: tf.Tensor3D,
  before: tf.Tensor3D,
  lengths: readonly number[],
): tf.Tensor2D {
  const [d, , taps] = weight.shape;
  const total = bcx.shape[0];
  const [b, c, x] = tf.split(tf.reshape(bcx, [lengths.length, total / lengths.length, 3 * d]), 3, 2);
  let sum = tf.mul(tf.mul(b, x), tap(weight, 0));
  for (let back = 1; back < taps; back++) {
    const [b, , x] = tf.split(rowsBefore(before, lengths, back), 3, 2);
    sum = tf.add(sum, tf.mul(tf.mul(b, x), tap(weight, back)));
  }
  return tf.reshape(tf.mul(c, sum), [total, d]);
}

/** [1, 1, d]: the weights of the row so many back. */
function tap(weight: tf.Tensor3D, back: number): tf.Tensor3D {
  const [d, , taps] = weight.shape;
  return tf.reshape(tf.slice(weight, [0, 0, taps - 1 - back], [d, 1, 1]), [1, 1, d]);
}

import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from './differentiable.ts';
import { sumRows } from './linear.ts';

/**
 * x[t] plus the earlier rows of its own sequence, weighed channel by channel: sum over k of weight[k - 1] * x[t - k].
 * @param x [B * C, d]: `rows` sequences from their beginning
 * @param weight [taps, d]
 */
export function tokenShift(x: tf.Tensor2D, weight: tf.Tensor2D, rows: number): tf.Tensor2D {
  const [total, d] = x.shape;
  const columns = total / rows;
  const reach = Math.min(weight.shape[0], columns - 1);
  const apart = (x: tf.Tensor2D): tf.Tensor3D => tf.reshape(x, [rows, columns, d]);
  return differentiable([x, weight], () => {
    const whole = apart(x);
    let sum = whole;
    for (let k = 1; k <= reach; k++) sum = tf.add(sum, tf.mul(earlierRows(whole, k), tap(weight, k)));
    return {
      value: tf.reshape(sum, [total, d]) as tf.Tensor2D,
      saved: [x, weight],
      gradient: (dy: tf.Tensor2D, x: tf.Tensor2D, weight: tf.Tensor2D) => {
        const [d3, x3] = [apart(dy), apart(x)];
        let dX = d3;
        const dWeight: tf.Tensor1D[] = [];
        for (let k = 1; k <= weight.shape[0]; k++) {
          if (k > reach) {
            dWeight.push(tf.zeros([d]));
            continue;
          }
          dX = tf.add(dX, laterRows(tf.mul(d3, tap(weight, k)) as tf.Tensor3D, k));
          dWeight.push(sumRows(tf.reshape(tf.mul(d3, earlierRows(x3, k)), [total, d])));
        }
        return [tf.reshape(dX, [total, d]), tf.stack(dWeight)];
      },
    };
  });
}

/**
 * The same in inference for rows that each follow the end of a sequence read before, not one another.
 * @param x [B * C, d]: C rows after each of B sequences
 * @param before [B, S, d]: the rows of the sequences, of which the first `lengths` count
 */
export function shiftAfter(
  x: tf.Tensor2D,
  weight: tf.Tensor2D,
  before: tf.Tensor3D,
  lengths: readonly number[],
): tf.Tensor2D {
  const [total, d] = x.shape;
  let sum = tf.reshape(x, [lengths.length, total / lengths.length, d]) as tf.Tensor3D;
  for (let k = 1; k <= weight.shape[0]; k++) sum = tf.add(sum, tf.mul(rowsBefore(before, lengths, k), tap(weight, k)));
  return tf.reshape(sum, [total, d]);
}

/** [B, C, d] with the row `back` before in the place of each, zeros where there is none; `back` is less than C. */
export function earlierRows(x: tf.Tensor3D, back: number): tf.Tensor3D {
  if (back === 0) return x;
  const [rows, columns, d] = x.shape;
  return padded(tf.slice(x, [0, 0, 0], [rows, columns - back, d]), back, 0);
}

/** [B, C, d] with the row `ahead` after in the place of each: the transpose of earlierRows. */
export function laterRows(x: tf.Tensor3D, ahead: number): tf.Tensor3D {
  const [rows, columns, d] = x.shape;
  return padded(tf.slice(x, [0, ahead, 0], [rows, columns - ahead, d]), 0, ahead);
}

/** [B, 1, d]: of each sequence the row `back` before its end, zeros where it is shorter. */
export function rowsBefore(before: tf.Tensor3D, lengths: readonly number[], back: number): tf.Tensor3D {
  const [rows, columns, d] = before.shape;
  const places = lengths.map((length, row) => row * columns + Math.max(0, length - back));
  const there = lengths.map((length) => Number(length >= back));
  const found = tf.gather(tf.reshape(before, [rows * columns, d]), tf.tensor1d(places, 'int32'));
  return tf.reshape(tf.mul(found, tf.tensor2d(there, [rows, 1])), [rows, 1, d]);
}

const tap = (weight: tf.Tensor2D, k: number) => tf.slice(weight, [k - 1, 0], [1, weight.shape[1]]);

const padded = (x: tf.Tensor3D, before: number, after: number): tf.Tensor3D =>
  tf.pad(x, [
    [0, 0],
    [before, after],
    [0, 0],
  ]);

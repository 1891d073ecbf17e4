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
  const part = (x: tf.Tensor3D, from: number, length: number): tf.Tensor3D =>
    tf.slice(x, [0, from, 0], [rows, length, d]);
  return differentiable([x, weight], () => {
    const whole = apart(x);
    let sum = whole;
    for (let k = 1; k <= reach; k++) {
      const earlier = tf.mul(part(whole, 0, columns - k), tap(weight, k));
      sum = tf.add(sum, padded(earlier as tf.Tensor3D, k, 0));
    }
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
          const later = part(d3, k, columns - k);
          dX = tf.add(dX, padded(tf.mul(later, tap(weight, k)) as tf.Tensor3D, 0, k));
          dWeight.push(sumRows(tf.reshape(tf.mul(later, part(x3, 0, columns - k)), [rows * (columns - k), d])));
        }
        return [tf.reshape(dX, [total, d]), tf.stack(dWeight)];
      },
    };
  });
}

/**
 * The same at rest for rows that each follow the end of a sequence read before, not one another.
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
  const [rows, columns] = before.shape;
  const flat = tf.reshape(before, [rows * columns, d]);
  let sum = tf.reshape(x, [rows, total / rows, d]);
  for (let k = 1; k <= weight.shape[0]; k++) {
    const places = lengths.map((length, row) => row * columns + Math.max(0, length - k));
    const there = tf.tensor2d(
      lengths.map((length) => Number(length >= k)),
      [rows, 1],
    );
    const earlier = tf.mul(tf.mul(tf.gather(flat, tf.tensor1d(places, 'int32')), there), tap(weight, k));
    sum = tf.add(sum, tf.reshape(earlier, [rows, 1, d]));
  }
  return tf.reshape(sum, [total, d]);
}

const tap = (weight: tf.Tensor2D, k: number) => tf.slice(weight, [k - 1, 0], [1, weight.shape[1]]);

const padded = (x: tf.Tensor3D, before: number, after: number): tf.Tensor3D =>
  tf.pad(x, [
    [0, 0],
    [before, after],
    [0, 0],
  ]);

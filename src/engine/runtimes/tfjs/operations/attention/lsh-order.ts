import * as tf from '@tensorflow/tfjs-core';

export interface Bucketing {
  rows: number;
  heads: number;
  /** Places in a padded row. */
  all: number;
  /** Tokens in each row. */
  lengths: ArrayLike<number>;
  buckets: number;
  rounds: number;
  rotations: tf.Tensor3D | null;
}

/** Where tokens go when every round sorts them. G = H * B groups, R rounds, `all` places a row. */
export interface BucketOrder {
  /** [G * R * all] position in its row of the token at each sorted place, as a number to compute with. */
  time: tf.Tensor1D;
  /** [G * R * all] rows of [G * all, w] in sorted order, round after round. */
  sorted: tf.Tensor1D;
  /** [G * R * all] rows of sorted [G * R * all, w] in the order of time. */
  unsorted: tf.Tensor1D;
  /** [G * R * all] rows of timed [G * R * all, w] in sorted order. */
  withinRounds: tf.Tensor1D;
}

/**
 * The order by bucket, then position. The bucket of a vector is the one of the rotated axes and their opposites to
 * which it lies nearest (Andoni et al. 2015, as in Kitaev et al. 2020, section 2); padding has a bucket of its own
 * after all others.
 * @param q [G * all, dh]
 */
export function bucketOrder(q: tf.Tensor2D, bucketing: Bucketing): BucketOrder {
  const { rows, heads, all, lengths, buckets, rounds } = bucketing;
  const groups = heads * rows;
  const found = bucketsOf(q, bucketing); // [H, B, R, all]
  const real = tf.tensor4d(
    Float32Array.from({ length: rows * all }, (_, i) => (i % all < lengths[Math.floor(i / all)] ? 1 : 0)),
    [1, rows, 1, all],
  );
  const placed = tf.add(tf.mul(found, real), tf.mul(tf.sub(1, real), buckets));
  // Numbers up to (buckets + 1) * all, exact in float32 and all different within a row.
  const keys = tf.add(tf.mul(placed, all), tf.range(0, all, 1, 'float32'));
  const order = ascending(tf.reshape(keys, [groups * rounds, all]));
  const time = numbers(order);
  const inverse = ascending(time as tf.Tensor2D);

  const group = starts(groups * rounds, (i) => Math.floor(i / rounds) * all);
  const round = starts(groups * rounds, (i) => i * all);
  const line = (x: tf.Tensor) => tf.reshape(x, [groups * rounds * all]) as tf.Tensor1D;
  return {
    time: line(time),
    sorted: line(tf.add(order, group)),
    unsorted: line(tf.add(inverse, round)),
    withinRounds: line(tf.add(order, round)),
  };
}

function bucketsOf(q: tf.Tensor2D, { rows, heads, all, buckets, rounds, rotations }: Bucketing): tf.Tensor4D {
  if (!rotations || buckets === 1) return tf.zeros([heads, rows, rounds, all]);
  const byHead = tf.reshape(q, [heads, rows * all, q.shape[1]]);
  const turned = tf.reshape(tf.matMul(byHead, rotations), [heads * rows * all * rounds, buckets / 2]);
  const nearest = tf.argMax(tf.concat([turned, tf.neg(turned)], 1), 1);
  return tf.transpose(tf.reshape(numbers(nearest), [heads, rows, all, rounds]), [0, 1, 3, 2]);
}

/** Indices that sort each row of different numbers. */
function ascending(x: tf.Tensor2D): tf.Tensor2D {
  return tf.topk(tf.neg(x), x.shape[1]).indices;
}

/**
 * Whole numbers as float32. On WebGPU a cast only renames the type, and kernels that copy memory as it lies (transpose,
 * concat) then fail to compile; arithmetic makes it true.
 */
function numbers(x: tf.Tensor): tf.Tensor {
  return tf.add(tf.cast(x, 'float32'), tf.scalar(0));
}

/** [count, 1] offsets of rows that are looked up in one long list. */
function starts(count: number, at: (i: number) => number): tf.Tensor2D {
  return tf.tensor2d(
    Int32Array.from({ length: count }, (_, i) => at(i)),
    [count, 1],
    'int32',
  );
}

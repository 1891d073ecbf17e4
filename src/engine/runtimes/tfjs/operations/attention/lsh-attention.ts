import * as tf from '@tensorflow/tfjs-core';
import { MASKED, mergeHeads, mergeParts, splitParts } from './attention.ts';
import { foldPrevious, outOfChunks, padded, withPrevious } from './chunks.ts';
import { differentiable } from '../differentiable.ts';
import { bucketOrder } from './lsh-order.ts';

export interface LshSettings {
  /** Tokens in a chunk of the sorted row. */
  chunk: number;
  /** 1, or an even number. */
  buckets: number;
  /** Times that tokens are put into buckets. */
  rounds: number;
  /** [H, dh, rounds * buckets / 2]; null for one bucket. */
  rotations: tf.Tensor3D | null;
}

/** What a token's score of itself gets: it looks at itself only where it sees nothing else (Kitaev et al. 2020). */
const SELF = -1e5;
/** The place of the chunk before the first, which is none: later than every token, so that nothing sees it. */
const NOWHERE = 1e6;
/** Hugging Face's, under the mean of squares. */
const LENGTH_EPSILON = 1e-6;

/**
 * Causal LSH attention (Kitaev et al. 2020, "Reformer", section 2): keys are the queries at unit length. In each round
 * tokens are sorted by bucket and position and the sorted row is cut into chunks; a token sees the earlier tokens of
 * its own chunk and of the one before, which need not be of its bucket. Rounds are weighed by how much each saw, their
 * log-sum-exp; a token that a round's neighbours share counts in each. The first chunk has none before it (Hugging
 * Face's wraps round to the last).
 *
 * Places and buckets are found on the device. Sorting is a permutation, so its gradient is a look-up by the inverse
 * one: the gradient of a general look-up needs a kernel that the WASM backend lacks.
 * @param qv [B * T, 2d]: shared queries and keys, then values, each by head
 * @param lengths tokens in each row; padding is sorted behind everything and seen by nothing
 * @returns [B * T, d]
 */
export function lshAttention(
  qv: tf.Tensor2D,
  heads: number,
  lengths: ArrayLike<number>,
  { chunk: longest, buckets, rounds, rotations }: LshSettings,
): tf.Tensor2D {
  const rows = lengths.length;
  const columns = qv.shape[0] / rows;
  const chunk = Math.min(longest, columns);
  const count = Math.ceil(columns / chunk);
  const all = count * chunk;
  const groups = heads * rows;
  const size = qv.shape[1] / 2 / heads;

  const flat = (x: tf.Tensor4D) => tf.reshape(padded(x, all), [groups * all, size]) as tf.Tensor2D;
  const whole = (x: tf.Tensor) =>
    outOfChunks(tf.reshape(x, [groups, count, chunk, size]) as tf.Tensor4D, heads, columns);
  /** Rows of x picked by `places`, as chunks of every round [G * R, n, C, w]. */
  const picked = (x: tf.Tensor2D, places: tf.Tensor1D) =>
    tf.reshape(tf.gather(x, places), [groups * rounds, count, chunk, x.shape[1]]) as tf.Tensor4D;
  /** Chunks of every round in the order of time: [G, R, all, w]. */
  const timed = (x: tf.Tensor4D, places: tf.Tensor1D) =>
    tf.reshape(tf.gather(tf.reshape(x, [groups * rounds * all, x.shape[3]]), places), [
      groups,
      rounds,
      all,
      x.shape[3],
    ]);
  /** 1 / |q|, so that keys are q times it: [G * all, 1]. */
  const inverseLength = (q: tf.Tensor2D) =>
    tf.mul(tf.rsqrt(tf.add(tf.mean(tf.square(q), 1, true), LENGTH_EPSILON)), 1 / Math.sqrt(size));

  return differentiable<tf.Tensor2D, tf.Tensor[]>([qv], () => {
    const [q, v] = splitParts(qv, rows, heads, 2).map(flat);
    const bucketing = { rows, heads, all, lengths, buckets, rounds, rotations };
    const { time, sorted, unsorted, withinRounds } = bucketOrder(q, bucketing);
    const [own, amounts] = tf.tidy(() => {
      const keys = withPrevious(picked(tf.mul(q, inverseLength(q)) as tf.Tensor2D, sorted));
      const mask = sight(tf.reshape(time, [groups * rounds, count, chunk, 1]) as tf.Tensor4D);
      const scores = tf.tidy(() => tf.add(tf.matMul(picked(q, sorted), keys, false, true), mask) as tf.Tensor4D);
      mask.dispose();
      return softmaxAndAmount(scores);
    });
    const weights = tf.tidy(() => overRounds(timed(amounts, unsorted) as tf.Tensor4D));
    const out = tf.tidy(() => {
      const outs = timed(tf.matMul(own, withPrevious(picked(v, sorted))) as tf.Tensor4D, unsorted);
      return tf.reshape(tf.sum(tf.mul(outs, weights), 1), [groups * all, size]) as tf.Tensor2D;
    });
    // Probabilities over the tokens of all rounds together: from here on it is one softmax.
    const weightsSorted = picked(tf.reshape(weights, [groups * rounds * all, 1]) as tf.Tensor2D, withinRounds);
    return {
      value: mergeHeads(whole(out)),
      saved: [q, v, out, rounds > 1 ? tf.mul(own, weightsSorted) : own, sorted, unsorted],
      gradient: (dy, ...saved) => {
        const [q, v, out] = saved.slice(0, 3) as tf.Tensor2D[];
        const shares = saved[3] as tf.Tensor4D;
        const [sorted, unsorted] = saved.slice(4) as tf.Tensor1D[];
        const dOut = flat(splitParts(dy, rows, heads, 1)[0]);
        const dSorted = picked(dOut, sorted);
        const dScores = tf.tidy(() => {
          const inner = picked(tf.sum(tf.mul(dOut, out), 1, true) as tf.Tensor2D, sorted);
          const seen = tf.matMul(dSorted, withPrevious(picked(v, sorted)), false, true);
          return tf.mul(shares, tf.sub(seen, inner)) as tf.Tensor4D;
        });
        const inverse = inverseLength(q);
        const keys = tf.mul(q, inverse) as tf.Tensor2D;
        /** What every token gets from all rounds. */
        const back = (make: () => tf.Tensor) =>
          tf.tidy(() => tf.reshape(tf.sum(timed(make() as tf.Tensor4D, unsorted), 1), [groups * all, size]));
        const dValues = back(() => foldPrevious(tf.matMul(shares, dSorted, true, false) as tf.Tensor4D));
        const dKeys = back(() => foldPrevious(tf.matMul(dScores, picked(q, sorted), true, false) as tf.Tensor4D));
        const dQueries = back(() => tf.matMul(dScores, withPrevious(picked(keys, sorted))));
        // k = q / |q|: what lies along k itself changes nothing.
        const across = tf.sub(dKeys, tf.mul(keys, tf.sum(tf.mul(keys, dKeys), 1, true)));
        return [mergeParts([whole(tf.add(dQueries, tf.mul(across, inverse))), whole(dValues)])];
      },
    };
  });
}

/** Softmax over the last axis of scores, and their log-sum-exp [.., 1]. */
function softmaxAndAmount(scores: tf.Tensor4D): [tf.Tensor4D, tf.Tensor4D] {
  const most = tf.max(scores, 3, true);
  const raised = tf.exp(tf.sub(scores, most));
  const total = tf.sum(raised, 3, true);
  return [tf.div(raised, total), tf.add(most, tf.log(total))];
}

/** Additive mask [G, n, C, 2C] of chunks whose tokens stand at `time` [G, n, C, 1]. */
function sight(time: tf.Tensor4D): tf.Tensor4D {
  return tf.tidy(() => {
    const [groups, count, chunk] = time.shape;
    const others = withPrevious(time, tf.fill([groups, 1, chunk, 1], NOWHERE));
    // Whole numbers: 1 where the other comes later, 0 where it is the token itself.
    const ahead = tf.tidy(() => tf.clipByValue(tf.sub(tf.reshape(others, [groups, count, 1, 2 * chunk]), time), -1, 1));
    const self = tf.tidy(() => tf.mul(tf.sub(1, tf.abs(ahead)), SELF));
    const later = tf.tidy(() => tf.mul(tf.relu(ahead), MASKED));
    return tf.add(later, self);
  });
}

/** Softmax over the second axis of [G, R, T, 1]. */
function overRounds(amounts: tf.Tensor4D): tf.Tensor4D {
  const raised = tf.exp(tf.sub(amounts, tf.max(amounts, 1, true)));
  return tf.div(raised, tf.sum(raised, 1, true));
}

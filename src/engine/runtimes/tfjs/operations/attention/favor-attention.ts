import * as tf from '@tensorflow/tfjs-core';
import { FAVOR_CHUNK, type FavorKernel } from '../../../../../models/performer.ts';
import { mergeHeads, mergeParts, splitHeads, splitParts } from './attention.ts';
import { inChunks, outOfChunks } from './chunks.ts';
import { differentiable } from '../differentiable.ts';

/** What every ReLU feature has at least, so that no token sees nothing (the authors' kernel epsilon). */
const RELU_FLOOR = 1e-3;
/** Keeps a sum that underflowed from dividing by zero. */
const LEAST_SUM = 1e-20;

/**
 * Causal FAVOR+ (Choromanski et al. 2021, "Rethinking Attention with Performers", sections 2.3 and 2.4): a query sees
 * each key by the product of their random features, phi(q) . phi(k), which for the softmax kernel is exp(q . k /
 * sqrt(dh)) in the mean. Sums over all that lies left of a chunk are kept as one matrix [features, dh + 1], the last
 * column counting; within a chunk features meet pair by pair. It is the quadratic form exactly, at linear cost.
 *
 * Features are scaled by constants that cancel between the sum and its normaliser: of a query its greatest, of keys the
 * greatest in the row. The authors add 1e-4 to every softmax feature after that scaling, by which later tokens would
 * act on earlier ones; here nothing is added.
 * @param qkv [B * T, 3d]
 * @param features [m, dh]
 * @param longest tokens in a chunk
 * @returns [B * T, d]
 */
export function favorAttention(
  qkv: tf.Tensor2D,
  rows: number,
  heads: number,
  features: tf.Tensor2D,
  kernel: FavorKernel,
  longest: number = FAVOR_CHUNK,
): tf.Tensor2D {
  const columns = qkv.shape[0] / rows;
  const chunk = Math.min(longest, columns);
  const size = features.shape[1];
  const scale = size ** -0.25;
  const groups = heads * rows;
  const chunks = Math.ceil(columns / chunk);
  const lower = lowerTriangle(chunk);
  /** Sums over the chunks before each, or after each, of [G, n, m, w]. */
  const others = (x: tf.Tensor, after: boolean) => tf.cumsum(x, 1, true, after) as tf.Tensor4D;

  return differentiable<tf.Tensor2D, tf.Tensor[]>([qkv], () => {
    const [q, k, v] = splitHeads(qkv, rows, heads);
    const queries = inChunks(tf.mul(q, scale) as tf.Tensor4D, chunk);
    const keys = inChunks(tf.mul(k, scale) as tf.Tensor4D, chunk);
    // Padding counts as well: it lies right of everything.
    const values = tf.concat([inChunks(v, chunk), tf.ones<tf.Rank.R4>([groups, chunks, chunk, 1])], 3);
    const a = featuresOf(queries, features, kernel, false);
    const b = featuresOf(keys, features, kernel, true);
    const left = others(tf.matMul(b, values, true, false), false);
    const sums = tf.tidy(() => {
      const near = tf.mul(tf.matMul(a, b, false, true), lower);
      return tf.add(tf.matMul(near, values), tf.matMul(a, left)) as tf.Tensor4D;
    });
    const [sum, counted] = tf.split(sums, [size, 1], 3);
    const total = tf.add(counted, LEAST_SUM);
    const out = tf.div(sum, total) as tf.Tensor4D;
    return {
      value: mergeHeads(outOfChunks(out, heads, columns)),
      saved: [queries, keys, values, a, b, left, out, total, features, lower],
      gradient: (dy, ...saved) => {
        const [queries, keys, values, a, b, left, out, total] = saved as tf.Tensor4D[];
        const [features, lower] = saved.slice(8) as [tf.Tensor2D, tf.Tensor2D];
        const dSum = tf.div(inChunks(splitParts(dy, rows, heads, 1)[0], chunk), total);
        const dSums = tf.concat([dSum, tf.neg(tf.sum(tf.mul(dSum, out), 3, true))], 3) as tf.Tensor4D;
        const dRight = others(tf.matMul(a, dSums, true, false), true); // of the sums that a chunk goes into
        const dValues = tf.tidy(() => {
          const near = tf.mul(tf.matMul(a, b, false, true), lower);
          const all = tf.add(tf.matMul(near, dSums, true, false), tf.matMul(b, dRight));
          return tf.slice(all, [0, 0, 0, 0], [groups, chunks, chunk, size]) as tf.Tensor4D;
        });
        const dNear = tf.tidy(() => tf.mul(tf.matMul(dSums, values, false, true), lower));
        const dQueries = tf.tidy(() => {
          const dA = tf.add(tf.matMul(dNear, b), tf.matMul(dSums, left, false, true)) as tf.Tensor4D;
          return tf.mul(featuresGradient(dA, a, queries, features, kernel, false), scale) as tf.Tensor4D;
        });
        const dKeys = tf.tidy(() => {
          const dB = tf.add(tf.matMul(dNear, a, true, false), tf.matMul(values, dRight, false, true)) as tf.Tensor4D;
          return tf.mul(featuresGradient(dB, b, keys, features, kernel, true), scale) as tf.Tensor4D;
        });
        const parts = [dQueries, dKeys, dValues];
        return [mergeParts(parts.map((part) => outOfChunks(part, heads, columns)))];
      },
    };
  });
}

/** Features [G, n, C, m] of scaled queries or keys [G, n, C, dh]. */
function featuresOf(x: tf.Tensor4D, features: tf.Tensor2D, kernel: FavorKernel, ofKeys: boolean): tf.Tensor4D {
  return tf.tidy(() => {
    const [groups, chunks, chunk, size] = x.shape;
    const rows = tf.reshape(x, [groups * chunks * chunk, size]);
    const along = tf.reshape(tf.matMul(rows, features, false, true), [groups, chunks, chunk, features.shape[0]]);
    if (kernel === 'relu') return tf.add(tf.relu(along), RELU_FLOOR);
    // A query's own length cancels with its scale.
    if (!ofKeys) return tf.exp(tf.sub(along, tf.max(along, 3, true)));
    const exponents = tf.sub(along, tf.mul(tf.sum(tf.square(x), 3, true), 0.5));
    return tf.exp(tf.sub(exponents, tf.max(exponents, [1, 2, 3], true)));
  }) as tf.Tensor4D;
}

/** The gradient of featuresOf for x; `found` are the features. */
function featuresGradient(
  dy: tf.Tensor4D,
  found: tf.Tensor4D,
  x: tf.Tensor4D,
  features: tf.Tensor2D,
  kernel: FavorKernel,
  ofKeys: boolean,
): tf.Tensor4D {
  const [groups, chunks, chunk, count] = found.shape;
  const dAlong = tf.mul(dy, kernel === 'relu' ? tf.step(tf.sub(found, RELU_FLOOR)) : found);
  const flat = tf.reshape(dAlong, [groups * chunks * chunk, count]) as tf.Tensor2D;
  const dx = tf.reshape(tf.matMul(flat, features), x.shape) as tf.Tensor4D;
  if (kernel === 'relu' || !ofKeys) return dx;
  return tf.sub(dx, tf.mul(x, tf.sum(dAlong, 3, true)));
}

/** [C, C]: 1 where the second is not right of the first. */
function lowerTriangle(size: number): tf.Tensor2D {
  const values = new Float32Array(size * size);
  for (let i = 0; i < size; i++) values.fill(1, i * size, i * size + i + 1);
  return tf.tensor2d(values, [size, size]);
}

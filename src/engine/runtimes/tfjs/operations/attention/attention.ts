import * as tf from '@tensorflow/tfjs-core';
import { differentiable } from '../differentiable.ts';

/** Queries (scaled), keys, values, probabilities, what they gave, and the mask of dropout where there is one. */
type Saved = [tf.Tensor4D, tf.Tensor4D, tf.Tensor4D, tf.Tensor4D, tf.Tensor4D, tf.Tensor4D?];

/** What a masked score gets; exp of it is 0 in float32, and it is finite so that no NaN can come of it. */
export const MASKED = -1e9;

/**
 * [T, T] additive: each token sees itself and those before it, at most `window` in all. Right padding needs no more,
 * for nothing looks right.
 */
export function attentionMask(columns: number, window: number | null): tf.Tensor2D {
  const values = new Float32Array(columns * columns).fill(MASKED);
  for (let t = 0; t < columns; t++) {
    const first = window === null ? 0 : Math.max(0, t - window + 1);
    values.fill(0, t * columns + first, t * columns + t + 1);
  }
  return tf.tensor2d(values, [columns, columns]);
}

/**
 * Splits the rows of one projection into queries, keys and values by head.
 * @param qkv [B * C, 3d]: all queries, then keys, then values, each by head (GPT-2's order)
 * @returns three [H, B, C, dh]. Heads lead so that the three lie in one piece of memory each.
 */
export function splitHeads(qkv: tf.Tensor2D, rows: number, heads: number): [tf.Tensor4D, tf.Tensor4D, tf.Tensor4D] {
  return splitParts(qkv, rows, heads, 3) as [tf.Tensor4D, tf.Tensor4D, tf.Tensor4D];
}

/** As splitHeads, for any number of parts [B * C, parts * d]. */
export function splitParts(x: tf.Tensor2D, rows: number, heads: number, parts: number): tf.Tensor4D[] {
  const columns = x.shape[0] / rows;
  const size = x.shape[1] / parts / heads;
  const byHead = tf.transpose(tf.reshape(x, [rows, columns, parts * heads, size]), [2, 0, 1, 3]);
  const part = (i: number) => tf.slice(byHead, [i * heads, 0, 0, 0], [heads, rows, columns, size]) as tf.Tensor4D;
  return Array.from({ length: parts }, (_, i) => part(i));
}

/** The way back of splitParts: parts [H, B, C, dh] to [B * C, parts * d]. */
export function mergeParts(parts: tf.Tensor4D[]): tf.Tensor2D {
  return mergeHeads(parts.length > 1 ? tf.concat(parts, 0) : parts[0]);
}

/** [H, B, C, dh] to rows [B * C, d]. */
export function mergeHeads(x: tf.Tensor4D): tf.Tensor2D {
  const [heads, rows, columns, size] = x.shape;
  return tf.reshape(tf.transpose(x, [1, 2, 0, 3]), [rows * columns, heads * size]);
}

/**
 * Softmax attention of queries [H, B, C, dh] over keys and values [H, B, S, dh] under an additive mask that
 * broadcasts to [H, B, C, S].
 */
export function attend(queries: tf.Tensor4D, keys: tf.Tensor4D, values: tf.Tensor4D, mask: tf.Tensor): tf.Tensor4D {
  const scores = tf.matMul(tf.mul(queries, 1 / Math.sqrt(queries.shape[3])), keys, false, true);
  return tf.matMul(tf.softmax(tf.add(scores, mask)), values) as tf.Tensor4D;
}

/**
 * Attention for training, from one projection to the merged heads, with a gradient of its own: stock operations would
 * keep the scores as well as the probabilities and walk over [H, B, T, T] about twice as often.
 * @param qkv [B * T, 3d]
 * @param mask [T, T]
 * @param kept mask of inverted dropout on the probabilities, [H, B, T, T], or null.
 * @returns [B * T, d]
 */
export function selfAttention(
  qkv: tf.Tensor2D,
  rows: number,
  heads: number,
  mask: tf.Tensor,
  kept: tf.Tensor4D | null,
): tf.Tensor2D {
  return differentiable<tf.Tensor2D, tf.Tensor4D[]>([qkv], () => {
    const [q, keys, values] = splitHeads(qkv, rows, heads);
    const scale = 1 / Math.sqrt(q.shape[3]);
    const queries = tf.mul(q, scale) as tf.Tensor4D;
    const probabilities = tf.softmax(tf.add(tf.matMul(queries, keys, false, true), mask)) as tf.Tensor4D;
    const out = tf.matMul(kept ? tf.mul(probabilities, kept) : probabilities, values) as tf.Tensor4D;
    return {
      value: mergeHeads(out),
      saved: kept ? [queries, keys, values, probabilities, out, kept] : [queries, keys, values, probabilities, out],
      gradient: (dy, ...saved) => {
        const [queries, keys, values, probabilities, out, kept] = saved as Saved;
        const [h, b, t, size] = out.shape;
        const dOut = tf.transpose(tf.reshape(dy, [b, t, h, size]), [2, 0, 1, 3]);
        const dValues = tf.matMul(kept ? tf.mul(probabilities, kept) : probabilities, dOut, true, false);
        const dDropped = tf.matMul(dOut, values, false, true);
        const dProbabilities = kept ? tf.mul(dDropped, kept) : dDropped;
        // The softmax's inner sum over keys equals dOut . out (Dao et al. 2022, FlashAttention, appendix B.2), dropout or not.
        const inner = tf.sum(tf.mul(dOut, out), 3, true);
        const dScores = tf.mul(probabilities, tf.sub(dProbabilities, inner));
        const dQueries = tf.mul(tf.matMul(dScores, keys), scale);
        const dKeys = tf.matMul(dScores, queries, true, false);
        return [mergeParts([dQueries, dKeys, dValues] as tf.Tensor4D[])];
      },
    };
  });
}

import * as tf from '@tensorflow/tfjs-core';
import { attentionMask, MASKED, mergeHeads, mergeParts, selfAttention, splitHeads, splitParts } from './attention.ts';
import { foldPrevious, inChunks, outOfChunks, withPrevious } from './chunks.ts';
import { differentiable } from '../differentiable.ts';
import type { Dropout } from '../dropout.ts';

/** [1, n, C, 2C] additive: a token sees itself, those before it in its chunk, and the chunk before. */
export function localMask(count: number, chunk: number): tf.Tensor4D {
  const values = new Float32Array(count * chunk * 2 * chunk).fill(MASKED);
  for (let place = 0; place < count * chunk; place++) {
    const own = place % chunk;
    const first = place < chunk ? chunk : 0;
    values.fill(0, place * 2 * chunk + first, place * 2 * chunk + chunk + own + 1);
  }
  return tf.tensor4d(values, [1, count, chunk, 2 * chunk]);
}

/**
 * Causal attention in chunks (Kitaev et al. 2020; the "local" layers of Hugging Face's Reformer): a token sees the
 * tokens before it in its own chunk and the whole chunk before. A row that fits into one chunk is attended in full.
 * @param qkv [B * T, 3d]
 * @param dropout its next mask falls on the probabilities
 * @returns [B * T, d]
 */
export function localAttention(
  qkv: tf.Tensor2D,
  rows: number,
  heads: number,
  chunk: number,
  dropout: Dropout,
): tf.Tensor2D {
  const columns = qkv.shape[0] / rows;
  if (chunk >= columns)
    return selfAttention(
      qkv,
      rows,
      heads,
      attentionMask(columns, null),
      dropout.mask<tf.Rank.R4>([heads, rows, columns, columns]),
    );
  const count = Math.ceil(columns / chunk);
  const mask = localMask(count, chunk);
  const kept = dropout.mask<tf.Rank.R4>([heads * rows, count, chunk, 2 * chunk]);
  return differentiable<tf.Tensor2D, tf.Tensor4D[]>([qkv], () => {
    const [q, k, v] = splitHeads(qkv, rows, heads);
    const scale = 1 / Math.sqrt(q.shape[3]);
    const queries = inChunks(tf.mul(q, scale) as tf.Tensor4D, chunk);
    const [keys, values] = [inChunks(k, chunk), inChunks(v, chunk)];
    const scores = tf.matMul(queries, withPrevious(keys), false, true);
    const probabilities = tf.softmax(tf.add(scores, mask)) as tf.Tensor4D;
    const dropped = kept ? tf.mul(probabilities, kept) : probabilities;
    const out = tf.matMul(dropped, withPrevious(values)) as tf.Tensor4D;
    return {
      value: mergeHeads(outOfChunks(out, heads, columns)),
      saved: kept ? [queries, keys, values, probabilities, out, kept] : [queries, keys, values, probabilities, out],
      gradient: (dy, queries, keys, values, probabilities, out, kept?: tf.Tensor4D) => {
        const dOut = inChunks(splitParts(dy, rows, heads, 1)[0], chunk);
        const dDropped = tf.matMul(dOut, withPrevious(values), false, true);
        const dProbabilities = kept ? tf.mul(dDropped, kept) : dDropped;
        // As in selfAttention: the softmax's inner sum over keys equals dOut . out.
        const inner = tf.sum(tf.mul(dOut, out), 3, true);
        const dScores = tf.mul(probabilities, tf.sub(dProbabilities, inner));
        const used = kept ? tf.mul(probabilities, kept) : probabilities;
        const parts = [
          tf.mul(tf.matMul(dScores, withPrevious(keys)), scale) as tf.Tensor4D,
          foldPrevious(tf.matMul(dScores, queries, true, false) as tf.Tensor4D),
          foldPrevious(tf.matMul(used, dOut, true, false) as tf.Tensor4D),
        ];
        return [mergeParts(parts.map((part) => outOfChunks(part, heads, columns)))];
      },
    };
  });
}

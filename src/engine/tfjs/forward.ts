import * as tf from '@tensorflow/tfjs-core';
import { finalNorm, layerName, positionEmbedding, tokenEmbedding, type GptConfig } from '../../models/gpt.ts';
import { attend, mergeHeads, selfAttention, splitHeads, type KeysValues } from './attention.ts';
import { dropped, type Dropout } from './dropout.ts';
import { embed, embedAt } from './embedding.ts';
import { gelu } from './gelu.ts';
import { layerNorm } from './layer-norm.ts';
import { linear, residual, tiedHead } from './linear.ts';

/** A model's parameters on the device, by name. */
export type Parameters = ReadonlyMap<string, tf.Tensor>;

/** What a masked score gets; exp of it is 0 in float32, and it is finite so that no NaN can come of it. */
export const MASKED = -1e9;

/** How the new tokens of each row see: each other, and what went before. */
export interface Chunk {
  /** [B * C, V] one-hot rows. */
  oneHot: tf.Tensor2D;
  rows: number;
  /** [B * C] positions, int32; null when every row starts at 0. */
  positions: tf.Tensor1D | null;
  /** Additive mask, broadcasting to [H, B, C, S] where S is the cache's length plus C. */
  mask: tf.Tensor;
  /** Keys and values of the tokens before, one for each layer. */
  cache: readonly KeysValues[] | null;
}

/** [T, T]: each token sees itself and those before it. Right padding needs no more, for nothing looks right. */
export function causalMask(columns: number): tf.Tensor2D {
  const values = new Float32Array(columns * columns);
  for (let i = 0; i < columns; i++) values.fill(MASKED, i * columns + i + 1, (i + 1) * columns);
  return tf.tensor2d(values, [columns, columns]);
}

/** Attention as one layer runs it: from the projection [B * C, 3d] to the merged heads [B * C, d]. */
type Attention = (qkv: tf.Tensor2D, layer: number) => tf.Tensor2D;

function block(
  p: Parameters,
  layer: number,
  x: tf.Tensor2D,
  attention: Attention,
  drop: (x: tf.Tensor2D) => tf.Tensor2D,
): tf.Tensor2D {
  const h = layerName(layer);
  const norm = (x: tf.Tensor2D, name: string) =>
    layerNorm(x, p.get(`${name}.weight`) as tf.Tensor1D, p.get(`${name}.bias`) as tf.Tensor1D);
  const project = (x: tf.Tensor2D, name: string) =>
    linear(x, p.get(`${name}.weight`) as tf.Tensor2D, p.get(`${name}.bias`) as tf.Tensor1D);

  const attended = attention(project(norm(x, `${h}.ln_1`), `${h}.attn.c_attn`), layer);
  const middle = residual(x, drop(project(attended, `${h}.attn.c_proj`)));
  const wide = gelu(project(norm(middle, `${h}.ln_2`), `${h}.mlp.c_fc`));
  return residual(middle, drop(project(wide, `${h}.mlp.c_proj`)));
}

function normalised(p: Parameters, x: tf.Tensor2D): tf.Tensor2D {
  return layerNorm(x, p.get(`${finalNorm}.weight`) as tf.Tensor1D, p.get(`${finalNorm}.bias`) as tf.Tensor1D);
}

/** Logits [N, V] of hidden rows [N, d], by the tied head. */
export function head(p: Parameters, hidden: tf.Tensor2D): tf.Tensor2D {
  return tiedHead(hidden, p.get(tokenEmbedding) as tf.Tensor2D);
}

/**
 * The model in training: hidden rows [B * T, d] after the last norm, of rows [B, T] that start at position 0.
 * Dropout falls where GPT-2 has it: on the embedding, the attention probabilities and both residual branches.
 */
export function forwardForTraining(
  config: GptConfig,
  p: Parameters,
  oneHot: tf.Tensor2D,
  rows: number,
  dropout: Dropout,
): tf.Tensor2D {
  const columns = oneHot.shape[0] / rows;
  const mask = causalMask(columns);
  const drop = (x: tf.Tensor2D) => dropped(x, dropout.mask<tf.Rank.R2>([x.shape[0], x.shape[1]]));
  let x = drop(embed(oneHot, p.get(tokenEmbedding) as tf.Tensor2D, p.get(positionEmbedding) as tf.Tensor2D, columns));
  for (let layer = 0; layer < config.layers; layer++) {
    const kept = dropout.mask<tf.Rank.R4>([config.heads, rows, columns, columns]);
    x = block(p, layer, x, (qkv) => selfAttention(qkv, rows, config.heads, mask, kept), drop);
  }
  return normalised(p, x);
}

/**
 * The model at rest: hidden rows [B * C, d] of new tokens that see a cache and each other under a mask, and, where
 * `keep` is set, the keys and values of cache and chunk together (the caller disposes them).
 */
export function forward(
  config: GptConfig,
  p: Parameters,
  chunk: Chunk,
  keep: boolean,
): { hidden: tf.Tensor2D; cache: KeysValues[] } {
  const cache: KeysValues[] = [];
  const hidden = tf.tidy(() => {
    const tokens = p.get(tokenEmbedding) as tf.Tensor2D;
    const places = p.get(positionEmbedding) as tf.Tensor2D;
    let x = chunk.positions
      ? embedAt(chunk.oneHot, tokens, places, chunk.positions)
      : embed(chunk.oneHot, tokens, places, chunk.oneHot.shape[0] / chunk.rows);
    for (let layer = 0; layer < config.layers; layer++) {
      const before = chunk.cache?.[layer];
      const attention: Attention = (qkv) => {
        const [q, k, v] = splitHeads(qkv, chunk.rows, config.heads);
        const keys = before ? tf.concat([before.keys, k], 2) : k;
        const values = before ? tf.concat([before.values, v], 2) : v;
        if (keep) cache.push({ keys: tf.keep(keys), values: tf.keep(values) });
        return mergeHeads(attend(q, { keys, values }, chunk.mask));
      };
      const input = x;
      x = tf.tidy(() => block(p, layer, input, attention, (y) => y));
      input.dispose();
    }
    return normalised(p, x);
  });
  return { hidden, cache };
}

export function disposeCache(cache: readonly KeysValues[]): void {
  for (const { keys, values } of cache) tf.dispose([keys, values]);
}

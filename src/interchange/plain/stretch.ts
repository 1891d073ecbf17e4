import { finalNorm, LAYER_NORM_EPSILON, layerName, positionEmbedding, tokenEmbedding } from '../../models/gpt.ts';
import type { ModelConfig } from '../../models/model.ts';
import { LFM2_NORM_EPSILON, lfm2Layout } from '../../models/lfm2.ts';
import { modernTokenEmbedding, type ModernLayout } from '../../models/modern.ts';
import { sizeOf } from '../../models/parameters.ts';
import { qwen3Layout, RMS_NORM_EPSILON } from '../../models/qwen3.ts';

/** Kinds that Hugging Face has a class for. */
export type PlainKind = Extract<ModelConfig, { kind: 'gpt2' | 'qwen3' | 'lfm2' }>;

/** How one parameter's array changes when the residual stream gets more columns. */
export interface Stretch {
  name: string;
  /** Its shape in axes that grow one by one: the three parts of a product, the heads, a head's columns. */
  narrow: number[];
  /** The same axes in the wider model; what is new is zero. */
  wide: number[];
  /** What the array is multiplied with. */
  factor: number;
  /** Whether the mean over the last axis is taken away first. */
  centred: boolean;
  /** A further factor of the first of three parts, the queries, which are the axis before heads and columns. */
  queries?: number;
}

/** What of a model's sizes the columns that are added decide. */
export interface Widening {
  /** Columns added to the residual stream. */
  added: number;
  /** Squared length of what stands in them in every row, so that the norms stay what they are. */
  length: number;
  stretches: Stretch[];
  /** The weight of the norm before the head. */
  finalNorm: string;
  /** The table that rows are read from; the head is `lm_head.weight`. */
  embedding: string;
}

/** What goes into the residual stream is doubled: then norms of more columns have an exact place for the new ones. */
export const DOUBLED = 2;

/**
 * A model's arrays with at least so many columns more in the residual stream, with which it computes the same. A norm
 * divides by sqrt(|x|² / d + e). With x doubled and c standing in m new columns it divides by
 * sqrt((4|x|² + c) / (d + m) + e), which is sqrt(4d / (d + m)) times as much where c = e (3d - m); the norm's weights make
 * up for that factor. A layer norm takes the mean away besides: so whatever is written into the stream has none, which it
 * could not see, and what stands in the new columns must have none.
 */
export function wideningOf(model: PlainKind, states: number): Widening {
  // In a GPT-2 one column balances the mark, one what rounding leaves of the mean in all of them.
  let added = states + (model.kind === 'gpt2' ? 2 : 0);
  // A GPT-2's heads share the columns; transformers.js 3 divides an LFM2's by them as well, for its empty caches.
  while ((model.width + added) % model.heads !== 0) added++;
  return model.kind === 'gpt2' ? gptWidening(model, added) : modernWidening(model, added);
}

const normFactor = (d: number, added: number): number => Math.sqrt(d / (d + added));

const stretch = (name: string, narrow: number[], wide: number[], factor = 1, centred = false): Stretch => {
  return { name, narrow, wide, factor, centred };
};

function modernWidening(model: Exclude<PlainKind, { kind: 'gpt2' }>, added: number): Widening {
  const layout: ModernLayout = model.kind === 'qwen3' ? qwen3Layout(model) : lfm2Layout(model);
  const epsilon = model.kind === 'qwen3' ? RMS_NORM_EPSILON : LFM2_NORM_EPSILON;
  const { width: d, heads, mlp } = layout;
  const w = d + added;
  const norm = (name: string) => stretch(name, [d], [w], normFactor(d, added));
  const stretches = layout.layers.flatMap(({ mixer, gate, up, down, mixerNorm, feedForwardNorm }) => [
    ...(mixer.kind === 'convolution'
      ? [
          stretch(mixer.convolution, [d, 1, mixer.taps], [w, 1, mixer.taps]),
          stretch(mixer.into, [3, d, d], [3, w, w]),
          stretch(mixer.out, [d, d], [w, w], DOUBLED),
        ]
      : [
          ...[mixer.query, mixer.key, mixer.value].map((name) => stretch(name, [d, d], [d, w])),
          stretch(mixer.out, [d, d], [w, d], DOUBLED),
          ...[mixer.queryNorm, mixer.keyNorm].map((name) => stretch(name, [d / heads], [d / heads])),
        ]),
    ...[gate, up].map((name) => stretch(name, [mlp, d], [mlp, w])),
    stretch(down, [d, mlp], [w, mlp], DOUBLED),
    ...[mixerNorm, feedForwardNorm].map(norm),
  ]);
  return {
    ...{ added, length: epsilon * (3 * d - added), finalNorm: layout.finalNorm, embedding: modernTokenEmbedding },
    stretches: [...stretches, norm(layout.finalNorm)],
  };
}

function gptWidening(model: Extract<PlainKind, { kind: 'gpt2' }>, added: number): Widening {
  const { width: d, heads, layers, context } = model;
  const w = d + added;
  const [of, to] = [d / heads, w / heads];
  const writes = (name: string, narrow: number[], wide: number[]) => stretch(name, narrow, wide, DOUBLED, true);
  const norm = (name: string) => [
    stretch(`${name}.weight`, [d], [w], normFactor(d, added)),
    stretch(`${name}.bias`, [d], [w]),
  ];
  // Attention divides by the square root of a head's columns, of which there are more.
  const queries = Math.sqrt(to / of);
  const stretches = Array.from({ length: layers }, (_, layer) => layerName(layer)).flatMap((h) => [
    ...norm(`${h}.ln_1`),
    { ...stretch(`${h}.attn.c_attn.weight`, [d, 3, heads, of], [w, 3, heads, to]), queries },
    { ...stretch(`${h}.attn.c_attn.bias`, [3, heads, of], [3, heads, to]), queries },
    writes(`${h}.attn.c_proj.weight`, [heads, of, d], [heads, to, w]),
    writes(`${h}.attn.c_proj.bias`, [d], [w]),
    ...norm(`${h}.ln_2`),
    stretch(`${h}.mlp.c_fc.weight`, [d, 4 * d], [w, 4 * d]),
    stretch(`${h}.mlp.c_fc.bias`, [4 * d], [4 * d]),
    writes(`${h}.mlp.c_proj.weight`, [4 * d, d], [4 * d, w]),
    writes(`${h}.mlp.c_proj.bias`, [d], [w]),
  ]);
  return {
    ...{ added, length: LAYER_NORM_EPSILON * (3 * d - added) },
    ...{ finalNorm: `${finalNorm}.weight`, embedding: tokenEmbedding },
    stretches: [writes(positionEmbedding, [context, d], [context, w]), ...stretches, ...norm(finalNorm)],
  };
}

/** An array with more on its axes, zeros, or with less; the flat array of the wider shape, or of the narrower. */
export function resized(data: Float32Array, from: readonly number[], to: readonly number[]): Float32Array {
  const result = new Float32Array(sizeOf(to));
  const copy = (axis: number, source: number, target: number): void => {
    const count = Math.min(from[axis], to[axis]);
    if (axis === from.length - 1) {
      result.set(data.subarray(source, source + count), target);
      return;
    }
    const [stepFrom, stepTo] = [sizeOf(from.slice(axis + 1)), sizeOf(to.slice(axis + 1))];
    for (let i = 0; i < count; i++) copy(axis + 1, source + i * stepFrom, target + i * stepTo);
  };
  copy(0, 0, 0);
  return result;
}

/** `data` [..., d] without the mean of each row, in place. */
export function centre(data: Float32Array, d: number): Float32Array {
  for (let row = 0; row < data.length; row += d) {
    let sum = 0;
    for (let i = row; i < row + d; i++) sum += data[i];
    for (let i = row; i < row + d; i++) data[i] -= sum / d;
  }
  return data;
}

import * as tf from '@tensorflow/tfjs-core';
import {
  attend,
  attentionMask,
  MASKED,
  mergeHeads,
  selfAttention,
  splitHeads,
} from '../operations/attention/attention.ts';
import { dropped } from '../operations/dropout.ts';
import type { Inputs } from './inputs.ts';
import { tiedHead } from '../operations/linear.ts';
import type { LeafPass, Memory, Network, Parameters } from './network.ts';

/** Attention as one layer runs it: from the projection [B * C, 3d] to the merged heads [B * C, d]. */
export type Attention = (qkv: tf.Tensor2D, layer: number) => tf.Tensor2D;

/**
 * Rows [B * C, D] that are mixed with earlier ones of their sequence: by `whole` where they begin it, by `after` where
 * each follows the first `lengths` of the rows [B, S, D] that were read before.
 */
export type Mix = (
  rows: tf.Tensor2D,
  whole: (rows: tf.Tensor2D) => tf.Tensor2D,
  after: (rows: tf.Tensor2D, before: tf.Tensor3D, lengths: readonly number[]) => tf.Tensor2D,
) => tf.Tensor2D;

/**
 * One layer on rows x [B * C, d]; `drop` falls on what is added to the residual stream. Without `mix`, rows are whole
 * sequences.
 */
export type Block = (
  layer: number,
  x: tf.Tensor2D,
  attention: Attention,
  drop: (x: tf.Tensor2D) => tf.Tensor2D,
  mix?: Mix,
) => tf.Tensor2D;

/** What the families of transformers do each in their own way; the rest is one for all. */
export interface Family {
  layers: number;
  heads: number;
  context: number;
  window: number | null;
  /** Name of the head's matrix [V, d]: the token embedding where they are tied. */
  head: string;
  /** Embedded rows [B * C, d] before dropout, and the layers. `positions` [B * C]; null when every row starts at 0. */
  begin(p: Parameters, inputs: Inputs, positions: Int32Array | null): { x: tf.Tensor2D; block: Block };
  finalNorm(p: Parameters, x: tf.Tensor2D): tf.Tensor2D;
}

/** How the new tokens of each row see: each other, and what went before. */
interface View {
  positions: Int32Array | null;
  /** Additive mask, broadcasting to [H, B, C, S] where S is the memory's length plus C. */
  mask: tf.Tensor;
  /** Keys, values and mixed rows of the tokens before. */
  memory: Memory | null;
  /** How many tokens each row has before; null without memory. */
  lengths: readonly number[] | null;
  /** Whether the memory of all is kept; the caller disposes them. */
  keep: boolean;
}

export function transformer(family: Family): Network {
  const head = (p: Parameters, hidden: tf.Tensor2D) => tiedHead(hidden, p.get(family.head) as tf.Tensor2D);

  /** The model without dropout: hidden rows [B * C, d] after the last norm. */
  function hiddenRows(p: Parameters, inputs: Inputs, view: View): { hidden: tf.Tensor2D; memory: Memory } {
    const memory: tf.Tensor[][] = [];
    const hidden = tf.tidy(() => {
      const { x: embedded, block } = family.begin(p, inputs, view.positions);
      let x = embedded;
      for (let layer = 0; layer < family.layers; layer++) {
        const kept: tf.Tensor[] = [];
        /** What the layer has of the tokens before, in the order of asking, and with the new ones behind it. */
        const remembered = <T extends tf.Tensor>(own: T, axis: number) => {
          const before = view.memory?.[layer][kept.length] as T | undefined;
          const all = before ? tf.concat([before, own], axis) : own;
          kept.push(view.keep ? tf.keep(all) : all);
          return { before, all };
        };
        const mix: Mix = (rows, whole, after) => {
          const own = tf.reshape(rows, [inputs.rows, inputs.columns, -1]) as tf.Tensor3D;
          const { before } = remembered(own, 1);
          return before ? after(rows, before, view.lengths!) : whole(rows);
        };
        const attention: Attention = (qkv) => {
          const [q, k, v] = splitHeads(qkv, inputs.rows, family.heads);
          return mergeHeads(attend(q, remembered(k, 2).all, remembered(v, 2).all, view.mask));
        };
        const input = x;
        x = tf.tidy(() => block(layer, input, attention, (y) => y, mix));
        input.dispose();
        if (view.keep) memory.push(kept);
      }
      return family.finalNorm(p, x);
    });
    return { hidden, memory };
  }

  const wholeView = (columns: number, keep: boolean): View => ({
    positions: null,
    mask: attentionMask(columns, family.window),
    memory: null,
    lengths: null,
    keep,
  });

  return {
    /** Dropout falls where GPT-2 has it: on the embedding, the attention probabilities and both residual branches. */
    trainingLogits(p, inputs, dropout) {
      const { rows, columns } = inputs;
      const mask = attentionMask(columns, family.window);
      const drop = (x: tf.Tensor2D) => dropped(x, dropout.mask<tf.Rank.R2>([x.shape[0], x.shape[1]]));
      const { x: embedded, block } = family.begin(p, inputs, null);
      let x = drop(embedded);
      for (let layer = 0; layer < family.layers; layer++) {
        const kept = dropout.mask<tf.Rank.R4>([family.heads, rows, columns, columns]);
        x = block(layer, x, (qkv) => selfAttention(qkv, rows, family.heads, mask, kept), drop);
      }
      return head(p, family.finalNorm(p, x));
    },

    logits: (p, inputs) => tf.tidy(() => head(p, hiddenRows(p, inputs, wholeView(inputs.columns, false)).hidden)),

    leafLogits(p, { inputs, lengths, leaves, most }) {
      let memory: Memory = [];
      const roots = tf.tidy(() => {
        const run = hiddenRows(p, inputs, wholeView(inputs.columns, leaves !== null));
        memory = run.memory;
        const last = lengths.map((length, row) => row * inputs.columns + length - 1);
        return head(p, tf.gather(run.hidden, tf.tensor1d(last, 'int32')));
      });
      if (!leaves) return { roots, ends: null };
      const ends = tf.tidy(() => {
        const view = { ...leafView(lengths, inputs.columns, most, family), memory, lengths, keep: false };
        return head(p, hiddenRows(p, leaves, view).hidden);
      });
      tf.dispose(memory.flat());
      return { roots, ends };
    },

    extend(p, inputs, memory, length) {
      let all: Memory = [];
      const next = tf.tidy(() => {
        const view = memory
          ? {
              ...{ positions: Int32Array.of(length), mask: lastRow(length + 1, family.window) },
              ...{ memory, lengths: [length], keep: true },
            }
          : wholeView(inputs.columns, true);
        const run = hiddenRows(p, inputs, view);
        all = run.memory;
        return head(p, tf.slice(run.hidden, [inputs.columns - 1, 0], [1, run.hidden.shape[1]]));
      });
      return { next, memory: all };
    },
  };
}

/** Leaves stand at the position after their prefix and see it and themselves, not each other. */
function leafView(
  lengths: LeafPass['lengths'],
  columns: number,
  most: number,
  { context, window }: Family,
): Pick<View, 'positions' | 'mask'> {
  const rows = lengths.length;
  const width = columns + most;
  const positions = new Int32Array(rows * most);
  const mask = new Float32Array(rows * most * width).fill(MASKED);
  lengths.forEach((length, row) => {
    for (let leaf = 0; leaf < most; leaf++) {
      const place = row * most + leaf;
      // Places without a leaf are computed and dropped; any position of the model will do.
      positions[place] = Math.min(length, context - 1);
      mask.fill(0, place * width + firstSeen(length, window), place * width + length);
      mask[place * width + columns + leaf] = 0;
    }
  });
  return { positions, mask: tf.tensor3d(mask, [rows, most, width]) };
}

/** [1, columns]: what the last of so many tokens sees. */
function lastRow(columns: number, window: number | null): tf.Tensor2D {
  const values = new Float32Array(columns).fill(MASKED);
  return tf.tensor2d(values.fill(0, firstSeen(columns - 1, window)), [1, columns]);
}

/** The first position that the token at `position` sees. */
function firstSeen(position: number, window: number | null): number {
  return window === null ? 0 : Math.max(0, position - window + 1);
}

import type * as tf from '@tensorflow/tfjs-core';
import type { Dropout } from '../operations/dropout.ts';
import type { Inputs } from './inputs.ts';

/** A model's parameters on the device, by name. */
export type Parameters = ReadonlyMap<string, tf.Tensor>;

/**
 * What a model keeps of the tokens it has read, layer by layer: keys and values, the rows that a shift or a convolution
 * looks back on, or hidden and cell state.
 */
export type Memory = readonly (readonly tf.Tensor[])[];

/** Prefixes and their leaves in one pass, as `leafLogits` has checked them; `inputs` are the prefixes, right-padded. */
export interface LeafPass {
  inputs: Inputs;
  /** [B] tokens in each prefix. */
  lengths: readonly number[];
  /** One row of leaves a prefix, padded to the same number; null where no prefix has any. */
  leaves: Inputs | null;
  /** Leaves of each row. */
  most: number;
}

/** A kind of model in TF.js operations. Functions leave only what they return on the device. */
export interface Network {
  /** Logits [B * T, V] of whole rows in training; gradients run through it. */
  trainingLogits(p: Parameters, inputs: Inputs, dropout: Dropout): tf.Tensor2D;
  /** Logits [B * T, V] of whole rows in inference. */
  logits(p: Parameters, inputs: Inputs): tf.Tensor2D;
  /** Logits [B, V] after each prefix and [B * most, V] after each leaf. */
  leafLogits(p: Parameters, pass: LeafPass): { roots: tf.Tensor2D; ends: tf.Tensor2D | null };
  /**
   * Logits [1, V] after new tokens of one row that has `length` before them in `memory` (null for none; else `inputs`
   * is one token), and the memory that holds all, which the caller disposes.
   */
  extend(p: Parameters, inputs: Inputs, memory: Memory | null, length: number): { next: tf.Tensor2D; memory: Memory };
  /**
   * Parameters that are drawn and not learned, where the next step, after `steps` of them, begins with fresh ones.
   * `seed` is the step's.
   */
  redrawn?(steps: number, seed: number): (readonly [name: string, values: Float32Array])[];
}

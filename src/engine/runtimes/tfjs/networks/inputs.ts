import type * as tf from '@tensorflow/tfjs-core';
import { slotsOf, type SlotGrammar } from '../../../../base/slot-grammar.ts';
import type { ModelConfig } from '../../../../models/model.ts';
import { oneHotRows } from '../operations/one-hot.ts';

/** Rows of tokens as a network reads them. */
export interface Inputs {
  /** [B * C, V] one-hot rows; a row of zeros where no token stands. */
  oneHot: tf.Tensor2D;
  /** [B * C, S] one-hot slots of the tokens; null where the model has no slot embedding. */
  slots: tf.Tensor2D | null;
  rows: number;
  /** C */
  columns: number;
  /** [B] tokens in each row; what comes after is padding. */
  lengths: ArrayLike<number>;
}

export function grammarOf(model: ModelConfig): SlotGrammar | null {
  // Models written down before Qwen3 had slots say nothing of them.
  return model.slots ?? null;
}

/**
 * Tokens with the slots they are known to have.
 * @param ids [B * C] token ids, -1 where nothing stands; `slots` the same.
 */
export function inputsOf(
  model: ModelConfig,
  ids: Int32Array,
  slots: Int32Array | null,
  rows: number,
  lengths: ArrayLike<number> = new Array<number>(rows).fill(ids.length / rows),
): Inputs {
  const grammar = grammarOf(model);
  return {
    oneHot: oneHotRows(ids, model.vocabulary),
    slots: grammar && slots && oneHotRows(slots, grammar.count),
    rows,
    columns: ids.length / rows,
    lengths,
  };
}

/** Whole rows: the grammar is in its first state where each begins, and ends with the row's last token. */
export function wholeRows(model: ModelConfig, ids: Int32Array, lengths: ArrayLike<number>): Inputs {
  const rows = lengths.length;
  const grammar = grammarOf(model);
  if (grammar === null) return inputsOf(model, ids, null, rows, lengths);
  const columns = ids.length / rows;
  const slots = new Int32Array(ids.length).fill(-1);
  for (let row = 0; row < rows; row++) {
    const own = ids.subarray(row * columns, (row + 1) * columns);
    const end = own.indexOf(-1);
    slots.set(slotsOf(grammar, end < 0 ? own : own.subarray(0, end)).slots, row * columns);
  }
  return inputsOf(model, ids, slots, rows, lengths);
}

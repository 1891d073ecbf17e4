import { SEGMENT_FIELDS, type PackedBatch } from '../../plan/pack.ts';
import type { References } from '../reference.ts';

export const shiftReferences: References<'shift' | 'shiftGradient' | 'shiftWeightGradient'> = {
  /** A causal convolution of each channel by itself, the newest tap one: out[t] = x[t] + sum_k weight[k - 1] x[t - k]. */
  shift({ x, weight, out }, call, { batch }) {
    const d = call.x.columns;
    const rows = Array.from({ length: batch.count }, (_, n) => batch.firstRow + n);
    for (const row of rows) for (let c = 0; c < d; c++) out[row * d + c] = x[row * d + c];
    for (const { row, earlier, back } of pairs(batch, 1, tapsOf(call.weight)))
      for (let c = 0; c < d; c++) out[row * d + c] += weight[(back - 1) * d + c] * x[earlier * d + c];
  },

  /** Only for segments without a history, as the gradient of the weight. */
  shiftGradient({ dOut, weight, dX }, call, { batch }) {
    const d = call.dX.columns;
    for (let i = batch.firstRow * d; i < (batch.firstRow + batch.count) * d; i++) dX[i] = dOut[i];
    for (const { row, earlier, back } of pairs(batch, 1, tapsOf(call.weight)))
      for (let c = 0; c < d; c++) dX[earlier * d + c] += weight[(back - 1) * d + c] * dOut[row * d + c];
  },

  shiftWeightGradient({ dOut, x, dWeight }, call, { batch }) {
    const d = call.x.columns;
    dWeight.fill(0);
    for (const { row, earlier, back } of pairs(batch, 1, tapsOf(call.dWeight)))
      for (let c = 0; c < d; c++) dWeight[(back - 1) * d + c] += dOut[row * d + c] * x[earlier * d + c];
  },
};

const tapsOf = (weight: { rows: number | 'tokens' }) => Number(weight.rows);

/** Rows of the batch with each of those `least` to `most` before them in their sequence, the history's included. */
export function pairs(
  batch: PackedBatch,
  least: number,
  most: number,
): { row: number; earlier: number; back: number }[] {
  const list: { row: number; earlier: number; back: number }[] = [];
  for (let s = 0; s < batch.segments.length; s += SEGMENT_FIELDS) {
    const [first, length, historyFirst, history] = batch.segments.subarray(s, s + SEGMENT_FIELDS);
    const rowAt = (place: number) => (place < history ? historyFirst + place : first + place - history);
    for (let place = history; place < history + length; place++)
      for (let back = least; back <= Math.min(most, place); back++)
        list.push({ row: rowAt(place), earlier: rowAt(place - back), back });
  }
  return list;
}

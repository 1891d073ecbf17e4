import { SEGMENT_FIELDS, type PackedBatch } from '../../plan/pack.ts';
import type { References } from '../reference.ts';

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

export const recurrenceReferences: References<'recurrence' | 'recurrenceGradient' | 'previousRows'> = {
  /** LSTM (Hochreiter and Schmidhuber 1997) as nn.LSTM computes it: c = f c' + i g, h = o tanh(c). */
  recurrence({ gates, weight, out, cells }, call, { batch }) {
    const d = call.out.columns;
    for (const { row, previous } of steps(batch)) {
      for (let k = 0; k < 4 * d; k++) {
        let sum = gates[row * 4 * d + k];
        if (previous !== null) for (let i = 0; i < d; i++) sum += out[previous * d + i] * weight[k * d + i];
        const isCandidate = k >= 2 * d && k < 3 * d;
        gates[row * 4 * d + k] = isCandidate ? Math.tanh(sum) : sigmoid(sum);
      }
      for (let c = 0; c < d; c++) {
        const [i, f, g, o] = gatesAt(gates, row, c, d);
        const cell = (previous === null ? 0 : f * cells[previous * d + c]) + i * g;
        cells[row * d + c] = cell;
        out[row * d + c] = o * Math.tanh(cell);
      }
    }
  },

  /** Backpropagation through time, cut where the call says so; only for segments without a history. */
  recurrenceGradient({ gates, weight, cells, dOut, dGates }, call, { batch }) {
    const d = call.dOut.columns;
    const dCells = new Float64Array(cells.length);
    /** Whether the state before this row is a constant. */
    const isCut = (place: number) => call.truncation !== null && place % call.truncation === 0;
    for (const { row, place, previous, following } of steps(batch).reverse())
      for (let c = 0; c < d; c++) {
        let dh = dOut[row * d + c];
        if (following !== null && !isCut(place + 1))
          for (let k = 0; k < 4 * d; k++) dh += dGates[following * 4 * d + k] * weight[k * d + c];
        const [i, f, g, o] = gatesAt(gates, row, c, d);
        const squashed = Math.tanh(cells[row * d + c]);
        // The share of the next cell has been added already: steps go backwards.
        const dc = dCells[row * d + c] + dh * o * (1 - squashed ** 2);
        const cellBefore = previous === null ? 0 : cells[previous * d + c];
        if (previous !== null && !isCut(place)) dCells[previous * d + c] = dc * f;
        dGates[row * 4 * d + c] = dc * g * i * (1 - i);
        dGates[row * 4 * d + d + c] = dc * cellBefore * f * (1 - f);
        dGates[row * 4 * d + 2 * d + c] = dc * i * (1 - g ** 2);
        dGates[row * 4 * d + 3 * d + c] = dh * squashed * o * (1 - o);
      }
  },

  previousRows({ x, out }, call, { batch }) {
    const columns = call.x.columns;
    for (const { row, previous } of steps(batch))
      for (let c = 0; c < columns; c++) out[row * columns + c] = previous === null ? 0 : x[previous * columns + c];
  },
};

function gatesAt(gates: Float64Array, row: number, c: number, d: number): number[] {
  return [0, 1, 2, 3].map((gate) => gates[row * 4 * d + gate * d + c]);
}

/** A row, its place in its segment, the one before it in its sequence (history included), the next of its segment. */
interface Step {
  row: number;
  place: number;
  previous: number | null;
  following: number | null;
}

/** Steps in the order of rows. */
function steps(batch: PackedBatch): Step[] {
  const list: Step[] = [];
  for (let s = 0; s < batch.segments.length; s += SEGMENT_FIELDS) {
    const [first, length, historyFirst, history] = batch.segments.subarray(s, s + SEGMENT_FIELDS);
    const start = history > 0 ? historyFirst + history - 1 : null;
    for (let t = 0; t < length; t++)
      list.push({
        row: first + t,
        place: t,
        previous: t > 0 ? first + t - 1 : start,
        following: t + 1 < length ? first + t + 1 : null,
      });
  }
  return list;
}

import { maskElement, maskKey } from '../../plan/dropout-mask.ts';
import type { CallContext } from '../../plan/kernel-device.ts';
import { SEGMENT_FIELDS, type PackedBatch } from '../../plan/pack.ts';
import type { Attention, AttentionGradient } from '../../plan/plan.ts';
import type { References } from '../reference.ts';

/** One head of one token: the rows of the keys that it sees, oldest first, its probabilities of them, their masks. */
interface Glance {
  row: number;
  head: number;
  keys: number[];
  probabilities: number[];
  masks: number[];
  logSum: number;
}

export const attentionReferences: References<'attention' | 'attentionGradient'> = {
  attention({ qkv, out, logSum: logSums }, call, context) {
    const d = call.out.columns;
    const size = d / call.heads;
    for (const { row, head, keys, probabilities, masks, logSum } of glances(call, qkv, context)) {
      logSums[row * call.heads + head] = logSum;
      for (let i = 0; i < size; i++) {
        let sum = 0;
        keys.forEach((key, k) => (sum += probabilities[k] * masks[k] * qkv[key * 3 * d + 2 * d + head * size + i]));
        out[row * d + head * size + i] = sum;
      }
    }
  },

  /** The probabilities are computed anew, so that neither `out` nor `logSum` is read. */
  attentionGradient({ qkv, dOut, dQkv }, call, context) {
    const d = call.out.columns;
    const size = d / call.heads;
    const { firstRow, count } = context.batch;
    dQkv.fill(0, firstRow * 3 * d, (firstRow + count) * 3 * d);
    for (const { row, head, keys, probabilities, masks } of glances(call, qkv, context)) {
      const own = head * size;
      const dProbabilities = keys.map((key, k) => {
        let sum = 0;
        for (let i = 0; i < size; i++) sum += dOut[row * d + own + i] * qkv[key * 3 * d + 2 * d + own + i];
        return sum * masks[k];
      });
      let mean = 0;
      probabilities.forEach((probability, k) => (mean += probability * dProbabilities[k]));
      keys.forEach((key, k) => {
        const dScore = (probabilities[k] * (dProbabilities[k] - mean)) / Math.sqrt(size);
        for (let i = 0; i < size; i++) {
          dQkv[row * 3 * d + own + i] += dScore * qkv[key * 3 * d + d + own + i];
          dQkv[key * 3 * d + d + own + i] += dScore * qkv[row * 3 * d + own + i];
          dQkv[key * 3 * d + 2 * d + own + i] += probabilities[k] * masks[k] * dOut[row * d + own + i];
        }
      });
    }
  },
};

function* glances(call: Attention | AttentionGradient, qkv: Float64Array, context: CallContext): Generator<Glance> {
  const { batch, seed } = context;
  const d = call.out.columns;
  const size = d / call.heads;
  const key = call.dropout && maskKey(seed, call.dropout.site);
  for (let s = 0; s < batch.segments.length; s += SEGMENT_FIELDS) {
    const [first, length, historyFirst, history] = batch.segments.subarray(s, s + SEGMENT_FIELDS);
    const rows: number[] = [];
    for (let i = 0; i < history; i++) rows.push(historyFirst + i);
    for (let i = 0; i < length; i++) rows.push(first + i);
    for (let place = history; place < history + length; place++)
      for (let head = 0; head < call.heads; head++) {
        const row = rows[place];
        const oldest = call.window === null ? 0 : Math.max(0, place - call.window + 1);
        const keys = rows.slice(oldest, place + 1);
        const scores = keys.map((other) => {
          let sum = 0;
          for (let i = 0; i < size; i++)
            sum += qkv[row * 3 * d + head * size + i] * qkv[other * 3 * d + d + head * size + i];
          return sum / Math.sqrt(size);
        });
        const most = Math.max(...scores);
        let total = 0;
        for (const score of scores) total += Math.exp(score - most);
        const logSum = most + Math.log(total);
        const probabilities = scores.map((score) => Math.exp(score - logSum));
        const masks = keys.map((_, k) => {
          if (key === null) return 1;
          return maskElement(key, maskIndex(batch, head, row, oldest + k), call.dropout!.rate);
        });
        yield { row, head, keys, probabilities, masks, logSum };
      }
  }
}

/** Where the probability of a token for the one at place `s` of its sequence lies in the padded [heads, B, T, T]. */
function maskIndex({ rows, columns, padded, firstRow }: PackedBatch, head: number, row: number, s: number): number {
  const b = Math.floor(padded[row - firstRow] / columns);
  const t = padded[row - firstRow] % columns;
  return ((head * rows + b) * columns + t) * columns + s;
}

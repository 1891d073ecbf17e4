import type { PackedBatch } from '../../plan/pack.ts';
import { pairs } from '../shift/reference.ts';
import type { References } from '../reference.ts';

export const shortConvolutionReferences: References<
  'shortConvolution' | 'shortConvolutionGradient' | 'shortConvolutionWeightGradient'
> = {
  /** out[t] = C[t] * sum_k w_k (B * x)[t - k], as nn.Conv1d with as many groups as channels and padding on the left. */
  shortConvolution({ out, weight, bcx }, call, { batch }) {
    for (const { to } of terms(batch, call.out.columns, 1)) out[to] = 0;
    for (const { to, c, bAt, cAt, xAt, tap, taps } of terms(batch, call.out.columns, call.weight.columns))
      out[to] += bcx[cAt] * weight[c * taps + tap] * bcx[bAt] * bcx[xAt];
  },

  /** Only for segments without a history, as the gradient of the weight. */
  shortConvolutionGradient({ dOut, weight, bcx, dBcx }, call, { batch }) {
    const width = call.bcx.columns;
    dBcx.fill(0, batch.firstRow * width, (batch.firstRow + batch.count) * width);
    for (const { to, c, bAt, cAt, xAt, tap, taps } of terms(batch, call.dOut.columns, call.weight.columns)) {
      const d = dOut[to] * weight[c * taps + tap];
      dBcx[bAt] += d * bcx[cAt] * bcx[xAt];
      dBcx[cAt] += d * bcx[bAt] * bcx[xAt];
      dBcx[xAt] += d * bcx[cAt] * bcx[bAt];
    }
  },

  shortConvolutionWeightGradient({ dOut, bcx, dWeight }, call, { batch }) {
    dWeight.fill(0);
    for (const { to, c, bAt, cAt, xAt, tap, taps } of terms(batch, call.dOut.columns, call.dWeight.columns))
      dWeight[c * taps + tap] += dOut[to] * bcx[cAt] * bcx[bAt] * bcx[xAt];
  },
};

/** Every product of the sums: where its output is, its channel, where the B and x of its row are and the C of the output's. */
function* terms(batch: PackedBatch, d: number, taps: number) {
  for (const { row, earlier, back } of pairs(batch, 0, taps - 1))
    for (let c = 0; c < d; c++) {
      const [bAt, xAt] = [3 * d * earlier + c, 3 * d * earlier + 2 * d + c];
      yield { to: d * row + c, c, bAt, cAt: 3 * d * row + d + c, xAt, tap: taps - 1 - back, taps };
    }
}

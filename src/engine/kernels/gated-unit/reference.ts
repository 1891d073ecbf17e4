import type { References } from '../reference.ts';

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

export const gatedUnitReferences: References<'gatedUnit' | 'gatedUnitGradient'> = {
  gatedUnit({ gateUp, out }, call, { batch }) {
    const width = call.out.columns;
    for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++)
      for (let c = 0; c < width; c++) {
        const [gate, up] = [gateUp[row * 2 * width + c], gateUp[row * 2 * width + width + c]];
        out[row * width + c] = gate * sigmoid(gate) * up;
      }
  },

  gatedUnitGradient({ gateUp, dOut, dGateUp }, call, { batch }) {
    const width = call.dOut.columns;
    for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++)
      for (let c = 0; c < width; c++) {
        const [gate, up] = [gateUp[row * 2 * width + c], gateUp[row * 2 * width + width + c]];
        const [d, open] = [dOut[row * width + c], sigmoid(gate)];
        dGateUp[row * 2 * width + c] = d * up * open * (1 + gate * (1 - open));
        dGateUp[row * 2 * width + width + c] = d * gate * open;
      }
  },
};

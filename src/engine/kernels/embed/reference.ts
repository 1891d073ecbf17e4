import { maskElement, maskKey } from '../../plan/dropout-mask.ts';
import type { References } from '../reference.ts';

export const embedReferences: References<'embed' | 'embedGradient'> = {
  embed({ tokens, positions, slots, out }, call, { batch, seed }) {
    const columns = call.out.columns;
    for (let n = 0; n < batch.count; n++)
      for (let c = 0; c < columns; c++) {
        let sum = tokens[batch.tokens[n] * columns + c];
        if (positions) sum += positions[batch.positions[n] * columns + c];
        if (slots) sum += slots[batch.slots[n] * columns + c];
        if (call.dropout) {
          const key = maskKey(seed, call.dropout.site);
          sum *= maskElement(key, batch.padded[n] * columns + c, call.dropout.rate);
        }
        out[(batch.firstRow + n) * columns + c] = sum;
      }
  },

  embedGradient({ dOut, dTokens, dPositions, dSlots }, call, { batch, seed }) {
    const columns = call.dOut.columns;
    if (!call.tied) dTokens.fill(0);
    dPositions?.fill(0);
    dSlots?.fill(0);
    for (let n = 0; n < batch.count; n++)
      for (let c = 0; c < columns; c++) {
        let d = dOut[(batch.firstRow + n) * columns + c];
        if (call.dropout) {
          const key = maskKey(seed, call.dropout.site);
          d *= maskElement(key, batch.padded[n] * columns + c, call.dropout.rate);
        }
        dTokens[batch.tokens[n] * columns + c] += d;
        if (dPositions) dPositions[batch.positions[n] * columns + c] += d;
        if (dSlots) dSlots[batch.slots[n] * columns + c] += d;
      }
  },
};

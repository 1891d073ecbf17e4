import { maskElement, maskKey } from '../../plan/dropout-mask.ts';
import type { References } from '../reference.ts';

export const dropoutReferences: References<'dropout'> = {
  dropout({ x, residual, out }, call, { batch, seed }) {
    const columns = call.x.columns;
    const key = maskKey(seed, call.dropout.site);
    for (let n = 0; n < batch.count; n++)
      for (let c = 0; c < columns; c++) {
        const at = (batch.firstRow + n) * columns + c;
        const mask = maskElement(key, batch.padded[n] * columns + c, call.dropout.rate);
        out[at] = mask * x[at] + (residual ? residual[at] : 0);
      }
  },
};

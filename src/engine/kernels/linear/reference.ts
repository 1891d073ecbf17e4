import type { References } from '../reference.ts';
import { gelu, geluSlope } from './gelu.ts';

export const linearReferences: References<'linear' | 'linearGradient' | 'weightGradient'> = {
  linear({ x, weight, bias, bias2, before, residual, out }, call, { batch }) {
    const [inputs, outputs] = [call.x.columns, call.out.columns];
    for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++)
      for (let o = 0; o < outputs; o++) {
        let sum = 0;
        for (let i = 0; i < inputs; i++)
          sum += x[row * inputs + i] * weight[call.transposed ? o * inputs + i : i * outputs + o];
        if (bias) sum += bias[o];
        if (bias2) sum += bias2[o];
        if (before) before[row * outputs + o] = sum;
        if (call.activation === 'gelu') sum = gelu(sum);
        if (residual) sum += residual[row * outputs + o];
        out[row * outputs + o] = sum;
      }
  },

  linearGradient({ dOut, weight, before, dX }, call, { batch }) {
    const [inputs, outputs] = [call.dX.columns, call.dOut.columns];
    for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++)
      for (let i = 0; i < inputs; i++) {
        let sum = 0;
        for (let o = 0; o < outputs; o++)
          sum += dOut[row * outputs + o] * weight[call.transposed ? o * inputs + i : i * outputs + o];
        if (before) sum *= geluSlope(before[row * inputs + i]);
        dX[row * inputs + i] = sum;
      }
  },

  weightGradient({ x, dOut, dWeight, dBias, dBias2 }, call, { batch }) {
    const [inputs, outputs] = [call.x.columns, call.dOut.columns];
    const last = batch.firstRow + batch.count;
    for (let i = 0; i < inputs; i++)
      for (let o = 0; o < outputs; o++) {
        let sum = 0;
        for (let row = batch.firstRow; row < last; row++) sum += x[row * inputs + i] * dOut[row * outputs + o];
        dWeight[call.transposed ? o * inputs + i : i * outputs + o] = sum;
      }
    for (let o = 0; o < outputs; o++) {
      let sum = 0;
      for (let row = batch.firstRow; row < last; row++) sum += dOut[row * outputs + o];
      for (const bias of [dBias, dBias2]) if (bias) bias[o] = sum;
    }
  },
};

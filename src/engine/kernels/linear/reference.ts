import type { CallContext } from '../../plan/kernel-device.ts';
import type { Linear, LinearGradient, WeightGradient } from '../../plan/plan.ts';
import { valuesOf, type ReferenceContents } from '../reference.ts';
import { gelu, geluSlope } from './gelu.ts';

export function linearReference(call: Linear, contents: ReferenceContents, { batch }: CallContext): void {
  const [inputs, outputs] = [call.x.columns, call.out.columns];
  const x = valuesOf(contents, call.x);
  const weight = valuesOf(contents, call.weight);
  const bias = valuesOf(contents, call.bias);
  const bias2 = valuesOf(contents, call.bias2);
  const before = valuesOf(contents, call.before);
  const residual = valuesOf(contents, call.residual);
  const out = valuesOf(contents, call.out);
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
}

export function linearGradientReference(
  call: LinearGradient,
  contents: ReferenceContents,
  { batch }: CallContext,
): void {
  const [inputs, outputs] = [call.dX.columns, call.dOut.columns];
  const dOut = valuesOf(contents, call.dOut);
  const weight = valuesOf(contents, call.weight);
  const before = valuesOf(contents, call.before);
  const dX = valuesOf(contents, call.dX);
  for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++)
    for (let i = 0; i < inputs; i++) {
      let sum = 0;
      for (let o = 0; o < outputs; o++)
        sum += dOut[row * outputs + o] * weight[call.transposed ? o * inputs + i : i * outputs + o];
      if (before) sum *= geluSlope(before[row * inputs + i]);
      dX[row * inputs + i] = sum;
    }
}

export function weightGradientReference(
  call: WeightGradient,
  contents: ReferenceContents,
  { batch }: CallContext,
): void {
  const [inputs, outputs] = [call.x.columns, call.dOut.columns];
  const x = valuesOf(contents, call.x);
  const dOut = valuesOf(contents, call.dOut);
  const dWeight = valuesOf(contents, call.dWeight);
  const biases = [valuesOf(contents, call.dBias), valuesOf(contents, call.dBias2)];
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
    for (const dBias of biases) if (dBias) dBias[o] = sum;
  }
}

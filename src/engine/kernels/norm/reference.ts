import type { CallContext } from '../../plan/kernel-device.ts';
import type { Norm, NormGradient, NormWeightGradient } from '../../plan/plan.ts';
import { valuesOf, type ReferenceContents } from '../reference.ts';

export function normReference(call: Norm, contents: ReferenceContents, { batch }: CallContext): void {
  const columns = call.x.columns;
  const x = valuesOf(contents, call.x);
  const weight = valuesOf(contents, call.weight);
  const bias = valuesOf(contents, call.bias);
  const out = valuesOf(contents, call.out);
  const statistics = valuesOf(contents, call.statistics);
  for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++) {
    const values = x.slice(row * columns, (row + 1) * columns);
    const mean = call.kind === 'layer' ? meanOf(values) : 0;
    const rstd = 1 / Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)) + call.epsilon);
    statistics[row * 2] = mean;
    statistics[row * 2 + 1] = rstd;
    for (let c = 0; c < columns; c++) {
      const normal = (values[c] - mean) * rstd;
      out[row * columns + c] = normal * weight[c] + (bias ? bias[c] : 0);
    }
  }
}

export function normGradientReference(call: NormGradient, contents: ReferenceContents, { batch }: CallContext): void {
  const columns = call.x.columns;
  const dOut = valuesOf(contents, call.dOut);
  const x = valuesOf(contents, call.x);
  const weight = valuesOf(contents, call.weight);
  const statistics = valuesOf(contents, call.statistics);
  const residual = valuesOf(contents, call.residual);
  const dX = valuesOf(contents, call.dX);
  for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++) {
    const [mean, rstd] = [statistics[row * 2], statistics[row * 2 + 1]];
    const normal = new Float64Array(columns);
    const dNormal = new Float64Array(columns);
    for (let c = 0; c < columns; c++) {
      normal[c] = (x[row * columns + c] - mean) * rstd;
      dNormal[c] = dOut[row * columns + c] * weight[c];
    }
    // What moves all values alike does not pass a layer norm; what scales them all alike passes neither.
    const shift = call.kind === 'layer' ? meanOf(dNormal) : 0;
    const along = meanOf(dNormal.map((d, c) => d * normal[c]));
    for (let c = 0; c < columns; c++) {
      const d = rstd * (dNormal[c] - shift - normal[c] * along);
      dX[row * columns + c] = d + (residual ? residual[row * columns + c] : 0);
    }
  }
}

export function normWeightGradientReference(
  call: NormWeightGradient,
  contents: ReferenceContents,
  { batch }: CallContext,
): void {
  const columns = call.x.columns;
  const dOut = valuesOf(contents, call.dOut);
  const x = valuesOf(contents, call.x);
  const statistics = valuesOf(contents, call.statistics);
  const dWeight = valuesOf(contents, call.dWeight);
  const dBias = valuesOf(contents, call.dBias);
  dWeight.fill(0);
  dBias?.fill(0);
  for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++)
    for (let c = 0; c < columns; c++) {
      const d = dOut[row * columns + c];
      dWeight[c] += d * (x[row * columns + c] - statistics[row * 2]) * statistics[row * 2 + 1];
      if (dBias) dBias[c] += d;
    }
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

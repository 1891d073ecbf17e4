import type { References } from '../reference.ts';

export const normReferences: References<'norm' | 'normGradient' | 'normWeightGradient'> = {
  norm({ x, weight, bias, out, statistics }, call, { batch }) {
    const columns = call.x.columns;
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
  },

  normGradient({ dOut, x, weight, statistics, residual, dX }, call, { batch }) {
    const columns = call.x.columns;
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
  },

  normWeightGradient({ dOut, x, statistics, dWeight, dBias }, call, { batch }) {
    const columns = call.x.columns;
    dWeight.fill(0);
    dBias?.fill(0);
    for (let row = batch.firstRow; row < batch.firstRow + batch.count; row++)
      for (let c = 0; c < columns; c++) {
        const d = dOut[row * columns + c];
        dWeight[c] += d * (x[row * columns + c] - statistics[row * 2]) * statistics[row * 2 + 1];
        if (dBias) dBias[c] += d;
      }
  },
};

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

import { Norm, NormGradient, NormWeightGradient } from '../../wasm-kit/built/tables.as';
import { claim, runtime } from '../../wasm-kit/runtime.as';
import { laneSum, madd, splat, zero } from '../../wasm-kit/vector.as';

const ROWS = 32;
/** Columns of a weight's gradient that one thread takes at a time: a line of the cache. */
const LINE = 16;

export function norm(call: Norm): void {
  const columns = call.columns, weight = call.weight, bias = call.bias;
  const rms = call.rms != 0, epsilon = call.epsilon;
  const bytes = <usize>columns << 2, rows = runtime.count;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const at = <usize>(runtime.firstRow + row);
      const x = call.x + at * bytes, out = call.out + at * bytes;
      const mean: f32 = rms ? 0 : sumOf(x, columns) / <f32>columns;
      const rstd: f32 = 1 / sqrt<f32>(sumOfSquares(x, mean, columns) / <f32>columns + epsilon);
      const statistics = call.statistics + (at << 3);
      store<f32>(statistics, mean);
      store<f32>(statistics + 4, rstd);
      const means = splat(mean), rstds = splat(rstd);
      let i: usize = 0;
      for (; i + 16 <= bytes; i += 16) {
        const y = f32x4.mul(f32x4.mul(f32x4.sub(v128.load(x + i), means), rstds), v128.load(weight + i));
        v128.store(out + i, bias ? f32x4.add(y, v128.load(bias + i)) : y);
      }
      for (; i < bytes; i += 4) {
        const y = (load<f32>(x + i) - mean) * rstd * load<f32>(weight + i);
        store<f32>(out + i, bias ? y + load<f32>(bias + i) : y);
      }
    }
}

function sumOf(x: usize, columns: i32): f32 {
  // Two sums, since each addition waits for the one before.
  let sums = splat(0), others = splat(0);
  let i = 0;
  for (; i + 8 <= columns; i += 8) {
    sums = f32x4.add(sums, v128.load(x + (<usize>i << 2)));
    others = f32x4.add(others, v128.load(x + (<usize>i << 2), 16));
  }
  let sum = laneSum(f32x4.add(sums, others));
  for (; i < columns; i++) sum += load<f32>(x + (<usize>i << 2));
  return sum;
}

function sumOfSquares(x: usize, mean: f32, columns: i32): f32 {
  let sums = splat(0), others = splat(0);
  const means = splat(mean);
  let i = 0;
  for (; i + 8 <= columns; i += 8) {
    const y = f32x4.sub(v128.load(x + (<usize>i << 2)), means), z = f32x4.sub(v128.load(x + (<usize>i << 2), 16), means);
    sums = madd(y, y, sums);
    others = madd(z, z, others);
  }
  let sum = laneSum(f32x4.add(sums, others));
  for (; i < columns; i++) {
    const y = load<f32>(x + (<usize>i << 2)) - mean;
    sum += y * y;
  }
  return sum;
}

export function normGradient(call: NormGradient): void {
  const columns = call.columns, weight = call.weight, residualBase = call.residual;
  const rms = call.rms != 0;
  const bytes = <usize>columns << 2, rows = runtime.count;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const at = <usize>(runtime.firstRow + row);
      const dOut = call.dOut + at * bytes, x = call.x + at * bytes, dX = call.dX + at * bytes;
      const residual = residualBase ? residualBase + at * bytes : 0;
      const statistics = call.statistics + (at << 3);
      const mean = load<f32>(statistics), rstd = load<f32>(statistics + 4);
      const means = splat(mean), rstds = splat(rstd);
      // With g = dOut * weight and y the normalised x: dX = rstd (g - mean(g) - y mean(g y)); rms has no mean(g).
      let sums = splat(0), products = splat(0);
      let i: usize = 0;
      for (; i + 16 <= bytes; i += 16) {
        const g = f32x4.mul(v128.load(dOut + i), v128.load(weight + i));
        sums = f32x4.add(sums, g);
        products = madd(g, f32x4.mul(f32x4.sub(v128.load(x + i), means), rstds), products);
      }
      let sum = laneSum(sums), product = laneSum(products);
      for (; i < bytes; i += 4) {
        const g = load<f32>(dOut + i) * load<f32>(weight + i);
        sum += g;
        product += g * (load<f32>(x + i) - mean) * rstd;
      }
      sum = rms ? 0 : sum / <f32>columns;
      product /= <f32>columns;
      const sum4 = splat(sum), product4 = splat(product);
      i = 0;
      for (; i + 16 <= bytes; i += 16) {
        const g = f32x4.mul(v128.load(dOut + i), v128.load(weight + i));
        const y = f32x4.mul(f32x4.sub(v128.load(x + i), means), rstds);
        const d = f32x4.mul(f32x4.sub(f32x4.sub(g, sum4), f32x4.mul(y, product4)), rstds);
        v128.store(dX + i, residual ? f32x4.add(d, v128.load(residual + i)) : d);
      }
      for (; i < bytes; i += 4) {
        const g = load<f32>(dOut + i) * load<f32>(weight + i);
        const y = (load<f32>(x + i) - mean) * rstd;
        const d = (g - sum - y * product) * rstd;
        store<f32>(dX + i, residual ? d + load<f32>(residual + i) : d);
      }
    }
}

export function normWeightGradient(call: NormWeightGradient): void {
  const columns = call.columns, rows = runtime.count;
  const dWeight = call.dWeight, dBias = call.dBias;
  for (let column = claim(call, 0) * LINE; column < columns; column = claim(call, 0) * LINE) {
    const width = min(LINE, columns - column);
    const at = <usize>column << 2;
    zero(dWeight + at, width);
    if (dBias) zero(dBias + at, width);
    for (let row = 0; row < rows; row++) {
      const place = <usize>(runtime.firstRow + row);
      const start = ((place * <usize>columns) << 2) + at;
      const d = call.dOut + start, x = call.x + start;
      const mean = load<f32>(call.statistics + (place << 3)), rstd = load<f32>(call.statistics + (place << 3) + 4);
      const means = splat(mean), rstds = splat(rstd);
      let i: usize = 0;
      const bytes = <usize>width << 2;
      for (; i + 16 <= bytes; i += 16) {
        const g = v128.load(d + i);
        const y = f32x4.mul(f32x4.sub(v128.load(x + i), means), rstds);
        v128.store(dWeight + at + i, madd(g, y, v128.load(dWeight + at + i)));
        if (dBias) v128.store(dBias + at + i, f32x4.add(g, v128.load(dBias + at + i)));
      }
      for (; i < bytes; i += 4) {
        const g = load<f32>(d + i);
        const y = (load<f32>(x + i) - mean) * rstd;
        store<f32>(dWeight + at + i, load<f32>(dWeight + at + i) + g * y);
        if (dBias) store<f32>(dBias + at + i, load<f32>(dBias + at + i) + g);
      }
    }
  }
}

import { Rotary, RotaryGradient, RotaryWeightGradient } from '../../wasm-kit/built/tables.as';
import { claim, positionOf, runtime } from '../../wasm-kit/runtime.as';
import { dot } from '../../wasm-kit/vector.as';

const ROWS = 32;

/** Rotary (plan.ts). `angles` [context, width]: of each position the cosines of the half, then the sines. */
export function rotary(call: Rotary): void {
  const width = call.width, heads = call.heads, rows = runtime.count;
  const d = width * heads, half = width >> 1;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const at = <usize>(runtime.firstRow + row);
      const start = (at * <usize>(3 * d)) << 2;
      const turn = call.angles + (<usize>(positionOf(row) * width) << 2);
      const statistics = call.statistics + ((at * <usize>(2 * heads)) << 2);
      for (let part = 0; part < 2 * heads; part++) {
        const x = call.qkv + start + (<usize>(part * width) << 2);
        const y = call.out + start + (<usize>(part * width) << 2);
        const weight = part < heads ? call.queryWeight : call.keyWeight;
        const rstd: f32 = 1 / sqrt<f32>(dot(x, x, width) / <f32>width + call.epsilon);
        store<f32>(statistics + (<usize>part << 2), rstd);
        for (let i = 0; i < half; i++) {
          const low = <usize>i << 2, high = <usize>(i + half) << 2;
          const a = load<f32>(x + low) * rstd * load<f32>(weight + low);
          const b = load<f32>(x + high) * rstd * load<f32>(weight + high);
          const cosine = load<f32>(turn + low), sine = load<f32>(turn + high);
          store<f32>(y + low, a * cosine - b * sine);
          store<f32>(y + high, b * cosine + a * sine);
        }
      }
      const values = start + (<usize>(2 * d) << 2);
      memory.copy(call.out + values, call.qkv + values, <usize>d << 2);
    }
}

export function rotaryGradient(call: RotaryGradient): void {
  const width = call.width, heads = call.heads, rows = runtime.count;
  const d = width * heads, half = width >> 1;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const at = <usize>(runtime.firstRow + row);
      const start = (at * <usize>(3 * d)) << 2;
      const turn = call.angles + (<usize>(positionOf(row) * width) << 2);
      const statistics = call.statistics + ((at * <usize>(2 * heads)) << 2);
      for (let part = 0; part < 2 * heads; part++) {
        const place = start + (<usize>(part * width) << 2);
        const dy = call.dOut + place, x = call.qkv + place, dx = call.dQkv + place;
        const weight = part < heads ? call.queryWeight : call.keyWeight;
        const rstd = load<f32>(statistics + (<usize>part << 2));
        // Turned back and weighted first, then through the norm: dx = rstd (g - y mean(g y)), y = x rstd.
        let product: f32 = 0;
        for (let i = 0; i < half; i++) {
          const low = <usize>i << 2, high = <usize>(i + half) << 2;
          const cosine = load<f32>(turn + low), sine = load<f32>(turn + high);
          const p = load<f32>(dy + low), q = load<f32>(dy + high);
          const a = (p * cosine + q * sine) * load<f32>(weight + low);
          const b = (q * cosine - p * sine) * load<f32>(weight + high);
          store<f32>(dx + low, a);
          store<f32>(dx + high, b);
          product += (a * load<f32>(x + low) + b * load<f32>(x + high)) * rstd;
        }
        product /= <f32>width;
        for (let i = 0; i < width; i++) {
          const k = <usize>i << 2;
          store<f32>(dx + k, rstd * (load<f32>(dx + k) - load<f32>(x + k) * rstd * product));
        }
      }
      const values = start + (<usize>(2 * d) << 2);
      memory.copy(call.dQkv + values, call.dOut + values, <usize>d << 2);
    }
}

/** A thread takes one element of both halves. */
export function rotaryWeightGradient(call: RotaryWeightGradient): void {
  const width = call.width, heads = call.heads, rows = runtime.count;
  const d = width * heads, half = width >> 1;
  for (let item = claim(call, 0); item < 2 * half; item = claim(call, 0)) {
    const i = item % half, keys = item >= half;
    const low = <usize>i << 2, high = <usize>(i + half) << 2;
    let sumLow: f32 = 0, sumHigh: f32 = 0;
    for (let row = 0; row < rows; row++) {
      const at = <usize>(runtime.firstRow + row);
      const turn = call.angles + (<usize>(positionOf(row) * width) << 2);
      const cosine = load<f32>(turn + low), sine = load<f32>(turn + high);
      for (let head = 0; head < heads; head++) {
        const part = keys ? heads + head : head;
        const place = (at * <usize>(3 * d) + <usize>(part * width)) << 2;
        const rstd = load<f32>(call.statistics + ((at * <usize>(2 * heads) + <usize>part) << 2));
        const p = load<f32>(call.dOut + place + low), q = load<f32>(call.dOut + place + high);
        const x = call.qkv + place;
        sumLow += (p * cosine + q * sine) * load<f32>(x + low) * rstd;
        sumHigh += (q * cosine - p * sine) * load<f32>(x + high) * rstd;
      }
    }
    const to = keys ? call.dKeyWeight : call.dQueryWeight;
    store<f32>(to + low, sumLow);
    store<f32>(to + high, sumHigh);
  }
}

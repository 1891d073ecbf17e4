import { Rotary, RotaryGradient, RotaryWeightGradient } from '../../wasm-kit/built/tables.as';
import { claim, positionOf, runtime } from '../../wasm-kit/runtime.as';
import { dot, laneSum, madd, splat } from '../../wasm-kit/vector.as';

const ROWS = 32;

/** Rotary (plan.ts). `angles` [context, width]: of each position the cosines of the half, then the sines. */
export function rotary(call: Rotary): void {
  const width = call.width, heads = call.heads, rows = runtime.count;
  const d = width * heads, half = width >> 1, whole = half & ~3;
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
        const scale = splat(rstd);
        for (let i = 0; i < whole; i += 4) {
          const low = <usize>i << 2, high = <usize>(i + half) << 2;
          const a = f32x4.mul(f32x4.mul(v128.load(x + low), scale), v128.load(weight + low));
          const b = f32x4.mul(f32x4.mul(v128.load(x + high), scale), v128.load(weight + high));
          const cosine = v128.load(turn + low), sine = v128.load(turn + high);
          v128.store(y + low, f32x4.sub(f32x4.mul(a, cosine), f32x4.mul(b, sine)));
          v128.store(y + high, madd(b, cosine, f32x4.mul(a, sine)));
        }
        for (let i = whole; i < half; i++) {
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
  const d = width * heads, half = width >> 1, whole = half & ~3;
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
        let products = splat(0);
        for (let i = 0; i < whole; i += 4) {
          const low = <usize>i << 2, high = <usize>(i + half) << 2;
          const cosine = v128.load(turn + low), sine = v128.load(turn + high);
          const p = v128.load(dy + low), q = v128.load(dy + high);
          const a = f32x4.mul(madd(p, cosine, f32x4.mul(q, sine)), v128.load(weight + low));
          const b = f32x4.mul(f32x4.sub(f32x4.mul(q, cosine), f32x4.mul(p, sine)), v128.load(weight + high));
          v128.store(dx + low, a);
          v128.store(dx + high, b);
          products = madd(a, v128.load(x + low), madd(b, v128.load(x + high), products));
        }
        let product = laneSum(products) * rstd;
        for (let i = whole; i < half; i++) {
          const low = <usize>i << 2, high = <usize>(i + half) << 2;
          const cosine = load<f32>(turn + low), sine = load<f32>(turn + high);
          const p = load<f32>(dy + low), q = load<f32>(dy + high);
          const a = (p * cosine + q * sine) * load<f32>(weight + low);
          const b = (q * cosine - p * sine) * load<f32>(weight + high);
          store<f32>(dx + low, a);
          store<f32>(dx + high, b);
          product += (a * load<f32>(x + low) + b * load<f32>(x + high)) * rstd;
        }
        const share = rstd * product / <f32>width, shares = splat(share), scale = splat(rstd);
        let i = 0;
        for (; i + 4 <= width; i += 4) {
          const k = <usize>i << 2;
          const along = f32x4.mul(v128.load(x + k), shares);
          v128.store(dx + k, f32x4.mul(scale, f32x4.sub(v128.load(dx + k), along)));
        }
        for (; i < width; i++) {
          const k = <usize>i << 2;
          store<f32>(dx + k, rstd * (load<f32>(dx + k) - load<f32>(x + k) * share));
        }
      }
      const values = start + (<usize>(2 * d) << 2);
      memory.copy(call.dQkv + values, call.dOut + values, <usize>d << 2);
    }
}

/** A thread takes four elements of both halves, or what is left of them. */
export function rotaryWeightGradient(call: RotaryWeightGradient): void {
  const half = call.width >> 1, fours = (half + 3) >> 2;
  for (let item = claim(call, 0); item < 2 * fours; item = claim(call, 0)) {
    const first = (item % fours) << 2, keys = item >= fours;
    if (first + 4 <= half) fourWeights(call, first, keys);
    else for (let i = first; i < half; i++) oneWeight(call, i, keys);
  }
}

function fourWeights(call: RotaryWeightGradient, i: i32, keys: bool): void {
  const width = call.width, heads = call.heads, rows = runtime.count;
  const low = <usize>i << 2, high = <usize>(i + (width >> 1)) << 2;
  let sumLow = splat(0), sumHigh = splat(0);
  for (let row = 0; row < rows; row++) {
    const at = <usize>(runtime.firstRow + row);
    const turn = call.angles + (<usize>(positionOf(row) * width) << 2);
    const cosine = v128.load(turn + low), sine = v128.load(turn + high);
    for (let head = 0; head < heads; head++) {
      const part = keys ? heads + head : head;
      const place = (at * <usize>(3 * width * heads) + <usize>(part * width)) << 2;
      const rstd = v128.load32_splat(call.statistics + ((at * <usize>(2 * heads) + <usize>part) << 2));
      const p = v128.load(call.dOut + place + low), q = v128.load(call.dOut + place + high);
      const x = call.qkv + place;
      const a = madd(p, cosine, f32x4.mul(q, sine)), b = f32x4.sub(f32x4.mul(q, cosine), f32x4.mul(p, sine));
      sumLow = madd(f32x4.mul(a, v128.load(x + low)), rstd, sumLow);
      sumHigh = madd(f32x4.mul(b, v128.load(x + high)), rstd, sumHigh);
    }
  }
  const to = keys ? call.dKeyWeight : call.dQueryWeight;
  v128.store(to + low, sumLow);
  v128.store(to + high, sumHigh);
}

function oneWeight(call: RotaryWeightGradient, i: i32, keys: bool): void {
  const width = call.width, heads = call.heads, rows = runtime.count;
  const low = <usize>i << 2, high = <usize>(i + (width >> 1)) << 2;
  let sumLow: f32 = 0, sumHigh: f32 = 0;
  for (let row = 0; row < rows; row++) {
    const at = <usize>(runtime.firstRow + row);
    const turn = call.angles + (<usize>(positionOf(row) * width) << 2);
    const cosine = load<f32>(turn + low), sine = load<f32>(turn + high);
    for (let head = 0; head < heads; head++) {
      const part = keys ? heads + head : head;
      const place = (at * <usize>(3 * width * heads) + <usize>(part * width)) << 2;
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

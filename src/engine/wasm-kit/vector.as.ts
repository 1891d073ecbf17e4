/** Four floats at a time: what SIMD lacks. */

@external("env", "log")
declare function hostLog(x: f64): f64;

/** Natural logarithm; rare enough to be asked of the host. */
@inline export function log(x: f32): f32 {
  return <f32>hostLog(<f64>x);
}

/** a * b + c, fused where the device has relaxed SIMD. */
@inline export function madd(a: v128, b: v128, c: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(a, b, c) : f32x4.add(f32x4.mul(a, b), c);
}

@inline export function splat(x: f32): v128 {
  return f32x4.splat(x);
}

/** Sum of the four lanes. */
@inline export function laneSum(x: v128): f32 {
  const half = f32x4.add(x, i8x16.shuffle(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return f32x4.extract_lane(half, 0) + f32x4.extract_lane(half, 1);
}

/** 1.5 * 2^23: added to a float of less than 2^22, it leaves the nearest integer in the sum's last bits. */
const INTEGER_BITS: f32 = 12582912;

/**
 * exp by range reduction and a polynomial of degree six (S. Moshier's Cephes, expf); relative error about 2e-7.
 * pmin and pmax, since min and max take several instructions on x86; in this order they pass NaN on.
 */
@inline export function exp4(x: v128): v128 {
  x = f32x4.pmax(f32x4.pmin(x, splat(88.3)), splat(-87.3));
  const bits = madd(x, splat(1.44269504088896341), splat(INTEGER_BITS));
  const n = f32x4.sub(bits, splat(INTEGER_BITS));
  let r = madd(n, splat(-0.693359375), x);
  r = madd(n, splat(2.12194440e-4), r);
  let y = splat(1.9875691500e-4);
  y = madd(y, r, splat(1.3981999507e-3));
  y = madd(y, r, splat(8.3334519073e-3));
  y = madd(y, r, splat(4.1665795894e-2));
  y = madd(y, r, splat(1.6666665459e-1));
  y = madd(y, r, splat(5.0000001201e-1));
  y = f32x4.add(madd(y, f32x4.mul(r, r), r), splat(1));
  return f32x4.mul(y, i32x4.add(i32x4.shl(bits, 23), i32x4.splat(127 << 23)));
}

@inline export function exp1(x: f32): f32 {
  return f32x4.extract_lane(exp4(splat(x)), 0);
}

/** 1 / (1 + exp(-x)). */
@inline export function sigmoid4(x: v128): v128 {
  return f32x4.div(splat(1), f32x4.add(splat(1), exp4(f32x4.neg(x))));
}

@inline export function sigmoid1(x: f32): f32 {
  return f32x4.extract_lane(sigmoid4(splat(x)), 0);
}

/** tanh x = 2 sigmoid(2x) - 1. */
@inline export function tanh1(x: f32): f32 {
  return 2 * sigmoid1(2 * x) - 1;
}

@inline export function tanh4(x: v128): v128 {
  const s = sigmoid4(f32x4.add(x, x));
  return f32x4.sub(f32x4.add(s, s), splat(1));
}

export function zero(at: usize, elements: i32): void {
  memory.fill(at, 0, <usize>elements << 2);
}

/** For a few numbers, where memory.copy costs a call into the WebAssembly runtime. */
@inline export function copy(to: usize, from: usize, elements: i32): void {
  for (let i: usize = 0; i < <usize>elements << 2; i += 4) store<f32>(to + i, load<f32>(from + i));
}

/** to[i] += from[i] */
export function addInto(to: usize, from: usize, elements: i32): void {
  let i = 0;
  for (; i + 4 <= elements; i += 4) {
    v128.store(to, f32x4.add(v128.load(to), v128.load(from)));
    to += 16;
    from += 16;
  }
  for (; i < elements; i++) {
    store<f32>(to, load<f32>(to) + load<f32>(from));
    to += 4;
    from += 4;
  }
}

/** sum of a[i] * b[i] */
export function dot(a: usize, b: usize, elements: i32): f32 {
  let sums = splat(0);
  let i = 0;
  for (; i + 4 <= elements; i += 4) {
    sums = madd(v128.load(a), v128.load(b), sums);
    a += 16;
    b += 16;
  }
  let sum = laneSum(sums);
  for (; i < elements; i++) {
    sum += load<f32>(a) * load<f32>(b);
    a += 4;
    b += 4;
  }
  return sum;
}

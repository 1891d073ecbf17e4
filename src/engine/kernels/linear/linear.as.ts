import { gemm, packPanel, packPanelTransposed, PANEL } from '../../wasm-kit/gemm.as';
import { Instruction, Linear, LinearGradient, WeightGradient } from '../../wasm-kit/built/tables.as';
import { barrier, claim, runtime, scratch } from '../../wasm-kit/runtime.as';
import { addInto, madd, sigmoid1, sigmoid4, splat, zero } from '../../wasm-kit/vector.as';

/** Rows of tokens that one thread takes at a time. */
const ROWS = 32;
/** Panels that one thread packs at a time. */
const PANELS = 4;
/** Rows of a weight's gradient, and columns of a bias's, that one thread takes at a time: a line of the cache. */
const LINE = 16;
/** Length of a row, in floats, from which a column of tokens maps to too few sets of the first-level cache. */
const FAR = 128;

/** 2 sqrt(2 / pi) */
const TWICE_ROOT: f32 = 1.5957691216057308;
const CUBIC: f32 = 0.044715;

/** Packs B for all threads; ends with a barrier. B is [k, n], or lies as its transpose. */
function packShared(call: Instruction, b: usize, k: i32, n: i32, transposed: bool): void {
  const all = (n + PANEL - 1) / PANEL;
  for (let first = claim(call, 0) * PANELS; first < all; first = claim(call, 0) * PANELS) {
    for (let panel = first; panel < min(first + PANELS, all); panel++) {
      const to = runtime.shared + (<usize>(panel * PANEL * k) << 2);
      if (transposed) packPanelTransposed(to, b, <usize>k << 2, k, n, panel * PANEL);
      else packPanel(to, b, <usize>n << 2, k, n, panel * PANEL);
    }
  }
  barrier();
}

/** Linear (plan.ts): [N, n] = [N, k] W. */
export function linear(call: Linear, thread: i32): void {
  const x = call.x, k = call.inputs, n = call.outputs;
  const bias = call.bias, bias2 = call.bias2, before = call.before, residual = call.residual, out = call.out;
  packShared(call, call.weight, k, n, call.transposed != 0);
  const rows = runtime.count, base = <usize>runtime.firstRow;
  const product = before ? before : out;
  const inBytes = <usize>k << 2, outBytes = <usize>n << 2;
  for (let row = claim(call, 1) * ROWS; row < rows; row = claim(call, 1) * ROWS) {
    const m = min(ROWS, rows - row);
    const at = base + <usize>row;
    gemm(
      m, n, k, x + at * inBytes, inBytes, 4, runtime.shared, k, product + at * outBytes, outBytes, false, scratch(thread),
    );
    for (let i = at; i < at + <usize>m; i++) {
      if (bias) addInto(product + i * outBytes, bias, n);
      if (bias2) addInto(product + i * outBytes, bias2, n);
      if (before) gelu(out + i * outBytes, before + i * outBytes, n);
      if (residual) addInto(out + i * outBytes, residual + i * outBytes, n);
    }
  }
}

/** GELU by its tanh approximation (Hendrycks and Gimpel 2016): x / 2 (1 + tanh(u / 2)) = x sigmoid u. */
function gelu(to: usize, from: usize, elements: i32): void {
  let i = 0;
  for (; i + 4 <= elements; i += 4) {
    const x = v128.load(from);
    const u = f32x4.mul(x, madd(f32x4.mul(x, x), splat(CUBIC * TWICE_ROOT), splat(TWICE_ROOT)));
    v128.store(to, f32x4.mul(x, sigmoid4(u)));
    to += 16;
    from += 16;
  }
  for (; i < elements; i++) {
    const x = load<f32>(from);
    store<f32>(to, x * sigmoid1(TWICE_ROOT * x * (1 + CUBIC * x * x)));
    to += 4;
    from += 4;
  }
}

/** d[i] *= gelu'(x[i]), which is s + x s (1 - s) u' with s = sigmoid u. */
function geluGradient(d: usize, at: usize, elements: i32): void {
  let i = 0;
  for (; i + 4 <= elements; i += 4) {
    const x = v128.load(at);
    const square = f32x4.mul(x, x);
    const s = sigmoid4(f32x4.mul(x, madd(square, splat(CUBIC * TWICE_ROOT), splat(TWICE_ROOT))));
    const slope = madd(square, splat(3 * CUBIC * TWICE_ROOT), splat(TWICE_ROOT));
    const bend = f32x4.mul(f32x4.mul(x, slope), f32x4.sub(s, f32x4.mul(s, s)));
    v128.store(d, f32x4.mul(v128.load(d), f32x4.add(s, bend)));
    d += 16;
    at += 16;
  }
  for (; i < elements; i++) {
    const x = load<f32>(at);
    const s = sigmoid1(TWICE_ROOT * x * (1 + CUBIC * x * x));
    const bend = x * TWICE_ROOT * (1 + 3 * CUBIC * x * x) * (s - s * s);
    store<f32>(d, load<f32>(d) * (s + bend));
    d += 4;
    at += 4;
  }
}

/** dX [N, k] = dOut [N, n] W^T. */
export function linearGradient(call: LinearGradient, thread: i32): void {
  const dOut = call.dOut, n = call.outputs, k = call.inputs;
  const before = call.before, dX = call.dX;
  packShared(call, call.weight, n, k, call.transposed == 0);
  const rows = runtime.count, base = <usize>runtime.firstRow;
  const inBytes = <usize>n << 2, outBytes = <usize>k << 2;
  for (let row = claim(call, 1) * ROWS; row < rows; row = claim(call, 1) * ROWS) {
    const m = min(ROWS, rows - row);
    const at = base + <usize>row;
    gemm(
      m, k, n, dOut + at * inBytes, inBytes, 4, runtime.shared, n, dX + at * outBytes, outBytes, false, scratch(thread),
    );
    if (before)
      for (let i = at; i < at + <usize>m; i++) geluGradient(dX + i * outBytes, before + i * outBytes, k);
  }
}

/** Sums of `width` columns of rows that are `stride` bytes apart. */
function sumOfRows(to: usize, from: usize, rows: i32, stride: usize, width: i32): void {
  if (width < LINE) {
    zero(to, width);
    for (let row = 0; row < rows; row++) addInto(to, from + <usize>row * stride, width);
    return;
  }
  let a = splat(0), b = splat(0), c = splat(0), d = splat(0);
  for (let row = 0; row < rows; row++) {
    a = f32x4.add(a, v128.load(from));
    b = f32x4.add(b, v128.load(from, 16));
    c = f32x4.add(c, v128.load(from, 32));
    d = f32x4.add(d, v128.load(from, 48));
    from += stride;
  }
  v128.store(to, a);
  v128.store(to, b, 16);
  v128.store(to, c, 32);
  v128.store(to, d, 48);
}

/** dWeight [m, n] = a^T b; the biases sum dOut's columns. */
export function weightGradient(call: WeightGradient, thread: i32): void {
  const m = call.rows, n = call.columns, dWeight = call.dWeight, columns = call.outputs;
  const rows = runtime.count, base = <usize>runtime.firstRow;
  const a = call.a + ((base * <usize>m) << 2);
  const temp = scratch(thread), packed = m < FAR ? 0 : temp + 128;
  packShared(call, call.b + ((base * <usize>n) << 2), rows, n, false);
  for (let row = claim(call, 1) * LINE; row < m; row = claim(call, 1) * LINE) {
    gemm(
      min(LINE, m - row), n, rows, a + (<usize>row << 2), 4, <usize>m << 2, runtime.shared, rows,
      dWeight + (<usize>(row * n) << 2), <usize>n << 2, false, temp, packed,
    );
  }
  const dBias = call.dBias, dBias2 = call.dBias2;
  if (!dBias) return;
  const dOut = call.dOut + ((base * <usize>columns) << 2);
  for (let column = claim(call, 2) * LINE; column < columns; column = claim(call, 2) * LINE) {
    const width = min(LINE, columns - column);
    const to = dBias + (<usize>column << 2);
    sumOfRows(to, dOut + (<usize>column << 2), rows, <usize>columns << 2, width);
    if (dBias2) memory.copy(dBias2 + (<usize>column << 2), to, <usize>width << 2);
  }
}

import { gemm, packPanel, packPanelTransposed, PANEL } from '../../wasm-kit/gemm.as';
import { Instruction, Linear, LinearGradient, WeightGradient } from '../../wasm-kit/built/tables.as';
import { barrier, claim, runtime, scratch } from '../../wasm-kit/runtime.as';
import { addInto, madd, splat, tanh1, tanh4, zero } from '../../wasm-kit/vector.as';

/** Rows of tokens that one thread takes at a time. */
const ROWS = 32;
/** Panels that one thread packs at a time. */
const PANELS = 4;
/** Rows of a weight's gradient, and columns of a bias's, that one thread takes at a time: a line of the cache. */
const LINE = 16;

const ROOT_TWO_OVER_PI: f32 = 0.7978845608028654;
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

/** GELU by its tanh approximation (Hendrycks and Gimpel 2016): x / 2 (1 + tanh u) = x sigmoid(2u). */
function gelu(to: usize, from: usize, elements: i32): void {
  let i = 0;
  for (; i + 4 <= elements; i += 4) {
    const x = v128.load(from);
    const u = f32x4.mul(f32x4.mul(x, madd(f32x4.mul(x, x), splat(CUBIC), splat(1))), splat(ROOT_TWO_OVER_PI));
    v128.store(to, f32x4.mul(f32x4.mul(x, splat(0.5)), f32x4.add(splat(1), tanh4(u))));
    to += 16;
    from += 16;
  }
  for (; i < elements; i++) {
    const x = load<f32>(from);
    store<f32>(to, <f32>0.5 * x * (1 + tanh1(ROOT_TWO_OVER_PI * x * (1 + CUBIC * x * x))));
    to += 4;
    from += 4;
  }
}

/** d[i] *= gelu'(x[i]) */
function geluGradient(d: usize, at: usize, elements: i32): void {
  let i = 0;
  for (; i + 4 <= elements; i += 4) {
    const x = v128.load(at);
    const square = f32x4.mul(x, x);
    const u = f32x4.mul(f32x4.mul(x, madd(square, splat(CUBIC), splat(1))), splat(ROOT_TWO_OVER_PI));
    const t = tanh4(u);
    const slope = f32x4.mul(madd(square, splat(3 * CUBIC), splat(1)), splat(ROOT_TWO_OVER_PI));
    const bend = f32x4.mul(f32x4.mul(x, slope), f32x4.sub(splat(1), f32x4.mul(t, t)));
    v128.store(d, f32x4.mul(v128.load(d), f32x4.mul(splat(0.5), f32x4.add(f32x4.add(splat(1), t), bend))));
    d += 16;
    at += 16;
  }
  for (; i < elements; i++) {
    const x = load<f32>(at);
    const t = tanh1(ROOT_TWO_OVER_PI * x * (1 + CUBIC * x * x));
    const bend = x * ROOT_TWO_OVER_PI * (1 + 3 * CUBIC * x * x) * (1 - t * t);
    store<f32>(d, load<f32>(d) * <f32>0.5 * (1 + t + bend));
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

/** dWeight [m, n] = a^T b; the biases sum dOut's columns. */
export function weightGradient(call: WeightGradient, thread: i32): void {
  const m = call.rows, n = call.columns, dWeight = call.dWeight, columns = call.outputs;
  const rows = runtime.count, base = <usize>runtime.firstRow;
  const a = call.a + ((base * <usize>m) << 2);
  packShared(call, call.b + ((base * <usize>n) << 2), rows, n, false);
  for (let row = claim(call, 1) * LINE; row < m; row = claim(call, 1) * LINE) {
    gemm(
      min(LINE, m - row), n, rows, a + (<usize>row << 2), 4, <usize>m << 2, runtime.shared, rows,
      dWeight + (<usize>(row * n) << 2), <usize>n << 2, false, scratch(thread),
    );
  }
  const dBias = call.dBias, dBias2 = call.dBias2;
  if (!dBias) return;
  const dOut = call.dOut + ((base * <usize>columns) << 2);
  for (let column = claim(call, 2) * LINE; column < columns; column = claim(call, 2) * LINE) {
    const width = min(LINE, columns - column);
    const to = dBias + (<usize>column << 2);
    zero(to, width);
    for (let row = 0; row < rows; row++) addInto(to, dOut + (<usize>(row * columns + column) << 2), width);
    if (dBias2) memory.copy(dBias2 + (<usize>column << 2), to, <usize>width << 2);
  }
}

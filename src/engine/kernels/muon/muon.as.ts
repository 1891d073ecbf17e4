import { gemm, packPanel, packPanelTransposed, PANEL } from '../../wasm-kit/gemm.as';
import { Muon } from '../../wasm-kit/built/tables.as';
import { claim, runtime, scratch } from '../../wasm-kit/runtime.as';
import { madd, splat } from '../../wasm-kit/vector.as';

const A: f32 = 3.4445;
const B: f32 = -4.775;
const C: f32 = 2.0315;
const ITERATIONS = 5;

/** A thread orthogonalises whole matrices, the largest first. */
export function muon(call: Muon, thread: i32): void {
  const all = call.blockCount;
  for (let index = claim(call, 0); index < all; index = claim(call, 0)) {
    const block = call.blocks + (<usize>index << 5);
    const rows = load<i32>(block, 4), columns = load<i32>(block, 8);
    const stride = <usize>load<i32>(block, 12) << 2, at = <usize>load<i32>(block) << 2;
    const tall = rows > columns;
    const m = tall ? columns : rows, n = tall ? rows : columns;
    const temp = scratch(thread);
    const x = temp + 128;
    const next = x + (<usize>(m * n) << 2);
    const gram = next + (<usize>(m * n) << 2);
    const poly = gram + (<usize>(m * m) << 2);
    const panels = poly + (<usize>(m * m) << 2);
    const size = momentumOf(call, at, stride, rows, columns, x, tall);
    const iterated = orthogonalise(x, next, gram, poly, panels, temp, m, n, size);
    update(call.weights + at, stride, rows, columns, iterated, tall, load<f32>(block, 16));
  }
}

/** Moves the momentum, writes Nesterov's direction [m, n] into x (its transpose where tall), answers its norm. */
function momentumOf(call: Muon, at: usize, stride: usize, rows: i32, columns: i32, x: usize, tall: bool): f32 {
  const factor = load<f32>(call.norm + 4), keep = runtime.momentum, take: f32 = 1 - keep;
  let sum: f64 = 0;
  for (let i = 0; i < rows; i++) {
    const g = call.gradients + at + <usize>i * stride, first = call.first + at + <usize>i * stride;
    for (let j = 0; j < columns; j++) {
      const place = <usize>j << 2;
      const gradient = load<f32>(g + place) * factor;
      const moved = keep * load<f32>(first + place) + take * gradient;
      store<f32>(first + place, moved);
      const direction = take * gradient + keep * moved;
      sum += <f64>direction * <f64>direction;
      store<f32>(x + (<usize>(tall ? j * rows + i : i * columns + j) << 2), direction);
    }
  }
  return <f32>sqrt<f64>(sum);
}

/** Five Newton-Schulz iterations on x / (size + 1e-7), [m, n] with m <= n; answers where the result lies: x or next. */
function orthogonalise(
  x: usize, next: usize, gram: usize, poly: usize, panels: usize, temp: usize, m: i32, n: i32, size: f32,
): usize {
  const rowBytes = <usize>n << 2, gramBytes = <usize>m << 2;
  scaleAll(x, m * n, 1 / (size + <f32>1e-7));
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    for (let j = 0; j < m; j += PANEL) packPanelTransposed(panels + (<usize>(j * n) << 2), x, rowBytes, n, m, j);
    symmetric(m, n, x, rowBytes, panels, gram, temp);
    for (let j = 0; j < m; j += PANEL) packPanel(panels + (<usize>(j * m) << 2), gram, gramBytes, m, m, j);
    symmetric(m, m, gram, gramBytes, panels, poly, temp);
    // a I + b A + c A A, so that the product below is the whole iteration.
    combine(poly, gram, m * m);
    for (let i = 0; i < m; i++) {
      const diagonal = poly + (<usize>(i * m + i) << 2);
      store<f32>(diagonal, load<f32>(diagonal) + A);
    }
    for (let j = 0; j < n; j += PANEL) packPanel(panels + (<usize>(j * m) << 2), x, rowBytes, m, n, j);
    gemm(m, n, m, poly, gramBytes, 4, panels, m, next, rowBytes, false, temp);
    const spare = x;
    x = next;
    next = spare;
  }
  return x;
}

/** out [m, m] = a [m, k] B where it is known to be symmetric: what lies right of the diagonal, then its mirror image. */
function symmetric(m: i32, k: i32, a: usize, rowBytes: usize, panels: usize, out: usize, temp: usize): void {
  const bytes = <usize>m << 2;
  for (let i = 0; i < m; i += PANEL) {
    const corner = out + <usize>i * bytes + (<usize>i << 2);
    gemm(
      min(PANEL, m - i), m - i, k, a + <usize>i * rowBytes, rowBytes, 4, panels + (<usize>(i * k) << 2), k,
      corner, bytes, false, temp,
    );
  }
  for (let i = PANEL; i < m; i++) {
    const row = out + <usize>i * bytes;
    for (let j = 0; j < (i & ~(PANEL - 1)); j++)
      store<f32>(row + (<usize>j << 2), load<f32>(out + <usize>j * bytes + (<usize>i << 2)));
  }
}

function scaleAll(x: usize, elements: i32, factor: f32): void {
  for (let i = 0; i < elements; i++) store<f32>(x + (<usize>i << 2), load<f32>(x + (<usize>i << 2)) * factor);
}

/** square = B gram + C square */
function combine(square: usize, gram: usize, elements: i32): void {
  let i = 0;
  for (; i + 4 <= elements; i += 4) {
    const at = <usize>i << 2;
    v128.store(
      square + at,
      madd(v128.load(gram + at), splat(B), f32x4.mul(v128.load(square + at), splat(C))),
    );
  }
  for (; i < elements; i++) {
    const at = <usize>i << 2;
    store<f32>(square + at, B * load<f32>(gram + at) + C * load<f32>(square + at));
  }
}

function update(w: usize, stride: usize, rows: i32, columns: i32, x: usize, tall: bool, factor: f32): void {
  const decay: f32 = 1 - runtime.muonRate * runtime.muonDecay;
  const rate = runtime.muonRate * factor;
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      const at = w + <usize>i * stride + (<usize>j << 2);
      const direction = load<f32>(x + (<usize>(tall ? j * rows + i : i * columns + j) << 2));
      store<f32>(at, load<f32>(at) * decay - rate * direction);
    }
}

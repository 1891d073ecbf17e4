import { copy, madd, splat } from './vector.as';

/**
 * Matrix products by tiles of 4 x 8 (Goto and van de Geijn 2008, "Anatomy of High-Performance Matrix Multiplication"):
 * B is packed in panels of eight columns, so that a tile reads it in order; A is read where it lies, by strides. A
 * transposed A whose columns lie far apart has conflict misses in the cache, so `gemm` can pack it first. Every sum over
 * k runs from 0 upwards in blocks of K_BLOCK, whoever computes it: the result does not depend on the number of threads.
 */
export const PANEL = 8;
/**
 * A panel of this many rows (8 KB) stays in the first-level cache while the tiles of a block of rows go by.
 * runtimes/wasm/program.ts knows the number.
 */
const K_BLOCK = 256;

/** Floats that a packed [k, n] takes. */
@inline export function packedLength(k: i32, n: i32): i32 {
  return ((n + PANEL - 1) & ~(PANEL - 1)) * k;
}

/** Packs columns [j, j + 8) of a row-major B [k, n], rows `stride` bytes apart; columns past n are zeros. */
export function packPanel(to: usize, b: usize, stride: usize, k: i32, n: i32, j: i32): void {
  let from = b + (<usize>j << 2);
  if (j + PANEL <= n) {
    for (let i = 0; i < k; i++) {
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
      from += stride;
      to += 32;
    }
    return;
  }
  const valid = n - j;
  for (let i = 0; i < k; i++) {
    for (let c = 0; c < PANEL; c++) store<f32>(to + (<usize>c << 2), c < valid ? load<f32>(from + (<usize>c << 2)) : 0);
    from += stride;
    to += 32;
  }
}

/** Packs columns [j, j + 8) of B = T^T from a row-major T [n, k], rows `stride` bytes apart. */
export function packPanelTransposed(to: usize, t: usize, stride: usize, k: i32, n: i32, j: i32): void {
  let from = t + <usize>j * stride;
  const valid = n - j;
  if (valid >= PANEL) {
    let i = 0;
    for (; i + 4 <= k; i += 4) {
      transpose4(to, from, stride);
      transpose4(to + 16, from + 4 * stride, stride);
      from += 16;
      to += 128;
    }
    for (; i < k; i++) {
      for (let c = 0; c < PANEL; c++) store<f32>(to + (<usize>c << 2), load<f32>(from + <usize>c * stride));
      from += 4;
      to += 32;
    }
    return;
  }
  for (let i = 0; i < k; i++) {
    for (let c = 0; c < PANEL; c++)
      store<f32>(to + (<usize>c << 2), c < valid ? load<f32>(from + <usize>c * stride) : 0);
    from += 4;
    to += 32;
  }
}

/** Four columns of four rows become four rows, 32 bytes apart. */
@inline function transpose4(to: usize, from: usize, stride: usize): void {
  const a = v128.load(from);
  const b = v128.load(from + stride);
  const c = v128.load(from + 2 * stride);
  const d = v128.load(from + 3 * stride);
  const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
  const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
  const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
  const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
  v128.store(to + 32, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
  v128.store(to + 64, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5));
  v128.store(to + 96, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7));
}

/** Four rows of A times one panel, into or onto four rows of C; `step` bytes from one k of A to the next. */
@inline function tile(
  k: i32, a0: usize, a1: usize, a2: usize, a3: usize, step: usize, b: usize,
  c0: usize, c1: usize, c2: usize, c3: usize, add: bool,
): void {
  let x0 = splat(0), y0 = splat(0), x1 = splat(0), y1 = splat(0);
  let x2 = splat(0), y2 = splat(0), x3 = splat(0), y3 = splat(0);
  if (add) {
    x0 = v128.load(c0); y0 = v128.load(c0, 16);
    x1 = v128.load(c1); y1 = v128.load(c1, 16);
    x2 = v128.load(c2); y2 = v128.load(c2, 16);
    x3 = v128.load(c3); y3 = v128.load(c3, 16);
  }
  const end = b + (<usize>k << 5);
  while (b < end) {
    const p = v128.load(b);
    const q = v128.load(b, 16);
    let a = v128.load32_splat(a0);
    x0 = madd(a, p, x0); y0 = madd(a, q, y0);
    a = v128.load32_splat(a1);
    x1 = madd(a, p, x1); y1 = madd(a, q, y1);
    a = v128.load32_splat(a2);
    x2 = madd(a, p, x2); y2 = madd(a, q, y2);
    a = v128.load32_splat(a3);
    x3 = madd(a, p, x3); y3 = madd(a, q, y3);
    a0 += step; a1 += step; a2 += step; a3 += step;
    b += 32;
  }
  v128.store(c0, x0); v128.store(c0, y0, 16);
  v128.store(c1, x1); v128.store(c1, y1, 16);
  v128.store(c2, x2); v128.store(c2, y2, 16);
  v128.store(c3, x3); v128.store(c3, y3, 16);
}

/** Packs [m, depth] of an A whose rows lie side by side, columns `stride` bytes apart, by fours of rows. */
function packRows(to: usize, a: usize, stride: usize, m: i32, depth: i32): void {
  for (let i = 0; i < m; i += 4) {
    let from = a + (<usize>i << 2);
    const rows = min(4, m - i);
    for (let p = 0; p < depth; p++) {
      if (rows == 4) v128.store(to, v128.load(from));
      else copy(to, from, rows);
      from += stride;
      to += 16;
    }
  }
}

/**
 * C [m, n] = A [m, k] B, or += with `add`. A's element (i, p) lies at a + i * am + p * ak, C's rows are cm apart, in
 * bytes. `panels` is B packed with `panelRows` rows a panel (k or more, where only part of them is multiplied).
 * `temp`: 128 bytes of the caller's. `packed`: 0, or room for m (rounded up to four) * K_BLOCK floats where A is to
 * be packed, whose am must be 4. Else each panel loads a line of the cache for every four numbers of such an A.
 *
 * Where fewer than four rows are left, the last one stands in for the missing: it is computed more than once from the
 * same values, which costs less than a second tile.
 */
export function gemm(
  m: i32, n: i32, k: i32, a: usize, am: usize, ak: usize,
  panels: usize, panelRows: i32, c: usize, cm: usize, add: bool, temp: usize, packed: usize = 0,
): void {
  for (let k0 = 0; k0 < k; k0 += K_BLOCK) {
    const depth = min(K_BLOCK, k - k0);
    const onto = add || k0 > 0;
    let ablock = a + <usize>k0 * ak, step = ak, four = am << 2;
    if (packed) {
      packRows(packed, ablock, ak, m, depth);
      ablock = packed;
      step = 16;
      four = <usize>depth << 4;
    }
    for (let j = 0; j < n; j += PANEL) {
      const b = panels + (<usize>(j * panelRows + (k0 << 3)) << 2);
      const columns = n - j;
      let a0 = ablock, c0 = c + (<usize>j << 2), left = m;
      if (columns >= PANEL)
        for (; left >= 4; left -= 4) {
          tile(depth, a0, a0 + am, a0 + 2 * am, a0 + 3 * am, step, b, c0, c0 + cm, c0 + 2 * cm, c0 + 3 * cm, onto);
          a0 += four;
          c0 += cm << 2;
        }
      for (; left > 0; left -= 4) {
        const a1 = left > 1 ? a0 + am : a0, a2 = left > 2 ? a1 + am : a1, a3 = left > 3 ? a2 + am : a2;
        const c1 = left > 1 ? c0 + cm : c0, c2 = left > 2 ? c1 + cm : c1, c3 = left > 3 ? c2 + cm : c2;
        edge(depth, a0, a1, a2, a3, step, b, c0, c1, c2, c3, onto, min(columns, PANEL), temp);
        a0 += four;
        c0 += cm << 2;
      }
    }
  }
}

/** A tile of fewer rows or columns than others have, by way of `temp`. */
function edge(
  k: i32, a0: usize, a1: usize, a2: usize, a3: usize, step: usize, b: usize,
  c0: usize, c1: usize, c2: usize, c3: usize, add: bool, columns: i32, temp: usize,
): void {
  if (add) {
    copy(temp, c0, columns);
    copy(temp + 32, c1, columns);
    copy(temp + 64, c2, columns);
    copy(temp + 96, c3, columns);
  }
  tile(k, a0, a1, a2, a3, step, b, temp, temp + 32, temp + 64, temp + 96, add);
  copy(c3, temp + 96, columns);
  copy(c2, temp + 64, columns);
  copy(c1, temp + 32, columns);
  copy(c0, temp, columns);
}

/** Four rows anywhere times a packed B [k, n], onto four rows of C anywhere: the step of a recurrence. */
export function rowsTimes(
  k: i32, n: i32, a0: usize, a1: usize, a2: usize, a3: usize,
  panels: usize, c0: usize, c1: usize, c2: usize, c3: usize, temp: usize,
): void {
  for (let j = 0; j < n; j += PANEL) {
    const b = panels + (<usize>(j * k) << 2);
    const at = <usize>j << 2;
    if (j + PANEL <= n) tile(k, a0, a1, a2, a3, 4, b, c0 + at, c1 + at, c2 + at, c3 + at, true);
    else edge(k, a0, a1, a2, a3, 4, b, c0 + at, c1 + at, c2 + at, c3 + at, true, n - j, temp);
  }
}

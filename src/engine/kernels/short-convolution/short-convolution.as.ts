import {
  ShortConvolution, ShortConvolutionGradient, ShortConvolutionWeightGradient,
} from '../../wasm-kit/built/tables.as';
import { claim, runtime, scratch, segment } from '../../wasm-kit/runtime.as';
import { madd, zero } from '../../wasm-kit/vector.as';
import { isBehind } from '../shift/shift.as';

const ROWS = 32;
/** Columns of the weight's gradient that one thread takes at a time: a line of the cache. */
const LINE = 16;

/** to[i] += a[i] * b[i] * c[i] */
@inline function addProduct(to: usize, a: usize, b: usize, c: usize, bytes: usize): void {
  let i: usize = 0;
  for (; i + 16 <= bytes; i += 16)
    v128.store(to + i, madd(v128.load(a + i), f32x4.mul(v128.load(b + i), v128.load(c + i)), v128.load(to + i)));
  for (; i < bytes; i += 4)
    store<f32>(to + i, load<f32>(to + i) + load<f32>(a + i) * load<f32>(b + i) * load<f32>(c + i));
}

/** to[i] = a[i] * b[i] */
@inline function multiply(to: usize, a: usize, b: usize, bytes: usize): void {
  let i: usize = 0;
  for (; i + 16 <= bytes; i += 16) v128.store(to + i, f32x4.mul(v128.load(a + i), v128.load(b + i)));
  for (; i < bytes; i += 4) store<f32>(to + i, load<f32>(a + i) * load<f32>(b + i));
}

/** The weight [columns, taps] with each tap in a row of its own, that of the token itself first, in a thread's memory. */
function tapRows(weight: usize, columns: i32, taps: i32, thread: i32): usize {
  const to = scratch(thread);
  for (let column = 0; column < columns; column++)
    for (let back = 0; back < taps; back++) {
      const value = load<f32>(weight + (<usize>(column * taps + taps - 1 - back) << 2));
      store<f32>(to + (<usize>(back * columns + column) << 2), value);
    }
  return to;
}

export function shortConvolution(call: ShortConvolution, thread: i32): void {
  const columns = call.columns, taps = call.taps, bcx = call.bcx;
  const bytes = <usize>columns << 2, end = runtime.firstRow + runtime.count;
  let first = runtime.firstRow + claim(call, 0) * ROWS;
  if (first >= end) return;
  const weight = tapRows(call.weight, columns, taps, thread);
  let s = 0;
  for (; first < end; first = runtime.firstRow + claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, end); row++) {
      // A thread's claims only grow, and so do its segments.
      while (isBehind(row, segment(s))) s++;
      const at = segment(s), place = row - load<i32>(at), history = load<i32>(at, 12);
      const out = call.out + <usize>row * bytes;
      zero(out, columns);
      for (let back = 0; back <= min(taps - 1, place + history); back++) {
        const earlier = back <= place ? row - back : load<i32>(at, 8) + history + place - back;
        const b = bcx + 3 * <usize>earlier * bytes;
        addProduct(out, weight + <usize>back * bytes, b, b + 2 * bytes, bytes);
      }
      multiply(out, out, bcx + (3 * <usize>row + 1) * bytes, bytes);
    }
}

/** Of segments without history. */
export function shortConvolutionGradient(call: ShortConvolutionGradient, thread: i32): void {
  const columns = call.columns, taps = call.taps;
  const bytes = <usize>columns << 2, end = runtime.firstRow + runtime.count;
  let first = runtime.firstRow + claim(call, 0) * ROWS;
  if (first >= end) return;
  const weight = tapRows(call.weight, columns, taps, thread);
  let s = 0;
  for (; first < end; first = runtime.firstRow + claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, end); row++) {
      while (isBehind(row, segment(s))) s++;
      const at = segment(s), before = row - load<i32>(at), after = load<i32>(at, 4) - 1 - before;
      const dOut = call.dOut + <usize>row * bytes;
      const b = call.bcx + 3 * <usize>row * bytes, c = b + bytes, x = c + bytes;
      const dB = call.dBcx + 3 * <usize>row * bytes, dC = dB + bytes, dX = dC + bytes;
      zero(dB, 2 * columns);
      for (let back = 0; back < taps; back++) {
        const tap = weight + <usize>back * bytes, away = <usize>back * bytes;
        // What the row has read, and what has read the row.
        if (back <= before) addProduct(dC, tap, b - 3 * away, x - 3 * away, bytes);
        if (back <= after) addProduct(dB, tap, dOut + away, c + 3 * away, bytes);
      }
      multiply(dC, dC, dOut, bytes);
      multiply(dX, dB, b, bytes);
      multiply(dB, dB, x, bytes);
    }
}

/** Of segments without history. Each sum is one thread's, in the order of the rows. */
export function shortConvolutionWeightGradient(call: ShortConvolutionWeightGradient, thread: i32): void {
  const columns = call.columns, taps = call.taps, lines = (columns + LINE - 1) / LINE;
  const bytes = <usize>columns << 2;
  // The sums, and what has come through C.
  const sums = scratch(thread), dSum = sums + (LINE << 2);
  for (let piece = claim(call, 0); piece < taps * lines; piece = claim(call, 0)) {
    const back = piece / lines, column = piece % lines * LINE;
    const width = min(LINE, columns - column), at = <usize>column << 2, part = <usize>width << 2;
    zero(sums, width);
    for (let s = 0; s < runtime.segmentCount; s++) {
      const first = load<i32>(segment(s));
      for (let row = first + back; row < first + load<i32>(segment(s), 4); row++) {
        const c = call.bcx + (3 * <usize>row + 1) * bytes + at;
        const b = call.bcx + 3 * <usize>(row - back) * bytes + at;
        multiply(dSum, call.dOut + <usize>row * bytes + at, c, part);
        addProduct(sums, dSum, b, b + 2 * bytes, part);
      }
    }
    const to = call.dWeight + (<usize>(column * taps + taps - 1 - back) << 2);
    for (let i = 0; i < width; i++) store<f32>(to + (<usize>(i * taps) << 2), load<f32>(sums + (<usize>i << 2)));
  }
}

import { Shift, ShiftGradient, ShiftWeightGradient } from '../../wasm-kit/built/tables.as';
import { claim, runtime, segment } from '../../wasm-kit/runtime.as';
import { madd, splat, zero } from '../../wasm-kit/vector.as';

const ROWS = 32;
/** Columns of the weight's gradient that one thread takes at a time: a line of the cache. */
const LINE = 16;

/** to[i] += weight[i] * from[i] */
@inline function addWeighted(to: usize, weight: usize, from: usize, bytes: usize): void {
  let i: usize = 0;
  for (; i + 16 <= bytes; i += 16)
    v128.store(to + i, madd(v128.load(weight + i), v128.load(from + i), v128.load(to + i)));
  for (; i < bytes; i += 4)
    store<f32>(to + i, load<f32>(to + i) + load<f32>(weight + i) * load<f32>(from + i));
}

/** Whether a row comes after the segment; segments lie in the order of their rows. */
@inline export function isBehind(row: i32, at: usize): bool {
  return row >= load<i32>(at) + load<i32>(at, 4);
}

export function shift(call: Shift): void {
  const columns = call.columns, weight = call.weight, taps = call.taps;
  const bytes = <usize>columns << 2, end = runtime.firstRow + runtime.count;
  let s = 0;
  let first = runtime.firstRow + claim(call, 0) * ROWS;
  for (; first < end; first = runtime.firstRow + claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, end); row++) {
      // A thread's claims only grow, and so do its segments.
      while (isBehind(row, segment(s))) s++;
      const at = segment(s), place = row - load<i32>(at), history = load<i32>(at, 12);
      const x = call.x, out = call.out + <usize>row * bytes;
      memory.copy(out, x + <usize>row * bytes, bytes);
      for (let tap = 1; tap <= min(taps, place + history); tap++) {
        const earlier = tap <= place ? row - tap : load<i32>(at, 8) + history + place - tap;
        addWeighted(out, weight + <usize>(tap - 1) * bytes, x + <usize>earlier * bytes, bytes);
      }
    }
}

/** Of segments without history. */
export function shiftGradient(call: ShiftGradient): void {
  const columns = call.columns, weight = call.weight, taps = call.taps;
  const bytes = <usize>columns << 2, end = runtime.firstRow + runtime.count;
  let s = 0;
  let first = runtime.firstRow + claim(call, 0) * ROWS;
  for (; first < end; first = runtime.firstRow + claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, end); row++) {
      while (isBehind(row, segment(s))) s++;
      const at = segment(s), after = load<i32>(at) + load<i32>(at, 4) - 1 - row;
      const dOut = call.dOut + <usize>row * bytes, dX = call.dX + <usize>row * bytes;
      memory.copy(dX, dOut, bytes);
      for (let tap = 1; tap <= min(taps, after); tap++)
        addWeighted(dX, weight + <usize>(tap - 1) * bytes, dOut + <usize>tap * bytes, bytes);
    }
}

/** Of segments without history. Each sum is one thread's, in the order of the rows. */
export function shiftWeightGradient(call: ShiftWeightGradient): void {
  const columns = call.columns, taps = call.taps, lines = (columns + LINE - 1) / LINE;
  const bytes = <usize>columns << 2;
  for (let piece = claim(call, 0); piece < taps * lines; piece = claim(call, 0)) {
    const tap = piece / lines + 1, column = piece % lines * LINE;
    const width = min(LINE, columns - column), at = <usize>column << 2;
    const dOut = call.dOut + at, x = call.x + at;
    const to = call.dWeight + <usize>(tap - 1) * bytes + at;
    if (width < LINE) {
      zero(to, width);
      for (let s = 0; s < runtime.segmentCount; s++) {
        const first = load<i32>(segment(s));
        for (let row = first + tap; row < first + load<i32>(segment(s), 4); row++)
          addWeighted(to, dOut + <usize>row * bytes, x + <usize>(row - tap) * bytes, <usize>width << 2);
      }
      continue;
    }
    let a = splat(0), b = splat(0), c = splat(0), d = splat(0);
    for (let s = 0; s < runtime.segmentCount; s++) {
      const first = load<i32>(segment(s));
      for (let row = first + tap; row < first + load<i32>(segment(s), 4); row++) {
        const g = dOut + <usize>row * bytes, y = x + <usize>(row - tap) * bytes;
        a = madd(v128.load(g), v128.load(y), a);
        b = madd(v128.load(g, 16), v128.load(y, 16), b);
        c = madd(v128.load(g, 32), v128.load(y, 32), c);
        d = madd(v128.load(g, 48), v128.load(y, 48), d);
      }
    }
    v128.store(to, a);
    v128.store(to, b, 16);
    v128.store(to, c, 32);
    v128.store(to, d, 48);
  }
}

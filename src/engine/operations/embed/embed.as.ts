import {
  argument, claim, count, firstRow, paddedOf, pointer, positionOf, realArgument, slotOf, tokenOf,
} from '../../wasm/kernels/runtime.as';
import { addInto, zero } from '../../wasm/kernels/vector.as';
import { dropoutKey, dropoutMask } from '../dropout/dropout.as';

const ROWS = 32;
const LINE = 16;

/** tokens, positions, slots, columns, out, rate, site; rate 0 for no dropout */
export function embed(call: usize): void {
  const positions = pointer(call, 1), slots = pointer(call, 2), columns = argument(call, 3), rows = count();
  const rate = realArgument(call, 5), key = dropoutKey(argument(call, 6));
  const bytes = <usize>columns << 2;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const out = pointer(call, 4) + <usize>(firstRow() + row) * bytes;
      memory.copy(out, pointer(call, 0) + <usize>tokenOf(row) * bytes, bytes);
      if (positions) addInto(out, positions + <usize>positionOf(row) * bytes, columns);
      if (slots) addInto(out, slots + <usize>slotOf(row) * bytes, columns);
      if (rate > 0)
        for (let c = 0; c < columns; c++) {
          const at = out + (<usize>c << 2);
          store<f32>(at, load<f32>(at) * dropoutMask(key, <u32>(paddedOf(row) * columns + c), rate));
        }
    }
}

/**
 * dOut, columns, dTokens, vocabulary, tied, dPositions, places, dSlots, slots, rate, site. A thread takes columns and
 * goes through all tokens in their order: the same sums every time, without atomics.
 */
export function embedGradient(call: usize): void {
  const columns = argument(call, 1), dTokens = pointer(call, 2), dPositions = pointer(call, 5), dSlots = pointer(call, 7);
  const rate = realArgument(call, 9), key = dropoutKey(argument(call, 10)), rows = count();
  const bytes = <usize>columns << 2;
  for (let column = claim(call, 0) * LINE; column < columns; column = claim(call, 0) * LINE) {
    const width = min(LINE, columns - column);
    const at = <usize>column << 2;
    if (!argument(call, 4)) zeroColumns(dTokens + at, argument(call, 3), bytes, width);
    if (dPositions) zeroColumns(dPositions + at, argument(call, 6), bytes, width);
    if (dSlots) zeroColumns(dSlots + at, argument(call, 8), bytes, width);
    for (let row = 0; row < rows; row++) {
      const d = pointer(call, 0) + <usize>(firstRow() + row) * bytes + at;
      // The gradient of the sum is nobody's after this call, so the mask may be put on it where it lies.
      if (rate > 0)
        for (let c = 0; c < width; c++) {
          const place = d + (<usize>c << 2);
          store<f32>(
            place,
            load<f32>(place) * dropoutMask(key, <u32>(paddedOf(row) * columns + column + c), rate),
          );
        }
      addInto(dTokens + <usize>tokenOf(row) * bytes + at, d, width);
      if (dPositions) addInto(dPositions + <usize>positionOf(row) * bytes + at, d, width);
      if (dSlots) addInto(dSlots + <usize>slotOf(row) * bytes + at, d, width);
    }
  }
}

function zeroColumns(table: usize, rows: i32, bytes: usize, width: i32): void {
  for (let row = 0; row < rows; row++) zero(table + <usize>row * bytes, width);
}

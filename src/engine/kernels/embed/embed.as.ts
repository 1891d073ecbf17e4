import { Embed, EmbedGradient } from '../../wasm-kit/built/tables.as';
import { claim, paddedOf, positionOf, runtime, slotOf, tokenOf } from '../../wasm-kit/runtime.as';
import { addInto, zero } from '../../wasm-kit/vector.as';
import { dropoutKey, dropoutMask } from '../dropout/dropout.as';

const ROWS = 32;
const LINE = 16;

/** Embed (plan.ts); a rate of 0 is no dropout. */
export function embed(call: Embed): void {
  const positions = call.positions, slots = call.slots, columns = call.columns, rows = runtime.count;
  const rate = call.rate, key = dropoutKey(call.site);
  const bytes = <usize>columns << 2;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const out = call.out + <usize>(runtime.firstRow + row) * bytes;
      memory.copy(out, call.tokens + <usize>tokenOf(row) * bytes, bytes);
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
 * EmbedGradient (plan.ts). A thread takes columns and goes through all tokens in their order: the same sums every time,
 * without atomics.
 */
export function embedGradient(call: EmbedGradient): void {
  const columns = call.columns, dTokens = call.dTokens, dPositions = call.dPositions, dSlots = call.dSlots;
  const rate = call.rate, key = dropoutKey(call.site), rows = runtime.count;
  const bytes = <usize>columns << 2;
  for (let column = claim(call, 0) * LINE; column < columns; column = claim(call, 0) * LINE) {
    const width = min(LINE, columns - column);
    const at = <usize>column << 2;
    if (!call.tied) zeroColumns(dTokens + at, call.tokenRows, bytes, width);
    if (dPositions) zeroColumns(dPositions + at, call.positionRows, bytes, width);
    if (dSlots) zeroColumns(dSlots + at, call.slotRows, bytes, width);
    for (let row = 0; row < rows; row++) {
      const d = call.dOut + <usize>(runtime.firstRow + row) * bytes + at;
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

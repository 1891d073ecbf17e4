import { Dropout } from '../../wasm-kit/built/tables.as';
import { claim, paddedOf, runtime } from '../../wasm-kit/runtime.as';

const ROWS = 32;

/** A 32-bit integer hash (lowbias32); src/engine/plan/dropout-mask.ts has the same. */
@inline function mix(x: u32): u32 {
  x = (x ^ (x >>> 16)) * 0x7feb352d;
  x = (x ^ (x >>> 15)) * 0x846ca68b;
  return x ^ (x >>> 16);
}

/** What the masks of one site are numbered from. */
@inline export function dropoutKey(site: i32): u32 {
  return mix(runtime.seedHash ^ mix(<u32>site + 0x85ebca6b));
}

/** Element `index` of a site's mask: 0 or 1 / (1 - rate). */
@inline export function dropoutMask(key: u32, index: u32, rate: f32): f32 {
  const bits = mix(key + (index >>> 1));
  const half = (index & 1) == 0 ? bits >>> 16 : bits & 0xffff;
  return half >= <u32>nearest<f32>(rate * 65536) ? 1 / (1 - rate) : 0;
}

export function dropout(call: Dropout): void {
  const columns = call.columns, residual = call.residual, rows = runtime.count;
  const rate = call.rate, key = dropoutKey(call.site);
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const start = <usize>((runtime.firstRow + row) * columns) << 2;
      const index = <u32>(paddedOf(row) * columns);
      for (let c = 0; c < columns; c++) {
        const at = start + (<usize>c << 2);
        const kept = load<f32>(call.x + at) * dropoutMask(key, index + <u32>c, rate);
        store<f32>(call.out + at, residual ? kept + load<f32>(residual + at) : kept);
      }
    }
}

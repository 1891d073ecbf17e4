import { argument, claim, count, firstRow, pointer } from '../../wasm/kernels/runtime.as';
import { sigmoid1, sigmoid4, splat } from '../../wasm/kernels/vector.as';

const ROWS = 32;

/** gateUp, width, out */
export function gatedUnit(call: usize): void {
  const width = argument(call, 1), rows = count();
  const bytes = <usize>width << 2;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const at = <usize>(firstRow() + row);
      const gate = pointer(call, 0) + at * 2 * bytes, up = gate + bytes, out = pointer(call, 2) + at * bytes;
      let i: usize = 0;
      for (; i + 16 <= bytes; i += 16) {
        const x = v128.load(gate + i);
        v128.store(out + i, f32x4.mul(f32x4.mul(x, sigmoid4(x)), v128.load(up + i)));
      }
      for (; i < bytes; i += 4) {
        const x = load<f32>(gate + i);
        store<f32>(out + i, x * sigmoid1(x) * load<f32>(up + i));
      }
    }
}

/** gateUp, width, dOut, dGateUp */
export function gatedUnitGradient(call: usize): void {
  const width = argument(call, 1), rows = count();
  const bytes = <usize>width << 2;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const at = <usize>(firstRow() + row);
      const gate = pointer(call, 0) + at * 2 * bytes, up = gate + bytes;
      const dOut = pointer(call, 2) + at * bytes, dGate = pointer(call, 3) + at * 2 * bytes, dUp = dGate + bytes;
      let i: usize = 0;
      for (; i + 16 <= bytes; i += 16) {
        const x = v128.load(gate + i), d = v128.load(dOut + i);
        const s = sigmoid4(x);
        const silu = f32x4.mul(x, s);
        v128.store(dUp + i, f32x4.mul(d, silu));
        const slope = f32x4.add(s, f32x4.mul(silu, f32x4.sub(splat(1), s)));
        v128.store(dGate + i, f32x4.mul(f32x4.mul(d, v128.load(up + i)), slope));
      }
      for (; i < bytes; i += 4) {
        const x = load<f32>(gate + i), d = load<f32>(dOut + i);
        const s = sigmoid1(x);
        store<f32>(dUp + i, d * x * s);
        store<f32>(dGate + i, d * load<f32>(up + i) * (s + x * s * (1 - s)));
      }
    }
}

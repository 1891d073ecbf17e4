import { GatedUnit, GatedUnitGradient } from '../../wasm-kit/built/tables.as';
import { claim, runtime } from '../../wasm-kit/runtime.as';
import { sigmoid1, sigmoid4, splat } from '../../wasm-kit/vector.as';

const ROWS = 32;

export function gatedUnit(call: GatedUnit): void {
  const width = call.width, rows = runtime.count;
  const bytes = <usize>width << 2;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const at = <usize>(runtime.firstRow + row);
      const gate = call.gateUp + at * 2 * bytes, up = gate + bytes, out = call.out + at * bytes;
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

export function gatedUnitGradient(call: GatedUnitGradient): void {
  const width = call.width, rows = runtime.count;
  const bytes = <usize>width << 2;
  for (let first = claim(call, 0) * ROWS; first < rows; first = claim(call, 0) * ROWS)
    for (let row = first; row < min(first + ROWS, rows); row++) {
      const at = <usize>(runtime.firstRow + row);
      const gate = call.gateUp + at * 2 * bytes, up = gate + bytes;
      const dOut = call.dOut + at * bytes, dGate = call.dGateUp + at * 2 * bytes, dUp = dGate + bytes;
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

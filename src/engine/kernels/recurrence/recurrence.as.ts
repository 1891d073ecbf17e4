import { packPanel, packPanelTransposed, PANEL, rowsTimes } from '../../wasm-kit/gemm.as';
import { Instruction, PreviousRows, Recurrence, RecurrenceGradient } from '../../wasm-kit/built/tables.as';
import { barrier, claim, runtime, scratch, segment } from '../../wasm-kit/runtime.as';
import { sigmoid1, sigmoid4, tanh1, tanh4, zero } from '../../wasm-kit/vector.as';

/** Segments that one thread takes through time together: a tile of the matrix product. */
const GROUP = 4;

/** Packs the recurrent weight [4d, d] for all threads, as W^T forward and as W backward. */
function packWeight(call: Instruction, weight: usize, d: i32, transposed: bool): void {
  const n = transposed ? 4 * d : d, k = transposed ? d : 4 * d;
  const all = (n + PANEL - 1) / PANEL;
  for (let panel = claim(call, 0); panel < all; panel = claim(call, 0)) {
    const to = runtime.shared + (<usize>(panel * PANEL * k) << 2);
    if (transposed) packPanelTransposed(to, weight, <usize>d << 2, k, n, panel * PANEL);
    else packPanel(to, weight, <usize>d << 2, k, n, panel * PANEL);
  }
  barrier();
}

export function recurrence(call: Recurrence, thread: i32): void {
  const gates = call.gates, d = call.width, out = call.out, cells = call.cells;
  const bytes = <usize>d << 2;
  packWeight(call, call.weight, d, true);
  const groups = (runtime.segmentCount + GROUP - 1) / GROUP;
  const temp = scratch(thread);
  const zeros = temp + 128;
  zero(zeros, d);
  for (let group = claim(call, 1); group < groups; group = claim(call, 1)) {
    const first = group * GROUP, last = min(first + GROUP, runtime.segmentCount);
    let longest = 0;
    for (let s = first; s < last; s++) longest = max(longest, load<i32>(segment(s), 4));
    for (let t = 0; t < longest; t++) {
      let h0: usize = 0, h1: usize = 0, h2: usize = 0, h3: usize = 0;
      let g0: usize = 0, g1: usize = 0, g2: usize = 0, g3: usize = 0;
      for (let s = first; s < last; s++) {
        const at = segment(s);
        if (t >= load<i32>(at, 4)) continue;
        const before = previousRow(at, t);
        const h = before < 0 ? zeros : out + <usize>before * bytes;
        const g = gates + <usize>(load<i32>(at) + t) * 4 * bytes;
        // Rows that are missing repeat the newest one.
        h3 = h; g3 = g;
        if (!g0) { h0 = h; g0 = g; h1 = h; g1 = g; h2 = h; g2 = g; }
        else if (g1 == g0) { h1 = h; g1 = g; h2 = h; g2 = g; }
        else if (g2 == g1) { h2 = h; g2 = g; }
      }
      rowsTimes(d, 4 * d, h0, h1, h2, h3, runtime.shared, g0, g1, g2, g3, temp);
      for (let s = first; s < last; s++) {
        const at = segment(s);
        if (t >= load<i32>(at, 4)) continue;
        const before = previousRow(at, t);
        const row = <usize>(load<i32>(at) + t);
        activate(
          gates + row * 4 * bytes, before < 0 ? zeros : cells + <usize>before * bytes, cells + row * bytes,
          out + row * bytes, d,
        );
      }
    }
  }
}

/** The row before step t of a segment, in it or in its history; -1 where there is none. */
@inline function previousRow(at: usize, t: i32): i32 {
  if (t > 0) return load<i32>(at) + t - 1;
  const history = load<i32>(at, 12);
  return history > 0 ? load<i32>(at, 8) + history - 1 : -1;
}

/** c = f c' + i g, h = o tanh c; the gates are activated in place. */
function activate(gates: usize, before: usize, cell: usize, out: usize, d: i32): void {
  const bytes = <usize>d << 2;
  let k: usize = 0;
  for (; k + 16 <= bytes; k += 16) {
    const i = sigmoid4(v128.load(gates + k)), f = sigmoid4(v128.load(gates + bytes + k));
    const g = tanh4(v128.load(gates + 2 * bytes + k)), o = sigmoid4(v128.load(gates + 3 * bytes + k));
    v128.store(gates + k, i);
    v128.store(gates + bytes + k, f);
    v128.store(gates + 2 * bytes + k, g);
    v128.store(gates + 3 * bytes + k, o);
    const c = f32x4.add(f32x4.mul(f, v128.load(before + k)), f32x4.mul(i, g));
    v128.store(cell + k, c);
    v128.store(out + k, f32x4.mul(o, tanh4(c)));
  }
  for (; k < bytes; k += 4) {
    const i = sigmoid1(load<f32>(gates + k)), f = sigmoid1(load<f32>(gates + bytes + k));
    const g = tanh1(load<f32>(gates + 2 * bytes + k)), o = sigmoid1(load<f32>(gates + 3 * bytes + k));
    store<f32>(gates + k, i);
    store<f32>(gates + bytes + k, f);
    store<f32>(gates + 2 * bytes + k, g);
    store<f32>(gates + 3 * bytes + k, o);
    const c = f * load<f32>(before + k) + i * g;
    store<f32>(cell + k, c);
    store<f32>(out + k, o * tanh1(c));
  }
}

/**
 * Of segments without history. All segments of a group are at the same step, so where gradients are cut, they are cut
 * for all; a truncation of 0 is none.
 */
export function recurrenceGradient(call: RecurrenceGradient, thread: i32): void {
  const gates = call.gates, d = call.width, cells = call.cells;
  const dOut = call.dOut, dGates = call.dGates, truncation = call.truncation;
  const bytes = <usize>d << 2;
  packWeight(call, call.weight, d, false);
  const groups = (runtime.segmentCount + GROUP - 1) / GROUP;
  const temp = scratch(thread);
  const zeros = temp + 128;
  const states = zeros + 4 * bytes;
  const dCells = states + <usize>GROUP * bytes;
  zero(zeros, 4 * d);
  for (let group = claim(call, 1); group < groups; group = claim(call, 1)) {
    const first = group * GROUP, last = min(first + GROUP, runtime.segmentCount);
    let longest = 0;
    for (let s = first; s < last; s++) longest = max(longest, load<i32>(segment(s), 4));
    zero(dCells, GROUP * d);
    for (let t = longest - 1; t >= 0; t--) {
      const cut = truncation > 0 && (t + 1) % truncation == 0;
      if (cut) zero(dCells, GROUP * d);
      let live = 0;
      for (let s = first; s < last; s++) {
        const at = segment(s), length = load<i32>(at, 4);
        const state = states + <usize>(s - first) * bytes;
        if (t < length) {
          memory.copy(state, dOut + <usize>(load<i32>(at) + t) * bytes, bytes);
          live++;
        } else zero(state, d);
      }
      if (live == 0) continue;
      if (!cut) {
        const g0 = later(dGates, bytes, first, last, 0, t, zeros), g1 = later(dGates, bytes, first, last, 1, t, zeros);
        const g2 = later(dGates, bytes, first, last, 2, t, zeros), g3 = later(dGates, bytes, first, last, 3, t, zeros);
        rowsTimes(
          4 * d, d, g0, g1, g2, g3, runtime.shared, states, states + bytes, states + 2 * bytes, states + 3 * bytes, temp,
        );
      }
      for (let s = first; s < last; s++) {
        const at = segment(s);
        if (t >= load<i32>(at, 4)) continue;
        const row = <usize>(load<i32>(at) + t);
        const place = <usize>(s - first) * bytes;
        stepGradient(
          gates + row * 4 * bytes, t > 0 ? cells + (row - 1) * bytes : zeros, cells + row * bytes, states + place,
          dCells + place, dGates + row * 4 * bytes, d,
        );
      }
    }
  }
}

/** dGates of the step after t of a group's segment; zeros where there is none. */
@inline function later(dGates: usize, bytes: usize, first: i32, last: i32, index: i32, t: i32, zeros: usize): usize {
  if (first + index >= last) return zeros;
  const at = segment(first + index);
  return t + 1 < load<i32>(at, 4) ? dGates + <usize>(load<i32>(at) + t + 1) * 4 * bytes : zeros;
}

function stepGradient(gates: usize, before: usize, cell: usize, dh: usize, dc: usize, dGates: usize, d: i32): void {
  const bytes = <usize>d << 2;
  for (let k: usize = 0; k < bytes; k += 4) {
    const i = load<f32>(gates + k), f = load<f32>(gates + bytes + k);
    const g = load<f32>(gates + 2 * bytes + k), o = load<f32>(gates + 3 * bytes + k);
    const t = tanh1(load<f32>(cell + k)), h = load<f32>(dh + k);
    const c = load<f32>(dc + k) + h * o * (1 - t * t);
    store<f32>(dGates + k, c * g * i * (1 - i));
    store<f32>(dGates + bytes + k, c * load<f32>(before + k) * f * (1 - f));
    store<f32>(dGates + 2 * bytes + k, c * i * (1 - g * g));
    store<f32>(dGates + 3 * bytes + k, h * t * o * (1 - o));
    store<f32>(dc + k, c * f);
  }
}

export function previousRows(call: PreviousRows): void {
  const columns = call.columns;
  const bytes = <usize>columns << 2;
  for (let s = claim(call, 0); s < runtime.segmentCount; s = claim(call, 0)) {
    const at = segment(s);
    for (let t = 0; t < load<i32>(at, 4); t++) {
      const to = call.out + <usize>(load<i32>(at) + t) * bytes;
      const before = previousRow(at, t);
      if (before < 0) zero(to, columns);
      else memory.copy(to, call.x + <usize>before * bytes, bytes);
    }
  }
}

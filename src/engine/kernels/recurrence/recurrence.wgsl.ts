import type { PreviousRows, Recurrence, RecurrenceGradient } from '../../plan/plan.ts';
import { ceilDiv, LaunchBuilder, type Launch, type Matrix } from '../../gpu-kit/launch.ts';
import { THREADS, vectorGroups, vectorHead } from '../../gpu-kit/rows.ts';

/** How a device goes through time: a workgroup takes some segments from their first row to their last. */
export interface RecurrenceShape {
  threads: number;
  /** Segments that share what is read of the weight. */
  together: number;
}

/** A graphics card has workgroups to spare and wants many of them at work. */
export const cardRecurrence: RecurrenceShape = { threads: 256, together: 1 };
export const emulatedRecurrence: RecurrenceShape = { threads: 64, together: 4 };

const each = (n: number, line: (i: number) => string) => Array.from({ length: n }, (_, i) => line(i)).join('\n');

const squashing = `
fn squashed(x: f32) -> f32 {
  return 1.0 / (1.0 + exp(clamp(-x, -80.0, 80.0)));
}
fn tangent(x: f32) -> f32 {
  return 2.0 * squashed(2.0 * x) - 1.0;
}`;

/** Declares for each segment s of the workgroup its `startS`, `lengthS`, `beforeS` (row before its first, -1 for none). */
const segmentsHead = (together: number) => `
let firstSegment = group.x * ${together}u;
var longest = 0u;
${each(
  together,
  (s) => `
let segment${s} = segmentOf(min(firstSegment + ${s}u, run.segments - 1u));
let start${s} = segment${s}.start;
let length${s} = select(0u, segment${s}.length, firstSegment + ${s}u < run.segments);
let before${s} = select(-1, i32(segment${s}.historyStart + segment${s}.history) - 1, segment${s}.history > 0u);
longest = max(longest, length${s});`,
)}`;

const groupsOf =
  (together: number): Launch['groups'] =>
  ({ segments }) => [ceilDiv(segments, together), 1, 1];

/** Recurrence (plan.ts). A thread has some of the units; after every step all have seen what the others wrote. */
export function recurrence(call: Recurrence, { threads, together }: RecurrenceShape): Launch {
  const d = call.out.columns;
  const build = new LaunchBuilder();
  const gates = build.matrix(call.gates, { scalar: true });
  const weight = build.matrix(call.weight);
  const out = build.matrix(call.out, { scalar: true });
  const cells = build.matrix(call.cells, { scalar: true });
  const whole = d - (d % 4);
  const weightRow = (gate: number) => weight.row(`${gate * d}u + j`);
  return build.finish({
    name: 'recurrence',
    functions: squashing,
    threads,
    body: `${segmentsHead(together)}
for (var t = 0u; t < longest; t++) {
  for (var j = thread; j < ${d}u; j += ${threads}u) {
    ${each(4, (gate) => `let w${gate} = ${weightRow(gate)};`)}
    ${each(
      together,
      (s) => `
    let row${s} = start${s} + min(t, max(length${s}, 1u) - 1u);
    let had${s} = t < length${s} && (t > 0u || before${s} >= 0);
    let previous${s} = select(u32(max(before${s}, 0)), start${s} + max(t, 1u) - 1u, t > 0u);
    let hidden${s} = ${out.row(`previous${s}`)};
    let gatesAt${s} = ${gates.row(`row${s}`)} + j;
    var sum${s} = vec4f();`,
    )}
    for (var k = 0u; k < ${whole}u; k += 4u) {
      ${each(4, (gate) => `let v${gate} = ${weight.load4(`w${gate} + k`)};`)}
      ${each(
        together,
        (s) => `if (had${s}) {
        let h = ${out.load4(`hidden${s} + k`)};
        sum${s} += vec4f(dot(v0, h), dot(v1, h), dot(v2, h), dot(v3, h));
      }`,
      )}
    }
    for (var k = ${whole}u; k < ${d}u; k++) {
      ${each(
        together,
        (s) => `if (had${s}) {
        sum${s} += ${out.load(`hidden${s} + k`)} * vec4f(${[0, 1, 2, 3].map((gate) => weight.load(`w${gate} + k`)).join(', ')});
      }`,
      )}
    }
    ${each(
      together,
      (s) => `if (t < length${s}) {
      let i = squashed(${gates.load(`gatesAt${s}`)} + sum${s}.x);
      let f = squashed(${gates.load(`gatesAt${s} + ${d}u`)} + sum${s}.y);
      let g = tangent(${gates.load(`gatesAt${s} + ${2 * d}u`)} + sum${s}.z);
      let o = squashed(${gates.load(`gatesAt${s} + ${3 * d}u`)} + sum${s}.w);
      ${['i', 'f', 'g', 'o'].map((gate, q) => gates.store(`gatesAt${s} + ${q * d}u`, gate)).join('\n')}
      var cell = i * g;
      if (had${s}) { cell += f * ${cells.load(`${cells.row(`previous${s}`)} + j`)}; }
      ${cells.store(`${cells.row(`row${s}`)} + j`, 'cell')}
      ${out.store(`${out.row(`row${s}`)} + j`, 'o * tangent(cell)')}
    }`,
    )}
  }
  storageBarrier();
}`,
    groups: groupsOf(together),
    flops: (count) => 8 * count * d * d,
  });
}

/** RecurrenceGradient (plan.ts): backpropagation through time, from the last row to the first, cut where it is truncated. */
export function recurrenceGradient(call: RecurrenceGradient, { threads, together }: RecurrenceShape): Launch {
  const d = call.dOut.columns;
  const build = new LaunchBuilder();
  const scalar = true;
  const [gates, cells, dOut, dGates] = [call.gates, call.cells, call.dOut, call.dGates].map((buffer) =>
    build.matrix(buffer, { scalar }),
  );
  const weight = build.matrix(call.weight, { scalar });
  const units = ceilDiv(d, threads);
  const at = (matrix: Matrix, row: string) => `${matrix.row(row)} + j`;
  const { truncation } = call;
  const whole = truncation === null;
  return build.finish({
    name: 'recurrence gradient',
    functions: squashing,
    threads,
    body: `${segmentsHead(together)}
${each(together, (s) => `var dCell${s}: array<f32, ${units}>;`)}
for (var t = longest; t > 0u; ) {
  t--;
  ${whole ? '' : `let flows = (t + 1u) % ${truncation}u != 0u;`}
  for (var unit = 0u; unit < ${units}u; unit++) {
    let j = unit * ${threads}u + thread;
    if (j < ${d}u) {
      ${each(
        together,
        (s) => `let row${s} = start${s} + min(t, max(length${s}, 1u) - 1u);
      let later${s} = t + 1u < length${s}${whole ? '' : ' && flows'};
      let laterAt${s} = ${dGates.row(`row${s} + 1u`)};
      var sum${s} = 0.0;`,
      )}
      for (var r = 0u; r < ${4 * d}u; r++) {
        let w = ${weight.load(`${weight.row('r')} + j`)};
        ${each(together, (s) => `if (later${s}) { sum${s} += ${dGates.load(`laterAt${s} + r`)} * w; }`)}
      }
      ${each(
        together,
        (s) => `if (t < length${s}) {
        let gatesAt = ${at(gates, `row${s}`)};
        let i = ${gates.load('gatesAt')};
        let f = ${gates.load(`gatesAt + ${d}u`)};
        let g = ${gates.load(`gatesAt + ${2 * d}u`)};
        let o = ${gates.load(`gatesAt + ${3 * d}u`)};
        let squash = tangent(${cells.load(at(cells, `row${s}`))});
        let dHidden = ${dOut.load(at(dOut, `row${s}`))} + sum${s};
        let dc = ${whole ? `dCell${s}[unit]` : `select(0.0, dCell${s}[unit], flows)`} + dHidden * o * (1.0 - squash * squash);
        var before = 0.0;
        if (t > 0u) { before = ${cells.load(at(cells, `row${s} - 1u`))}; }
        let to = ${at(dGates, `row${s}`)};
        ${dGates.store('to', 'dc * g * i * (1.0 - i)')}
        ${dGates.store(`to + ${d}u`, 'dc * before * f * (1.0 - f)')}
        ${dGates.store(`to + ${2 * d}u`, 'dc * i * (1.0 - g * g)')}
        ${dGates.store(`to + ${3 * d}u`, 'dHidden * squash * o * (1.0 - o)')}
        dCell${s}[unit] = dc * f;
      }`,
      )}
    }
  }
  storageBarrier();
}`,
    groups: groupsOf(together),
    flops: (count) => 8 * count * d * d,
  });
}

/** PreviousRows (plan.ts). */
export function previousRows(call: PreviousRows): Launch {
  const { columns } = call.out;
  const build = new LaunchBuilder();
  const x = build.matrix(call.x);
  const out = build.matrix(call.out);
  return build.finish({
    name: 'previous rows',
    threads: THREADS,
    body: `${vectorHead(columns)}
var value = vec4f();
if (batch[run.positionsAt + n] > 0) { value = ${x.load4(`${x.row('row - 1u')} + c`)}; }
let to = ${out.row('row')} + c;
${out.store4('to', 'value', 'c')}`,
    groups: vectorGroups(columns),
  });
}

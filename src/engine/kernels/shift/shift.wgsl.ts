import type { Shift, ShiftGradient } from '../../plan/plan.ts';
import { LaunchBuilder, type Launch } from '../../gpu-kit/launch.ts';
import { THREADS, vectorGroups, vectorHead } from '../../gpu-kit/rows.ts';

const each = (taps: number, write: (tap: number) => string) =>
  Array.from({ length: taps }, (_, i) => write(i + 1)).join('\n');

/** Declares the row's `place` in its segment, how long its `history` is, and `behind`: its row, were it the history's. */
export const placeInSegment = `
// The row's segment is the last one that does not begin after it.
var s = 0u;
var end = run.segments;
while (end - s > 1u) {
  let middle = (s + end) / 2u;
  if (segmentOf(middle).start <= row) { s = middle; } else { end = middle; }
}
let segment = segmentOf(s);
let place = row - segment.start;
let history = segment.history;
let behind = segment.historyStart + history + place;`;

/** The row so many back, where `back <= place + history`. */
export const earlierRow = (back: number): string => `select(behind - ${back}u, row - ${back}u, ${back}u <= place)`;

/** Shift (plan.ts). Its weight's gradient is one of the sums of weight-gradients.wgsl.ts. */
export function shift(call: Shift): Launch {
  const { columns } = call.out;
  const taps = Number(call.weight.rows);
  const build = new LaunchBuilder();
  const x = build.matrix(call.x);
  const weight = build.matrix(call.weight);
  const out = build.matrix(call.out);
  return build.finish({
    name: 'shift',
    threads: THREADS,
    body: `${vectorHead(columns)}
${placeInSegment}
var value = ${x.load4(`${x.row('row')} + c`)};
${each(
  taps,
  (tap) => `if (${tap}u <= place + history) {
  let earlier = ${earlierRow(tap)};
  value += ${weight.load4(`${weight.row(`${tap - 1}u`)} + c`)} * ${x.load4(`${x.row('earlier')} + c`)};
}`,
)}
let to = ${out.row('row')} + c;
${out.store4('to', 'value', 'c')}`,
    groups: vectorGroups(columns),
  });
}

/** ShiftGradient (plan.ts): in training a token's position is its place in its segment, so it tells how far that goes back. */
export function shiftGradient(call: ShiftGradient): Launch {
  const { columns } = call.dX;
  const taps = Number(call.weight.rows);
  const build = new LaunchBuilder();
  const dOut = build.matrix(call.dOut);
  const weight = build.matrix(call.weight);
  const dX = build.matrix(call.dX);
  return build.finish({
    name: 'shift gradient',
    threads: THREADS,
    body: `${vectorHead(columns)}
var value = ${dOut.load4(`${dOut.row('row')} + c`)};
${each(
  taps,
  (tap) => `if (n + ${tap}u < run.count && batch[run.positionsAt + n + ${tap}u] >= ${tap}) {
  value += ${weight.load4(`${weight.row(`${tap - 1}u`)} + c`)} * ${dOut.load4(`${dOut.row(`row + ${tap}u`)} + c`)};
}`,
)}
let to = ${dX.row('row')} + c;
${dX.store4('to', 'value', 'c')}`,
    groups: vectorGroups(columns),
  });
}

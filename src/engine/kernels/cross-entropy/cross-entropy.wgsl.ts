import type { CrossEntropy } from '../../plan/plan.ts';
import { LaunchBuilder, type Launch } from '../../gpu-kit/launch.ts';
import { alongRow, inside, rowGroups, rowHead, rowReductions, THREADS } from '../../gpu-kit/rows.ts';

/**
 * CrossEntropy (plan.ts).
 * @param lossScale where set, the gradient is that of the sum of the losses times this, and not of their mean
 */
export function crossEntropy(call: CrossEntropy, lanes: number, lossScale: number | null): Launch {
  const build = new LaunchBuilder(lanes > 1);
  const logits = build.matrix(call.logits);
  const loss = build.matrix(call.loss);
  const columns = build.size('columns', call.logits.columns);
  const words = build.size('words', Math.ceil(call.logits.columns / 32));
  const own = (value: string, other: string) =>
    call.logits.columns % 4 === 0 ? value : `select(vec4f(${other}), ${value}, ${inside(columns)})`;
  return build.finish({
    name: 'cross-entropy',
    functions: `${rowReductions(lanes)}
// Which of the tokens c to c + 3 are in a row's set.
fn membersAt(n: u32, c: u32) -> vec4f {
  let bits = u32(batch[run.validAt + n * ${words} + (c >> 5u)]) >> (c & 31u);
  return vec4f((vec4u(bits) >> vec4u(0u, 1u, 2u, 3u)) & vec4u(1u));
}
// Whether a row's wish is its set, each member alike, and not its target.
fn alike() -> bool { return run.validAt != 0u && run.validWeight == 0.0; }
// How much of a row's wish is for each of the tokens c to c + 3; \`share\` is that of a member where it is a set.
fn wishFor(n: u32, c: u32, wanted: i32, share: f32) -> vec4f {
  if (alike()) { return membersAt(n, c) * share; }
  return select(vec4f(), vec4f(1.0), vec4i(i32(c)) + vec4i(0, 1, 2, 3) == vec4i(wanted));
}
fn shareOf(n: u32) -> f32 {
  if (!alike()) { return 1.0; }
  var members = 0u;
  for (var w = 0u; w < ${words}; w++) { members += countOneBits(u32(batch[run.validAt + n * ${words} + w])); }
  return 1.0 / f32(max(members, 1u));
}`,
    threads: THREADS,
    body: `${rowHead(lanes)}
let target_ = batch[run.targetsAt + n];
let start = ${logits.row('row')};
let each = shareOf(n);
var largest = -3.0e38;
${alongRow(
  lanes,
  columns,
  `let v = ${own(logits.load4('start + c'), '-3.0e38')};
largest = max(largest, max(max(v.x, v.y), max(v.z, v.w)));`,
)}
let most = rowMax(thread, vec2f(largest)).x;
var sums = vec2f();
${alongRow(
  lanes,
  columns,
  `let v = ${logits.load4('start + c')};
let wish = wishFor(n, c, target_, each);
sums.x += dot(${own('exp(v - most)', '0.0')}, vec4f(1.0));
sums.y += dot(select(vec4f(), v * wish, wish > vec4f()), vec4f(1.0));`,
)}
let total = rowSum(thread, sums);
// The probability of the set, of which a target that is learned beside it is a member; never none in 32 bits.
let weight = run.validWeight;
var ofSet = 1.0;
if (weight > 0.0) {
  var chance = 0.0;
${alongRow(
  lanes,
  columns,
  `let v = ${own(logits.load4('start + c'), '-3.0e38')};
chance += dot(exp(v - most), membersAt(n, c));`,
)}
  ofSet = max(rowSum(thread, vec2f(chance, 0.0)).x / total.x, 1.0e-30);
}
if (!alive) { return; }
let present = target_ >= 0;
let share = select(0.0, ${lossScale === null ? '1.0 / f32(run.targets)' : `${lossScale}.0`}, present);
${alongRow(
  lanes,
  columns,
  `let v = ${own(logits.load4('start + c'), '-3.0e38')};
let chance = exp(v - most) / total.x;
var value = chance - wishFor(n, c, target_, each);
if (weight > 0.0) { value += weight * chance * (vec4f(1.0) - membersAt(n, c) / ofSet); }
value *= share;
let to = start + c;
${logits.store4('to', 'value', 'c')}`,
)}
if (lane == 0u) {
  let to = ${loss.row('row')};
  let found = select(0.0, log(total.x) + most - total.y - weight * log(ofSet), present);
  ${loss.store4('to', 'vec4f(found, 0.0, 0.0, 0.0)', '0u')}
}`,
    groups: rowGroups(lanes),
  });
}

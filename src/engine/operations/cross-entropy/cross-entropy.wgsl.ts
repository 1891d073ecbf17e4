import type { CrossEntropy } from '../../plan/plan.ts';
import { LaunchBuilder, type Launch } from '../../webgpu/launch.ts';
import { alongRow, inside, rowGroups, rowHead, rowReductions, THREADS } from '../../webgpu/rows.ts';

/** CrossEntropy (plan.ts). */
export function crossEntropy(call: CrossEntropy, lanes: number): Launch {
  const build = new LaunchBuilder();
  const logits = build.matrix(call.logits);
  const loss = build.matrix(call.loss);
  const { columns } = call.logits;
  const own = (value: string, other: string) =>
    columns % 4 === 0 ? value : `select(vec4f(${other}), ${value}, ${inside(columns)})`;
  return build.finish({
    name: 'cross-entropy',
    functions: rowReductions(lanes),
    threads: THREADS,
    body: `${rowHead(lanes)}
let target_ = batch[run.targetsAt + n];
let start = ${logits.row('row')};
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
let hit = vec4i(i32(c)) + vec4i(0, 1, 2, 3) == vec4i(target_);
sums.x += dot(${own('exp(v - most)', '0.0')}, vec4f(1.0));
sums.y += dot(select(vec4f(), v, hit), vec4f(1.0));`,
)}
let total = rowSum(thread, sums);
if (!alive) { return; }
let present = target_ >= 0;
let share = select(0.0, 1.0 / f32(run.targets), present);
${alongRow(
  lanes,
  columns,
  `let v = ${own(logits.load4('start + c'), '-3.0e38')};
let hit = vec4i(i32(c)) + vec4i(0, 1, 2, 3) == vec4i(target_);
let value = (exp(v - most) / total.x - select(vec4f(), vec4f(1.0), hit)) * share;
let to = start + c;
${logits.store4('to', 'value', 'c')}`,
)}
if (lane == 0u) {
  let to = ${loss.row('row')};
  let found = select(0.0, log(total.x) + most - total.y, present);
  ${loss.store4('to', 'vec4f(found, 0.0, 0.0, 0.0)', '0u')}
}`,
    groups: rowGroups(lanes),
  });
}

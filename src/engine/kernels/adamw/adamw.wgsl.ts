import type { AdamWUpdate, Buffer, GradientNorm } from '../../plan/plan.ts';
import { inLine, LaunchBuilder, type Launch, type Matrix } from '../../gpu-kit/launch.ts';
import { THREADS } from '../../gpu-kit/rows.ts';
import { Struct, u32 } from '../../gpu-kit/struct.ts';

/** Sums of squares that the gradients' norm is made of: as many workgroups, each over one segment of the arena. */
export const PARTIALS = 256;

/**
 * GradientNorm (plan.ts) in two launches: sums of squares of segments, then their sum. The second also takes the mean of
 * `loss`, where there is one, into the third element of `norm`, so that a step's report is read in one piece.
 *
 * With a `lossScale` (precision.ts) the gradients are too large by it and by the number of targets: the norm is that of
 * the true ones, the factor brings them back, and the fourth element is 0 where the norm is no finite number and the step
 * must change nothing, else 1. Told by its bits, since a compiler may assume that nothing infinite comes about.
 * @param partials [1, PARTIALS]
 */
export function gradientNorm(
  call: GradientNorm,
  partials: Buffer,
  loss: Buffer | null,
  lossScale: number | null,
): Launch[] {
  const first = new LaunchBuilder();
  const gradients = first.matrix(call.gradients, { scalar: true });
  const sums = first.matrix(partials, { scalar: true });
  const { columns } = call.gradients;
  const length = first.word('length', columns);
  const segment = first.word('segment', Math.ceil(columns / PARTIALS / THREADS) * THREADS);
  const squares = first.finish({
    name: 'gradient norm',
    functions: reduction,
    threads: THREADS,
    body: `
var sum = 0.0;
let start = group.x * ${segment};
let end = min(start + ${segment}, ${length});
for (var i = start + thread; i < end; i += ${THREADS}u) {
  let g = ${gradients.load(`${gradients.row('0u')} + i`)};
  sum += g * g;
}
let total = added(thread, sum);
if (thread == 0u) { ${sums.name}[group.x] = total; }`,
    groups: () => [PARTIALS, 1, 1],
  });

  const second = new LaunchBuilder();
  const read = second.matrix(partials, { scalar: true });
  const norm = second.matrix(call.norm);
  const losses = loss && second.matrix(loss);
  const end = second.finish({
    name: 'gradient norm',
    functions: reduction,
    threads: THREADS,
    body: `
var sum = 0.0;
for (var i = thread; i < ${PARTIALS}u; i += ${THREADS}u) { sum += ${read.load('i')}; }
${lossScale === null ? '' : `let back = 1.0 / (f32(run.targets) * ${lossScale}.0);`}
let size = sqrt(added(thread, sum))${lossScale === null ? '' : ' * back'};
var loss = 0.0;
${
  losses
    ? `for (var n = thread; n < run.count; n += ${THREADS}u) { loss += ${losses.load4(losses.row('run.firstRow + n'))}.x; }
let mean = added(thread, loss) / f32(run.targets);`
    : 'let mean = 0.0;'
}
if (thread == 0u) {
  var factor = 1.0;
  if (run.clipNorm > 0.0) { factor = min(1.0, run.clipNorm / (size + 1e-6)); }
  let to = ${norm.row('0u')};
  ${
    lossScale === null
      ? norm.store4('to', 'vec4f(size, factor, mean, 0.0)', '0u')
      : `let sound = select(0.0, 1.0, (bitcast<u32>(size) & 0x7f800000u) != 0x7f800000u);
  ${norm.store4('to', 'vec4f(size, factor * back, mean, sound)', '0u')}`
  }
}`,
    groups: () => [1, 1, 1],
  });
  return [squares, end];
}

/** The sum of a value over the workgroup, in a fixed order. */
const reduction = `
var<workgroup> parts: array<f32, ${THREADS}>;
fn added(thread: u32, value: f32) -> f32 {
  parts[thread] = value;
  workgroupBarrier();
  for (var span = ${THREADS / 2}u; span > 0u; span /= 2u) {
    if (thread < span) { parts[thread] += parts[thread + span]; }
    workgroupBarrier();
  }
  let total = parts[0];
  workgroupBarrier();
  return total;
}`;

/** Elements that a workgroup updates. */
const CHUNK = 1024;
const Chunk = new Struct('Chunk', u32('start', 'end'));

/** A statement that ends a thread of an update in mixed precision where the step must change nothing. */
export const skipUnsound = (norm: Matrix, mixed: boolean): string =>
  mixed ? `if (${norm.load4(norm.row('0u'))}.w == 0.0) { return; }` : '';

/** AdamWUpdate (plan.ts). A table lists the chunks of the ranges. */
export function adamw(call: AdamWUpdate, mixed: boolean): Launch {
  const chunks: { start: number; end: number }[] = [];
  for (const [start, end] of call.ranges)
    for (let at = start; at < end; at += CHUNK) chunks.push({ start: at, end: Math.min(at + CHUNK, end) });
  const build = new LaunchBuilder();
  const [weights, gradients, first, second] = [call.weights, call.gradients, call.first, call.second].map(
    (buffer) => build.matrix(buffer, { scalar: true }).name,
  );
  const norm = build.matrix(call.norm);
  const table = build.records(Chunk, () => chunks);
  const count = build.word('chunks', chunks.length);
  return build.finish({
    name: 'AdamW',
    threads: THREADS,
    body: `
let index = group.x + group.y * groups.x;
if (index >= ${count}) { return; }
let chunk = ${table}[index];
${skipUnsound(norm, mixed)}
let factor = ${norm.load4(norm.row('0u'))}.y;
let root = sqrt(run.correction2);
let decay = 1.0 - run.learningRate * run.weightDecay;
let rate = run.learningRate * root / run.correction1;
let small = run.epsilon * root;
for (var i = chunk.start + thread; i < chunk.end; i += ${THREADS}u) {
  let g = ${gradients}[i] * factor;
  let m = run.beta1 * ${first}[i] + run.take1 * g;
  let v = run.beta2 * ${second}[i] + run.take2 * g * g;
  ${first}[i] = m;
  ${second}[i] = v;
  ${weights}[i] = ${weights}[i] * decay - rate * m / (sqrt(v) + small);
}`,
    groups: () => inLine(chunks.length),
  });
}

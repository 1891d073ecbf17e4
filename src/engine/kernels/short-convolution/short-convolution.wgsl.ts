import type { ShortConvolution, ShortConvolutionGradient, ShortConvolutionWeightGradient } from '../../plan/plan.ts';
import type { Buffer } from '../../plan/plan.ts';
import { ceilDiv, inLine, LaunchBuilder, type Launch, type Matrix } from '../../gpu-kit/launch.ts';
import { THREADS, vectorGroups, vectorHead } from '../../gpu-kit/rows.ts';
import { earlierRow, placeInSegment } from '../shift/shift.wgsl.ts';

const each = (taps: number, write: (back: number) => string) =>
  Array.from({ length: taps }, (_, back) => write(back)).join('\n');

/** B, C and x of a row as expressions of four columns from `c`. */
function partsOf(build: LaunchBuilder, buffer: Buffer) {
  const d = buffer.columns / 3;
  const matrix = build.matrix(buffer, { scalar: d % 4 !== 0 });
  const part = (index: number) => (row: string) => matrix.load4(`${matrix.row(row)} + ${index * d}u + c`);
  return { b: part(0), c: part(1), x: part(2) };
}

/** The weights of four channels from `c` for the row so many back. */
const tapAt = (weight: Matrix, back: number) => {
  const taps = weight.buffer.columns;
  const at = (channel: number) => weight.load(`${weight.row(`c + ${channel}u`)} + ${taps - 1 - back}u`);
  return `vec4f(${[0, 1, 2, 3].map(at).join(', ')})`;
};

/** ShortConvolution (plan.ts). */
export function shortConvolution(call: ShortConvolution): Launch {
  const { columns } = call.out;
  const build = new LaunchBuilder();
  const { b, c, x } = partsOf(build, call.bcx);
  const weight = build.matrix(call.weight, { scalar: true });
  const out = build.matrix(call.out);
  return build.finish({
    name: 'short convolution',
    threads: THREADS,
    body: `${vectorHead(columns)}
${placeInSegment}
var sum = vec4f();
${each(
  call.weight.columns,
  (back) => `if (${back}u <= place + history) {
  let earlier = ${earlierRow(back)};
  sum += ${tapAt(weight, back)} * ${b('earlier')} * ${x('earlier')};
}`,
)}
let to = ${out.row('row')} + c;
${out.store4('to', `sum * ${c('row')}`, 'c')}`,
    groups: vectorGroups(columns),
  });
}

/** ShortConvolutionGradient (plan.ts): in training a token's position is its place in its segment. */
export function shortConvolutionGradient(call: ShortConvolutionGradient): Launch {
  const { columns } = call.dOut;
  const scalar = columns % 4 !== 0;
  const build = new LaunchBuilder();
  const { b, c, x } = partsOf(build, call.bcx);
  const dOut = build.matrix(call.dOut);
  const weight = build.matrix(call.weight, { scalar: true });
  const dBcx = build.matrix(call.dBcx, { scalar });
  const d = (row: string) => dOut.load4(`${dOut.row(row)} + c`);
  /** The parts of a row lie side by side, so what is past the end of one is the next one's. */
  const store = (part: number, value: string) => {
    const at = `to + ${part * columns}u`;
    if (!scalar) return dBcx.store4(at, value, 'c');
    return [0, 1, 2, 3]
      .map((i) => `if (c + ${i}u < ${columns}u) { ${dBcx.store(`${at} + ${i}u`, `${value}[${i}]`)} }`)
      .join('\n');
  };
  return build.finish({
    name: 'short convolution gradient',
    threads: THREADS,
    body: `${vectorHead(columns)}
var sum = vec4f();
var dGated = vec4f();
${each(
  call.weight.columns,
  (back) => `{
  let tap = ${tapAt(weight, back)};
  if (batch[run.positionsAt + n] >= ${back}) { sum += tap * ${b(`row - ${back}u`)} * ${x(`row - ${back}u`)}; }
  if (n + ${back}u < run.count && batch[run.positionsAt + n + ${back}u] >= ${back}) {
    dGated += tap * ${d(`row + ${back}u`)} * ${c(`row + ${back}u`)};
  }
}`,
)}
let dB = dGated * ${x('row')};
let dC = sum * ${d('row')};
let dX = dGated * ${b('row')};
let to = ${dBcx.row('row')} + c;
${store(0, 'dB')}
${store(1, 'dC')}
${store(2, 'dX')}`,
    groups: vectorGroups(columns),
  });
}

/** ShortConvolutionWeightGradient (plan.ts): a workgroup sums one tap of four channels over all tokens. */
export function shortConvolutionWeightGradient(call: ShortConvolutionWeightGradient): Launch {
  const { columns: taps } = call.dWeight;
  const { columns } = call.dOut;
  const vectors = ceilDiv(columns, 4);
  const build = new LaunchBuilder();
  const { b, c, x } = partsOf(build, call.bcx);
  const dOut = build.matrix(call.dOut);
  const dWeight = build.matrix(call.dWeight, { scalar: true });
  return build.finish({
    name: 'short convolution weight gradient',
    threads: THREADS,
    functions: `var<workgroup> sums: array<vec4f, ${THREADS}>;`,
    body: `
let item = group.x + group.y * groups.x;
if (item >= ${vectors * taps}u) { return; }
let back = item / ${vectors}u;
let c = 4u * (item % ${vectors}u);
var sum = vec4f();
for (var n = thread; n < run.count; n += ${THREADS}u) {
  if (batch[run.positionsAt + n] < i32(back)) { continue; }
  let row = run.firstRow + n;
  sum += ${dOut.load4(`${dOut.row('row')} + c`)} * ${c('row')} * ${b('row - back')} * ${x('row - back')};
}
sums[thread] = sum;
workgroupBarrier();
if (thread == 0u) {
  var total = vec4f();
  for (var k = 0u; k < ${THREADS}u; k++) { total += sums[k]; }
  for (var i = 0u; i < 4u && c + i < ${columns}u; i++) {
    ${dWeight.name}[${dWeight.row('c + i')} + ${taps - 1}u - back] = total[i];
  }
}`,
    groups: () => inLine(vectors * taps),
  });
}

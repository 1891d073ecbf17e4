import type { Rotary, RotaryGradient, RotaryWeightGradient } from '../../plan/plan.ts';
import { ceilDiv, inLine, LaunchBuilder, type Launch, type Matrix } from '../../webgpu/launch.ts';
import { THREADS } from '../../webgpu/rows.ts';

/** One thread a head of queries, keys or values: declares `n`, `row`, `part`, `head`. */
const headOfThread = (heads: number) => `
let item = (group.x + group.y * groups.x) * ${THREADS}u + thread;
let n = item / ${3 * heads}u;
if (n >= run.count) { return; }
let row = run.firstRow + n;
let part = item % ${3 * heads}u / ${heads}u;
let head = item % ${heads}u;`;

const headGroups =
  (heads: number) =>
  ({ count }: { count: number }) =>
    inLine(ceilDiv(3 * heads * count, THREADS));

/** Cosines, then sines, of each position's angles, [context, width]: WGSL's own are too coarse for large angles. */
function turns(build: LaunchBuilder, width: number, base: number, context: number): (position: string) => string {
  const half = width / 2;
  const table = build.table(() => {
    const values = Float32Array.from({ length: context * width }, (_, i) => {
      const angle = Math.floor(i / width) * base ** ((-2 * ((i % width) % half)) / width);
      return i % width < half ? Math.cos(angle) : Math.sin(angle);
    });
    return new Uint32Array(values.buffer);
  });
  return (position) => `
let turnAt = u32(batch[run.positionsAt + ${position}]) * ${width}u + i;
let cosine = bitcast<f32>(${table}[turnAt]);
let sine = bitcast<f32>(${table}[turnAt + ${half}u]);`;
}

/** The shared weight of queries or keys at an element. */
const weightAt = (query: Matrix, key: Matrix, i: string) =>
  `select(${key.load(`${key.row('0u')} + ${i}`)}, ${query.load(`${query.row('0u')} + ${i}`)}, part == 0u)`;

/** Rotary (plan.ts). */
export function rotary(call: Rotary, context: number): Launch {
  const { heads, base } = call;
  const width = call.queryWeight.columns;
  const half = width / 2;
  const build = new LaunchBuilder();
  const scalar = true;
  const [qkv, out, statistics, query, key] = [
    call.qkv,
    call.out,
    call.statistics,
    call.queryWeight,
    call.keyWeight,
  ].map((buffer) => build.matrix(buffer, { scalar }));
  const turn = turns(build, width, base, context);
  return build.finish({
    name: 'rotary',
    threads: THREADS,
    body: `${headOfThread(heads)}
let at = ${qkv.row('row')} + (part * ${heads}u + head) * ${width}u;
if (part == 2u) {
  for (var i = 0u; i < ${width}u; i++) { ${out.name}[at + i] = ${qkv.load('at + i')}; }
  return;
}
var square = 0.0;
for (var i = 0u; i < ${width}u; i++) {
  let x = ${qkv.load('at + i')};
  square += x * x;
}
let scale = inverseSqrt(square / ${width}.0 + ${call.epsilon});
${statistics.name}[${statistics.row('row')} + part * ${heads}u + head] = scale;
for (var i = 0u; i < ${half}u; i++) {
  ${turn('n')}
  let a = ${qkv.load('at + i')} * scale * ${weightAt(query, key, 'i')};
  let b = ${qkv.load(`at + i + ${half}u`)} * scale * ${weightAt(query, key, `i + ${half}u`)};
  ${out.name}[at + i] = a * cosine - b * sine;
  ${out.name}[at + i + ${half}u] = b * cosine + a * sine;
}`,
    groups: headGroups(heads),
  });
}

/** RotaryGradient (plan.ts): turned back, then through the norm of each head. */
export function rotaryGradient(call: RotaryGradient, context: number): Launch {
  const { heads, base } = call;
  const width = call.queryWeight.columns;
  const half = width / 2;
  const build = new LaunchBuilder();
  const scalar = true;
  const [dOut, qkv, statistics, dQkv] = [call.dOut, call.qkv, call.statistics, call.dQkv].map((buffer) =>
    build.matrix(buffer, { scalar }),
  );
  const [query, key] = [call.queryWeight, call.keyWeight].map((buffer) => build.matrix(buffer, { scalar }));
  const turn = turns(build, width, base, context);
  const pair = `${turn('n')}
let da = ${dOut.load('at + i')};
let db = ${dOut.load(`at + i + ${half}u`)};
let ga = (da * cosine + db * sine) * ${weightAt(query, key, 'i')};
let gb = (db * cosine - da * sine) * ${weightAt(query, key, `i + ${half}u`)};
let a = ${qkv.load('at + i')} * scale;
let b = ${qkv.load(`at + i + ${half}u`)} * scale;`;
  return build.finish({
    name: 'rotary gradient',
    threads: THREADS,
    body: `${headOfThread(heads)}
let at = ${qkv.row('row')} + (part * ${heads}u + head) * ${width}u;
if (part == 2u) {
  for (var i = 0u; i < ${width}u; i++) { ${dQkv.name}[at + i] = ${dOut.load('at + i')}; }
  return;
}
let scale = ${statistics.load(`${statistics.row('row')} + part * ${heads}u + head`)};
var along = 0.0;
for (var i = 0u; i < ${half}u; i++) {
  ${pair}
  along += ga * a + gb * b;
}
along /= ${width}.0;
for (var i = 0u; i < ${half}u; i++) {
  ${pair}
  ${dQkv.name}[at + i] = scale * (ga - a * along);
  ${dQkv.name}[at + i + ${half}u] = scale * (gb - b * along);
}`,
    groups: headGroups(heads),
  });
}

/** RotaryWeightGradient (plan.ts): a workgroup sums one pair of elements of one weight over all tokens and heads. */
export function rotaryWeightGradient(call: RotaryWeightGradient, context: number): Launch {
  const { heads, base } = call;
  const width = call.dQueryWeight.columns;
  const half = width / 2;
  const build = new LaunchBuilder();
  const scalar = true;
  const [dOut, qkv, statistics] = [call.dOut, call.qkv, call.statistics].map((buffer) =>
    build.matrix(buffer, { scalar }),
  );
  const [dQuery, dKey] = [call.dQueryWeight, call.dKeyWeight].map((buffer) => build.matrix(buffer, { scalar }));
  const turn = turns(build, width, base, context);
  const store = (matrix: Matrix) => `${matrix.name}[${matrix.row('0u')} + i] = total.x;
${matrix.name}[${matrix.row('0u')} + i + ${half}u] = total.y;`;
  return build.finish({
    name: 'rotary weight gradient',
    threads: THREADS,
    functions: `var<workgroup> sums: array<vec2f, ${THREADS}>;`,
    body: `
let part = group.x / ${half}u;
let i = group.x % ${half}u;
var sum = vec2f();
for (var item = thread; item < run.count * ${heads}u; item += ${THREADS}u) {
  let n = item / ${heads}u;
  let head = item % ${heads}u;
  let row = run.firstRow + n;
  ${turn('n')}
  let at = ${qkv.row('row')} + (part * ${heads}u + head) * ${width}u + i;
  let scale = ${statistics.load(`${statistics.row('row')} + part * ${heads}u + head`)};
  let da = ${dOut.load('at')};
  let db = ${dOut.load(`at + ${half}u`)};
  let normal = scale * vec2f(${qkv.load('at')}, ${qkv.load(`at + ${half}u`)});
  sum += normal * vec2f(da * cosine + db * sine, db * cosine - da * sine);
}
sums[thread] = sum;
workgroupBarrier();
if (thread == 0u) {
  var total = vec2f();
  for (var k = 0u; k < ${THREADS}u; k++) { total += sums[k]; }
  if (part == 0u) {
    ${store(dQuery)}
  } else {
    ${store(dKey)}
  }
}`,
    groups: () => [2 * half, 1, 1],
  });
}

import type { Rotary, RotaryGradient, RotaryWeightGradient } from '../../plan/plan.ts';
import { rotaryAngles } from '../../plan/rotary-angles.ts';
import { ceilDiv, inLine, LaunchBuilder, type Launch, type Matrix } from '../../gpu-kit/launch.ts';
import { THREADS } from '../../gpu-kit/rows.ts';

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

/** Declares a position's `cosine` and `sine`, from a table: WGSL's own are too coarse for large angles. */
function angles(
  build: LaunchBuilder,
  width: number,
  base: number,
  context: number,
  { angle }: Along,
): (position: string) => string {
  const half = width / 2;
  const table = build.table(() => rotaryAngles(context, width, base));
  return (position) => `
let turnAt = u32(batch[run.positionsAt + ${position}]) * ${width}u;
let cosine = ${angle((i) => `${table}[turnAt + ${i}]`)};
let sine = ${angle((i) => `${table}[turnAt + ${half}u + ${i}]`)};`;
}

/**
 * How a thread goes along its head: element by element, or by fours where what it writes are halves, two of which share a
 * word. (By fours always was not tried: a card's threads then read with wider gaps, and no card was at hand.)
 */
function along(wide: boolean) {
  const four = (element: (i: string) => string) => `vec4f(${[0, 1, 2, 3].map((k) => element(`i + ${k}u`)).join(', ')})`;
  const element = (matrix: Matrix, i: string) => matrix.load(`${matrix.row('0u')} + ${i}`);
  return {
    step: wide ? '4u' : '1u',
    load: (matrix: Matrix, at: string) => (wide ? matrix.load4(at) : matrix.load(at)),
    store: (matrix: Matrix, at: string, value: string) =>
      wide ? matrix.store4(at, value, '0u') : matrix.store(at, value),
    /** The sum of a product's elements. */
    sum: (a: string, b: string) => (wide ? `dot(${a}, ${b})` : `${a} * ${b}`),
    /** What `angles` reads at i. */
    angle: (table: (i: string) => string) => (wide ? four(table) : table('i')),
    /** The shared weight of queries or keys, `further` elements from i. */
    weight: (query: Matrix, key: Matrix, further: string) => {
      const at = (matrix: Matrix) => {
        const one = (i: string) => element(matrix, `${i}${further}`);
        return wide ? four(one) : one('i');
      };
      return `select(${at(key)}, ${at(query)}, part == 0u)`;
    },
  };
}
type Along = ReturnType<typeof along>;

/** Rotary (plan.ts). */
export function rotary(call: Rotary, context: number): Launch {
  const { heads, base } = call;
  const width = call.queryWeight.columns;
  const half = width / 2;
  const build = new LaunchBuilder();
  const wide = !!call.out.half;
  const [qkv, out] = [call.qkv, call.out].map((buffer) => build.matrix(buffer, { scalar: !wide }));
  const [statistics, query, key] = [call.statistics, call.queryWeight, call.keyWeight].map((buffer) =>
    build.matrix(buffer, { scalar: true }),
  );
  const go = along(wide);
  const angle = angles(build, width, base, context, go);
  return build.finish({
    name: 'rotary',
    threads: THREADS,
    body: `${headOfThread(heads)}
let at = ${qkv.row('row')} + (part * ${heads}u + head) * ${width}u;
if (part == 2u) {
  for (var i = 0u; i < ${width}u; i += ${go.step}) { ${go.store(out, 'at + i', go.load(qkv, 'at + i'))} }
  return;
}
var square = 0.0;
for (var i = 0u; i < ${width}u; i += ${go.step}) {
  let x = ${go.load(qkv, 'at + i')};
  square += ${go.sum('x', 'x')};
}
let scale = inverseSqrt(square / ${width}.0 + ${call.epsilon});
${statistics.store(`${statistics.row('row')} + part * ${heads}u + head`, 'scale')}
for (var i = 0u; i < ${half}u; i += ${go.step}) {
  ${angle('n')}
  let a = ${go.load(qkv, 'at + i')} * scale * ${go.weight(query, key, '')};
  let b = ${go.load(qkv, `at + i + ${half}u`)} * scale * ${go.weight(query, key, ` + ${half}u`)};
  ${go.store(out, 'at + i', 'a * cosine - b * sine')}
  ${go.store(out, `at + i + ${half}u`, 'b * cosine + a * sine')}
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
  const wide = !!call.dQkv.half;
  const [dOut, qkv, dQkv] = [call.dOut, call.qkv, call.dQkv].map((buffer) => build.matrix(buffer, { scalar: !wide }));
  const [statistics, query, key] = [call.statistics, call.queryWeight, call.keyWeight].map((buffer) =>
    build.matrix(buffer, { scalar: true }),
  );
  const go = along(wide);
  const angle = angles(build, width, base, context, go);
  const pair = `${angle('n')}
let da = ${go.load(dOut, 'at + i')};
let db = ${go.load(dOut, `at + i + ${half}u`)};
let ga = (da * cosine + db * sine) * ${go.weight(query, key, '')};
let gb = (db * cosine - da * sine) * ${go.weight(query, key, ` + ${half}u`)};
let a = ${go.load(qkv, 'at + i')} * scale;
let b = ${go.load(qkv, `at + i + ${half}u`)} * scale;`;
  return build.finish({
    name: 'rotary gradient',
    threads: THREADS,
    body: `${headOfThread(heads)}
let at = ${qkv.row('row')} + (part * ${heads}u + head) * ${width}u;
if (part == 2u) {
  for (var i = 0u; i < ${width}u; i += ${go.step}) { ${go.store(dQkv, 'at + i', go.load(dOut, 'at + i'))} }
  return;
}
let scale = ${statistics.load(`${statistics.row('row')} + part * ${heads}u + head`)};
var along = 0.0;
for (var i = 0u; i < ${half}u; i += ${go.step}) {
  ${pair}
  along += ${go.sum('ga', 'a')} + ${go.sum('gb', 'b')};
}
along /= ${width}.0;
for (var i = 0u; i < ${half}u; i += ${go.step}) {
  ${pair}
  ${go.store(dQkv, 'at + i', 'scale * (ga - a * along)')}
  ${go.store(dQkv, `at + i + ${half}u`, 'scale * (gb - b * along)')}
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
  const angle = angles(build, width, base, context, along(false));
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
  ${angle('n')}
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

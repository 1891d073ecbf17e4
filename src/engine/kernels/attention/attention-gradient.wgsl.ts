import type { AttentionGradient } from '../../plan/plan.ts';
import { LaunchBuilder, type Launch } from '../../gpu-kit/launch.ts';
import { BLOCK } from '../../gpu-kit/run-data.ts';
import { maskFunctions, maskOf } from '../dropout/mask.wgsl.ts';
import { each, Head, maskStart, OPEN, segmentHead, type AttentionShape } from './heads.wgsl.ts';

/** Rows that a workgroup stages together where it stages whole rows, and where only a number of each. */
const stagedRows = (vectors: number) => (vectors > 16 ? 8 : 16);
const STAGED_NUMBERS = BLOCK;

/**
 * AttentionGradient (plan.ts) in one launch, after Dao et al. 2022 (FlashAttention, appendix B.4): half of the workgroups
 * go along the keys of a block of queries and write dQ, the other half along the queries of a block of keys and write
 * dK and dV. Probabilities come again from `logSum`; the softmax's inner sum of a query is dOut . out. Segments have no
 * history.
 */
export function attentionGradient(call: AttentionGradient, shape: AttentionShape): Launch {
  const { heads } = call;
  const { staged } = shape;
  const width = call.out.columns / heads;
  const head = new Head(width);
  const build = new LaunchBuilder();
  const { scalar } = head;
  const [qkv, out, dOut, dQkv] = [call.qkv, call.out, call.dOut, call.dQkv].map((one) => build.matrix(one, { scalar }));
  const logSum = build.matrix(call.logSum, { scalar: true });
  const mask = call.dropout && maskOf(build, call.dropout);
  const own = shape.own(head.vectors);
  const threads = BLOCK / own;
  const window = build.word('window', call.window ?? OPEN);
  const { vectors } = head;
  const rowsAtOnce = stagedRows(vectors);
  const d = heads * width;
  const factor = (1 / Math.sqrt(width)).toFixed(9);
  const part = (row: string, which: number) => qkv.row(row) + ` + ${which * d}u + head * ${width}u`;
  const side = (row: string) => out.row(row) + ` + head * ${width}u`;
  const stage = staged ? rowsAtOnce : STAGED_NUMBERS;

  /** Copies rows into workgroup memory: queries and dOut, or keys and values. */
  const copy = (first: (row: string) => string, second: (row: string) => string, ofSecond: typeof qkv) => `
for (var i = thread; i < ${rowsAtOnce * vectors}u; i += ${threads}u) {
  let row = start + min(tile + i / ${vectors}u, length_ - 1u);
  stagedFirst[i] = ${head.load(qkv, first('row'), `(i % ${vectors}u)`)};
  stagedSecond[i] = ${head.load(ofSecond, second('row'), `(i % ${vectors}u)`)};
}`;

  /** One key against the thread's queries. */
  const againstKey = `
let keyRow = start + j;
${staged ? `let local = (j - tile) * ${vectors}u;` : `let keyAt = ${part('keyRow', 1)};\nlet valueAt = ${part('keyRow', 2)};`}
${each(own, (q) => `var s${q} = 0.0; var g${q} = 0.0;`)}
${each(
  vectors,
  (c) => `let k${c} = ${staged ? `stagedFirst[local + ${c}u]` : head.load(qkv, 'keyAt', c)};
{ let v = ${staged ? `stagedSecond[local + ${c}u]` : head.load(qkv, 'valueAt', c)};
${each(own, (q) => `s${q} += dot(q${q}_${c}, k${c}); g${q} += dot(r${q}_${c}, v);`)} }`,
)}
${each(own, (q) => {
  const seen = `j <= at${q} && j + ${window} > at${q}`;
  const masked = mask ? `g${q} * ${mask.element(`maskAt${q} + j`)}` : `g${q}`;
  return `let t${q} = select(0.0, exp(min(s${q} * ${factor} - sum${q}, 0.0)) * (${masked} - inner${q}) * ${factor}, ${seen});
${each(vectors, (c) => `d${q}_${c} = fma(vec4f(t${q}), k${c}, d${q}_${c});`)}`;
})}`;

  const queries = `
let query = first + thread * ${own}u;
let end = select(0u, min(query + ${own}u, length_), query < length_);
${each(
  own,
  (q) => `
let at${q} = min(query + ${q}u, length_ - 1u);
let token${q} = start + at${q};
let queryAt${q} = ${part(`token${q}`, 0)};
let sideAt${q} = ${side(`token${q}`)};
let sum${q} = ${logSum.name}[${logSum.row(`token${q}`)} + head];
${mask ? `let maskAt${q} = ${maskStart('head', `token${q}`)};` : ''}
var inner${q} = 0.0;
${each(
  vectors,
  (c) => `let q${q}_${c} = ${head.load(qkv, `queryAt${q}`, c)};
let r${q}_${c} = ${head.load(dOut, `sideAt${q}`, c)};
inner${q} += dot(r${q}_${c}, ${head.load(out, `sideAt${q}`, c)});
var d${q}_${c} = vec4f();`,
)}`,
)}
${
  staged
    ? `let blockEnd = min(first + ${BLOCK}u, length_);
for (var tile = max(first + 1u, ${window}) - ${window}; tile < blockEnd; tile += ${rowsAtOnce}u) {
  ${copy(
    (row) => part(row, 1),
    (row) => part(row, 2),
    qkv,
  )}
  workgroupBarrier();
  for (var j = tile; j < min(tile + ${rowsAtOnce}u, end); j++) {
    ${againstKey}
  }
  workgroupBarrier();
}`
    : `for (var j = max(query + 1u, ${window}) - ${window}; j < end; j++) {
  ${againstKey}
}`
}
${each(
  own,
  (q) => `if (query + ${q}u < length_) {
  let to = ${part(`token${q}`, 0)};
  ${each(vectors, (c) => head.store(dQkv, 'to', c, `d${q}_${c}`))}
}`,
)}`;

  /** One query against the thread's keys. */
  const againstQuery = `
let token = start + i;
let local = i - tile;
${staged ? '' : `let queryAt = ${part('token', 0)};\nlet sideAt = ${side('token')};`}
${mask ? `let maskAt = ${maskStart('head', 'token')};` : ''}
${each(own, (k) => `var s${k} = 0.0; var g${k} = 0.0;`)}
${each(
  vectors,
  (c) => `let q${c} = ${staged ? `stagedFirst[local * ${vectors}u + ${c}u]` : head.load(qkv, 'queryAt', c)};
let r${c} = ${staged ? `stagedSecond[local * ${vectors}u + ${c}u]` : head.load(dOut, 'sideAt', c)};
${each(own, (k) => `s${k} += dot(q${c}, k${k}_${c}); g${k} += dot(r${c}, v${k}_${c});`)}`,
)}
${each(own, (k) => {
  const seen = `key + ${k}u <= i && key + ${k}u + ${window} > i`;
  const kept = mask ? mask.element(`maskAt + key + ${k}u`) : null;
  return `let p${k} = select(0.0, exp(min(s${k} * ${factor} - sums[local], 0.0)), ${seen});
${kept ? `let kept${k} = ${kept};` : ''}
let u${k} = p${k}${kept ? ` * kept${k}` : ''};
let t${k} = p${k} * (g${k}${kept ? ` * kept${k}` : ''} - inners[local]) * ${factor};
${each(
  vectors,
  (c) => `y${k}_${c} = fma(vec4f(u${k}), r${c}, y${k}_${c}); x${k}_${c} = fma(vec4f(t${k}), q${c}, x${k}_${c});`,
)}`;
})}`;

  const keys = `
let key = first + thread * ${own}u;
${each(
  own,
  (k) => `
let token${k} = start + min(key + ${k}u, length_ - 1u);
let keyAt${k} = ${part(`token${k}`, 1)};
let valueAt${k} = ${part(`token${k}`, 2)};
${each(
  vectors,
  (c) => `let k${k}_${c} = ${head.load(qkv, `keyAt${k}`, c)};
let v${k}_${c} = ${head.load(qkv, `valueAt${k}`, c)};
var x${k}_${c} = vec4f();
var y${k}_${c} = vec4f();`,
)}`,
)}
let blockEnd = min(length_, first + ${window} + ${BLOCK - 1}u);
let ownEnd = min(length_, key + ${window} + ${own - 1}u);
for (var tile = first; tile < blockEnd; tile += ${stage}u) {
  for (var n = thread; n < ${stage}u; n += ${threads}u) {
    let token = start + min(tile + n, length_ - 1u);
    let sideAt = ${side('token')};
    sums[n] = ${logSum.name}[${logSum.row('token')} + head];
    var inner = 0.0;
    ${each(vectors, (c) => `inner += dot(${head.load(dOut, 'sideAt', c)}, ${head.load(out, 'sideAt', c)});`)}
    inners[n] = inner;
  }
  ${staged ? copy((row) => part(row, 0), side, dOut) : ''}
  workgroupBarrier();
  for (var i = max(tile, key); i < min(tile + ${stage}u, ownEnd); i++) {
    ${againstQuery}
  }
  workgroupBarrier();
}
${each(
  own,
  (k) => `if (key + ${k}u < length_) {
  let keyTo = ${part(`token${k}`, 1)};
  let valueTo = ${part(`token${k}`, 2)};
  ${each(vectors, (c) => head.store(dQkv, 'keyTo', c, `x${k}_${c}`) + head.store(dQkv, 'valueTo', c, `y${k}_${c}`))}
}`,
)}`;

  return build.finish({
    name: 'attention gradient',
    threads,
    functions: `${mask ? maskFunctions : ''}
var<workgroup> sums: array<f32, ${stage}>;
var<workgroup> inners: array<f32, ${stage}>;
${
  staged
    ? `var<workgroup> stagedFirst: array<vec4f, ${rowsAtOnce * vectors}>;
var<workgroup> stagedSecond: array<vec4f, ${rowsAtOnce * vectors}>;`
    : ''
}`,
    body: `
${segmentHead('group.x')}
let head = group.y;
if (group.z == 0u) {
${queries}
} else {
${keys}
}`,
    groups: ({ blocks }) => [blocks, heads, 2],
    flops: (count) => 10 * count * d * Math.min(count, call.window ?? 128),
  });
}

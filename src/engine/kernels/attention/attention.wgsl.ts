import type { Attention } from '../../plan/plan.ts';
import { LaunchBuilder, type Launch } from '../../gpu-kit/launch.ts';
import { BLOCK } from '../../gpu-kit/run-data.ts';
import { maskFunctions, maskOf } from '../dropout/mask.wgsl.ts';
import { each, Head, maskStart, OPEN, range, segmentHead, type AttentionShape } from './heads.wgsl.ts';

/** Keys that a workgroup stages together, fewer where heads are wide: 16 KB of workgroup memory are sure everywhere. */
const stagedKeys = (vectors: number) => (vectors > 16 ? 8 : 16);
const NEVER = '-1.0e30';

/**
 * Attention (plan.ts) in one pass over the keys with a running softmax (Dao et al. 2022, "FlashAttention"): a workgroup
 * has a block of queries of one head, a thread some of them, and keys come four at a time.
 */
export function attention(call: Attention, shape: AttentionShape): Launch {
  const { heads } = call;
  const { staged } = shape;
  const width = call.out.columns / heads;
  const head = new Head(width);
  const build = new LaunchBuilder();
  const qkv = build.matrix(call.qkv, { scalar: head.scalar });
  const out = build.matrix(call.out, { scalar: head.scalar });
  const logSum = build.matrix(call.logSum, { scalar: true });
  const mask = call.dropout && maskOf(build, call.dropout);
  const own = shape.own(head.vectors);
  const threads = BLOCK / own;
  const window = build.word('window', call.window ?? OPEN);
  const { vectors } = head;
  const keysAtOnce = stagedKeys(vectors);
  const d = heads * width;
  const at = (row: string, part: number) => qkv.row(row) + ` + ${part * d}u + head * ${width}u`;

  const key = (name: string, kk: number, c: number) =>
    staged ? `${name}[(j - tile + ${kk}u) * ${vectors}u + ${c}u]` : head.load(qkv, `${name}${kk}`, c);
  const rows = staged
    ? ''
    : each(4, (kk) => {
        const index = `min(j + ${kk}u, keys - 1u)`;
        const row = `select(start + ${index} - history, historyStart + ${index}, ${index} < history)`;
        return `let row${kk} = ${row};
let keyAt${kk} = ${at(`row${kk}`, 1)};
let valueAt${kk} = ${at(`row${kk}`, 2)};`;
      });
  const score = each(4, (kk) =>
    each(
      vectors,
      (c) => `{ let kv = ${key(staged ? 'stagedKeys' : 'keyAt', kk, c)};
${each(own, (q) => `s${q}[${kk}] += dot(q${q}_${c}, kv);`)} }`,
    ),
  );
  const soften = each(own, (q) => {
    const seen = `(js <= vec4u(at${q})) & (js + vec4u(${window}) > vec4u(at${q}))`;
    return `
let seen${q} = ${seen};
let masked${q} = select(vec4f(${NEVER}), s${q}, seen${q});
let most${q} = max(m${q}, max(max(masked${q}.x, masked${q}.y), max(masked${q}.z, masked${q}.w)));
var p${q} = select(vec4f(), exp(masked${q} - most${q}), seen${q});
let fade${q} = exp(m${q} - most${q});
l${q} = l${q} * fade${q} + dot(p${q}, vec4f(1.0));
m${q} = most${q};
${mask ? `p${q} *= ${mask.vector(`maskAt${q} + j`)};` : ''}
${each(vectors, (c) => `o${q}_${c} *= fade${q};`)}`;
  });
  const gather = each(4, (kk) =>
    each(
      vectors,
      (c) => `{ let kv = ${key(staged ? 'stagedValues' : 'valueAt', kk, c)};
${each(own, (q) => `o${q}_${c} = fma(vec4f(p${q}[${kk}]), kv, o${q}_${c});`)} }`,
    ),
  );
  const four = `
let js = vec4u(j) + vec4u(0u, 1u, 2u, 3u);
${each(own, (q) => `var s${q} = vec4f();`)}
${rows}
${score}
${soften}
${gather}`;

  const lowest = (query: string) => `(max(history + ${query} + 1u, ${window}) - ${window}) & ~3u`;
  const loop = staged
    ? `
let blockEnd = history + min(first + ${BLOCK}u, length_);
for (var tile = ${lowest('first')}; tile < blockEnd; tile += ${keysAtOnce}u) {
  for (var i = thread; i < ${keysAtOnce * vectors}u; i += ${threads}u) {
    let index = min(tile + i / ${vectors}u, keys - 1u);
    let row = select(start + index - history, historyStart + index, index < history);
    stagedKeys[i] = ${head.load(qkv, at('row', 1), `(i % ${vectors}u)`)};
    stagedValues[i] = ${head.load(qkv, at('row', 2), `(i % ${vectors}u)`)};
  }
  workgroupBarrier();
  for (var j = tile; j < min(tile + ${keysAtOnce}u, end); j += 4u) {
    ${four}
  }
  workgroupBarrier();
}`
    : `
for (var j = ${lowest('query')}; j < end; j += 4u) {
  ${four}
}`;

  return build.finish({
    name: 'attention',
    threads,
    functions: `${mask ? maskFunctions : ''}
${
  staged
    ? `var<workgroup> stagedKeys: array<vec4f, ${keysAtOnce * vectors}>;
var<workgroup> stagedValues: array<vec4f, ${keysAtOnce * vectors}>;`
    : ''
}`,
    body: `
${segmentHead('group.x')}
let head = group.y;
let keys = history + length_;
let query = first + thread * ${own}u;
let end = select(0u, history + min(query + ${own}u, length_), query < length_);
${each(own, (q) => {
  const vector = (c: number) =>
    `let q${q}_${c} = ${head.load(qkv, `queryAt${q}`, c)} * ${(1 / Math.sqrt(width)).toFixed(9)};\nvar o${q}_${c} = vec4f();`;
  return `
let token${q} = start + min(query + ${q}u, length_ - 1u);
let at${q} = history + min(query + ${q}u, length_ - 1u);
let queryAt${q} = ${at(`token${q}`, 0)};
${mask ? `let maskAt${q} = ${maskStart('head', `token${q}`)};` : ''}
var m${q} = ${NEVER};
var l${q} = 0.0;
${range(vectors).map(vector).join('\n')}`;
})}
${loop}
${each(
  own,
  (q) => `if (query + ${q}u < length_) {
  let to = ${out.row(`token${q}`)} + head * ${width}u;
  ${each(vectors, (c) => head.store(out, 'to', c, `o${q}_${c} / l${q}`))}
  ${logSum.name}[${logSum.row(`token${q}`)} + head] = log(l${q}) + m${q};
}`,
)}`,
    groups: ({ blocks }) => [blocks, heads, 1],
    flops: (count) => 4 * count * d * Math.min(count, call.window ?? 128),
  });
}

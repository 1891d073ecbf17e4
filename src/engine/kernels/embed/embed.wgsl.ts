import type { Embed, EmbedGradient } from '../../plan/plan.ts';
import { ceilDiv, inLine, LaunchBuilder, type Launch } from '../../gpu-kit/launch.ts';
import { THREADS, vectorGroups, vectorHead } from '../../gpu-kit/rows.ts';
import { maskFunctions, maskOf, maskRow } from '../dropout/mask.wgsl.ts';

/** Embed (plan.ts). */
export function embed(call: Embed): Launch {
  const build = new LaunchBuilder();
  const tokens = build.matrix(call.tokens);
  const positions = call.positions && build.matrix(call.positions);
  const slots = call.slots && build.matrix(call.slots);
  const out = build.matrix(call.out);
  const mask = call.dropout && maskOf(build, call.dropout);
  const { columns } = call.out;
  const look = (table: typeof tokens, at: string) => table.load4(`${table.row(`u32(batch[${at} + n])`)} + c`);
  return build.finish({
    name: 'embedding',
    functions: mask ? maskFunctions : '',
    threads: THREADS,
    body: `${vectorHead(columns)}
var value = ${look(tokens, '0u')};
${positions ? `value += ${look(positions, 'run.positionsAt')};` : ''}
${slots ? `value += ${look(slots, 'run.slotsAt')};` : ''}
${mask ? `value *= ${mask.vector(`${maskRow('n', columns)} + c`)};` : ''}
let to = ${out.row('row')} + c;
${out.store4('to', 'value', 'c')}`,
    groups: vectorGroups(columns),
  });
}

/** Vectors of a table's row that a workgroup makes where its other threads take their share of the tokens. */
const VECTORS = 8;
/** Workgroups in a row of the grid. */
const MOST_LINES = 32768;

/**
 * EmbedGradient (plan.ts), from lists of the tokens that look up each row of the tables (run-data.ts). On a graphics card
 * a workgroup makes 32 columns of one row, in slices of its list that are added in their order: a token that is
 * everywhere must not hold one thread up. In an emulation (`lanes` 1) a thread makes a vector by itself.
 */
export function embedGradient(call: EmbedGradient, lanes: number): Launch {
  const build = new LaunchBuilder();
  const dOut = build.matrix(call.dOut);
  const tables = [call.dTokens, call.dPositions, call.dSlots].filter((buffer) => buffer !== null);
  const matrices = tables.map((buffer) => build.matrix(buffer));
  const mask = call.dropout && maskOf(build, call.dropout);
  const { columns } = call.dOut;
  const rowsOf = tables.map((buffer) => Number(buffer.rows));
  const all = rowsOf.reduce((sum, rows) => sum + rows, 0);
  let first = 0;
  const stores = matrices.map((matrix, i) => {
    const start = first;
    first += rowsOf[i];
    const tied = i === 0 && call.tied;
    return `${i === 0 ? '' : 'else '}if (line < ${first}u) {
  let to = ${matrix.row(`line - ${start}u`)} + c;
  ${tied ? `sum += ${matrix.load4('to')};` : ''}
  ${matrix.store4('to', 'sum', 'c')}
}`;
  });
  const slices = lanes === 1 ? 1 : THREADS / VECTORS;
  const add = `
let last = u32(batch[run.startsAt + line + 1u]);
var sum = vec4f();
if (c < ${columns}u) {
  for (var i = u32(batch[run.startsAt + line]) + slice; i < last; i += ${slices}u) {
    let n = u32(batch[run.orderAt + i]);
    sum += ${dOut.load4(`${dOut.row('run.firstRow + n')} + c`)}${mask ? ` * ${mask.vector(`${maskRow('n', columns)} + c`)}` : ''};
  }
}`;
  const head = { name: 'embedding gradient', threads: THREADS };
  const vectors = ceilDiv(columns, 4);
  if (lanes === 1)
    return build.finish({
      ...head,
      functions: mask ? maskFunctions : '',
      body: `
let vector = (group.x + group.y * groups.x) * ${THREADS}u + thread;
let line = vector / ${vectors}u;
if (line >= ${all}u) { return; }
let c = 4u * (vector % ${vectors}u);
let slice = 0u;
${add}
${stores.join('\n')}`,
      groups: () => inLine(ceilDiv(all * vectors, THREADS)),
    });
  return build.finish({
    ...head,
    functions: `var<workgroup> sums: array<vec4f, ${THREADS}>;${mask ? maskFunctions : ''}`,
    body: `
let line = group.y + ${MOST_LINES}u * group.z;
if (line >= ${all}u) { return; }
let c = 4u * (group.x * ${VECTORS}u + thread % ${VECTORS}u);
let slice = thread / ${VECTORS}u;
${add}
sums[thread] = sum;
workgroupBarrier();
if (thread < ${VECTORS}u && c < ${columns}u) {
  for (var other = 1u; other < ${slices}u; other++) { sum += sums[other * ${VECTORS}u + thread]; }
  ${stores.join('\n')}
}`,
    groups: () => [ceilDiv(columns, 4 * VECTORS), Math.min(all, MOST_LINES), ceilDiv(all, MOST_LINES)],
  });
}

import type { Buffer, MuonUpdate } from '../../plan/plan.ts';
import { skipUnsound } from '../adamw/adamw.wgsl.ts';
import { ceilDiv, inLine, LaunchBuilder, padded, type Launch } from '../../webgpu/launch.ts';
import {
  product,
  stagingMemory,
  threadsOf,
  tileColumns,
  tileRows,
  type Product,
  type Tiling,
} from '../../webgpu/matmul.ts';
import { acrossDepth, alongDepth } from '../../webgpu/operands.ts';
import { THREADS } from '../../webgpu/rows.ts';

const ITERATIONS = 5;
/** The quintic's coefficients of Jordan et al. 2024. */
const [A, B, C] = ['3.4445', '-4.775', '2.0315'];

/** A matrix as it is orthogonalised, transposed where it is taller than wide. */
interface Block {
  /** Of its first element in the arenas, and from row to row there. */
  offset: number;
  stride: number;
  tall: boolean;
  /** m <= n */
  m: number;
  n: number;
  /** Of its [m, n] and its [m, m] in the workspace. */
  wideAt: number;
  gramAt: number;
  scale: number;
}

/** Words of a block in the tables; a workgroup's tile has three: block, tile row, tile column. */
const BLOCK_WORDS = 10;

/**
 * MuonUpdate (plan.ts) on all matrices at once: the momentum, each matrix's norm, five times three grouped products, and
 * the update; eighteen launches whatever the number of layers. The iterations begin with X / |X|, so the norm goes into
 * the products of the first one and no pass divides by it.
 */
export function muon(
  call: MuonUpdate,
  tiling: Tiling,
  workspace: (name: string, rows: number, columns: number) => Buffer,
  mixed: boolean,
): Launch[] {
  let [wide, gram] = [0, 0];
  const blocks = call.blocks.map((block): Block => {
    const tall = block.rows > block.columns;
    const [m, n] = tall ? [block.columns, block.rows] : [block.rows, block.columns];
    const placed = { offset: block.offset, stride: block.stride, tall, m, n, wideAt: wide, gramAt: gram };
    wide += m * padded(n);
    gram += m * padded(m);
    return { ...placed, scale: Math.sqrt(Math.max(1, block.outputs / block.inputs)) };
  });
  const [x, next] = [workspace('Muon, matrices', 1, wide), workspace('Muon, next matrices', 1, wide)];
  const [grams, polynomials] = [workspace('Muon, products', 1, gram), workspace('Muon, polynomials', 1, gram)];
  const scales = workspace('Muon, norms', 1, 4 * blocks.length);
  const launches = [momentum(call, blocks, x, mixed), norms(blocks, x, scales)];
  let [from, to] = [x, next];
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const first = iteration === 0 ? scales : null;
    launches.push(
      grouped(blocks, tiling, 'gram', { a: from, out: grams, scales: first }),
      grouped(blocks, tiling, 'polynomial', { a: grams, out: polynomials, scales: null }),
      grouped(blocks, tiling, 'next', { a: polynomials, b: from, out: to, scales: first }),
    );
    [from, to] = [to, from];
  }
  return [...launches, update(call, blocks, from, mixed)];
}

function tableOf(blocks: readonly Block[], tiles: readonly number[]): Uint32Array {
  const table = new Uint32Array(BLOCK_WORDS * blocks.length + tiles.length);
  const reals = new Float32Array(table.buffer);
  blocks.forEach(({ offset, stride, tall, m, n, wideAt, gramAt, scale }, i) => {
    table.set([m, n, padded(m), padded(n), wideAt, gramAt, offset, stride, Number(tall)], BLOCK_WORDS * i);
    reals[BLOCK_WORDS * i + 9] = scale;
  });
  table.set(tiles, BLOCK_WORDS * blocks.length);
  return table;
}

/** Reads a block's words; `table` is the name of the binding and `block` an expression of its index. */
const blockHead = (table: string, block: string) => `
let block = ${block};
let blockAt = ${BLOCK_WORDS}u * block;
let m = ${table}[blockAt];
let n = ${table}[blockAt + 1u];
let gramStride = ${table}[blockAt + 2u];
let wideStride = ${table}[blockAt + 3u];
let wideAt = ${table}[blockAt + 4u];
let gramAt = ${table}[blockAt + 5u];
let offset = ${table}[blockAt + 6u];
let stride = ${table}[blockAt + 7u];
let tall = ${table}[blockAt + 8u] == 1u;
let scale = bitcast<f32>(${table}[blockAt + 9u]);`;

/** Elements of a matrix that a workgroup takes. */
const CHUNK = 1024;

/** Goes through all elements (i, j) of a block's matrix as it lies in the arenas, `place` being its place there. */
function elements(build: LaunchBuilder, blocks: readonly Block[], body: string) {
  const chunks = blocks.flatMap(({ m, n }, i) =>
    Array.from({ length: ceilDiv(m * n, CHUNK) }, (_, chunk) => [i, chunk * CHUNK]),
  );
  const table = build.table(() => tableOf(blocks, chunks.flat()));
  const chunkAt = `${BLOCK_WORDS * blocks.length}u + 2u * (group.x + group.y * groups.x)`;
  return {
    groups: () => inLine(chunks.length),
    body: `
if (group.x + group.y * groups.x >= ${chunks.length}u) { return; }
${blockHead(table, `${table}[${chunkAt}]`)}
let columns = select(n, m, tall);
let start = ${table}[${chunkAt} + 1u];
for (var e = start + thread; e < min(start + ${CHUNK}u, m * n); e += ${THREADS}u) {
  let i = e / columns;
  let j = e % columns;
  let place = offset + i * stride + j;
  let inside = wideAt + select(i * wideStride + j, j * wideStride + i, tall);
  ${body}
}`,
  };
}

/** Moves the momentum and writes Nesterov's direction into the workspace. */
function momentum(call: MuonUpdate, blocks: readonly Block[], x: Buffer, mixed: boolean): Launch {
  const build = new LaunchBuilder();
  const [gradients, first, direction] = [call.gradients, call.first, x].map((buffer) =>
    build.matrix(buffer, { scalar: true }),
  );
  const norm = build.matrix(call.norm);
  const { body, groups } = elements(
    build,
    blocks,
    `let fresh = ${gradients.name}[place] * ${norm.load4(norm.row('0u'))}.y * run.muonTake;
  let moved = run.muonMomentum * ${first.name}[place] + fresh;
  ${first.name}[place] = moved;
  ${direction.name}[inside] = fresh + run.muonMomentum * moved;`,
  );
  const whole = skipUnsound(norm, mixed) + body;
  return build.finish({ name: 'Muon momentum', threads: THREADS, body: whole, groups });
}

/** 1 / (|X| + 1e-7) of every matrix, one workgroup each. */
function norms(blocks: readonly Block[], x: Buffer, scales: Buffer): Launch {
  const build = new LaunchBuilder();
  const direction = build.matrix(x, { scalar: true });
  const out = build.matrix(scales, { scalar: true });
  const table = build.table(() => tableOf(blocks, []));
  return build.finish({
    name: 'Muon norms',
    threads: THREADS,
    functions: `var<workgroup> sums: array<f32, ${THREADS}>;`,
    body: `${blockHead(table, 'group.x')}
var sum = 0.0;
for (var e = thread; e < m * n; e += ${THREADS}u) {
  let value = ${direction.name}[wideAt + (e / n) * wideStride + e % n];
  sum += value * value;
}
sums[thread] = sum;
workgroupBarrier();
if (thread == 0u) {
  var total = 0.0;
  for (var i = 0u; i < ${THREADS}u; i++) { total += sums[i]; }
  ${out.name}[4u * block] = 1.0 / (sqrt(total) + 1e-7);
}`,
    groups: () => [blocks.length, 1, 1],
  });
}

/**
 * One product of the iteration for all matrices: gram = X X^T; polynomial = a I + b G + c G G; next = P X.
 * @param scales of X, in the first iteration
 */
function grouped(
  blocks: readonly Block[],
  tiling: Tiling,
  kind: 'gram' | 'polynomial' | 'next',
  { a, b = a, out, scales }: { a: Buffer; b?: Buffer; out: Buffer; scales: Buffer | null },
): Launch {
  const build = new LaunchBuilder();
  const scalar = tiling.shared;
  const left = build.matrix(a, { scalar });
  const right = build.matrix(b, { scalar: scalar && b === a });
  const to = build.matrix(out);
  const known = scales && build.matrix(scales);
  const columnsOf = ({ m, n }: Block) => (kind === 'next' ? n : m);
  const tiles = blocks.flatMap((block, index) => {
    const wide = ceilDiv(columnsOf(block), tileColumns(tiling));
    const all = ceilDiv(block.m, tileRows(tiling)) * wide;
    return Array.from({ length: all }, (_, i) => [index, Math.floor(i / wide), i % wide]).flat();
  });
  const table = build.table(() => tableOf(blocks, tiles));
  const [aAt, aStride] = kind === 'gram' ? ['wideAt', 'wideStride'] : ['gramAt', 'gramStride'];
  const [bAt, bStride] = kind === 'polynomial' ? ['gramAt', 'gramStride'] : ['wideAt', 'wideStride'];
  const [outAt, outStride] = kind === 'next' ? ['wideAt', 'wideStride'] : ['gramAt', 'gramStride'];
  const source = (matrix: typeof left, at: string, stride: string) => ({
    ...{ matrix, stride, row: (row: string) => `${at} + (${row}) * ${stride}` },
  });
  const factor = known && `${known.load4('4u * block')}.x`;
  const one: Product = {
    a: alongDepth(source(left, aAt, aStride), 'm', undefined, tiling.shared),
    b: kind === 'gram' ? alongDepth(source(right, bAt, bStride), 'm') : acrossDepth(source(right, bAt, bStride)),
    depth: kind === 'gram' ? 'n' : 'm',
    firstRow: `tileRow * ${tileRows(tiling)}u`,
    firstColumn: `tileColumn * ${tileColumns(tiling)}u`,
    store: `if (row < m && column < ${kind === 'next' ? 'n' : 'm'}) {
  ${factor ? `value *= ${kind === 'gram' ? `${factor} * ${factor}` : factor};` : ''}
  let at = ${outAt} + row * ${outStride} + column;
  ${
    kind === 'polynomial'
      ? `value = ${C} * value + ${B} * ${left.load4('at')};
  value += select(vec4f(), vec4f(${A}), vec4u(row) == vec4u(column) + vec4u(0u, 1u, 2u, 3u));`
      : ''
  }
  ${to.store4('at', 'value', '0u')}
}`,
  };
  return build.finish({
    name: 'Muon products',
    enable: tiling.shared ? 'enable subgroups;' : '',
    threads: threadsOf(tiling),
    functions: stagingMemory(tiling),
    body: `
let index = group.x + group.y * groups.x;
if (index >= ${tiles.length / 3}u) { return; }
let tileAt = ${BLOCK_WORDS * blocks.length}u + 3u * index;
let tileRow = ${table}[tileAt + 1u];
let tileColumn = ${table}[tileAt + 2u];
${blockHead(table, `${table}[tileAt]`)}
${product(tiling, one)}`,
    groups: () => inLine(tiles.length / 3),
    flops: () =>
      blocks.reduce((sum, block) => sum + 2 * block.m * columnsOf(block) * (kind === 'gram' ? block.n : block.m), 0),
  });
}

/** W (1 - rate decay) - rate scale X. */
function update(call: MuonUpdate, blocks: readonly Block[], x: Buffer, mixed: boolean): Launch {
  const build = new LaunchBuilder();
  const [weights, direction] = [call.weights, x].map((buffer) => build.matrix(buffer, { scalar: true }));
  const skip = mixed ? skipUnsound(build.matrix(call.norm), mixed) : '';
  const { body, groups } = elements(
    build,
    blocks,
    `let kept = ${weights.name}[place] * (1.0 - run.muonRate * run.muonDecay);
  ${weights.name}[place] = kept - run.muonRate * scale * ${direction.name}[inside];`,
  );
  return build.finish({ name: 'Muon update', threads: THREADS, body: skip + body, groups });
}

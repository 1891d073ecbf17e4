import type { Buffer, MuonUpdate } from '../../plan/plan.ts';
import { skipUnsound } from '../adamw/adamw.wgsl.ts';
import { ceilDiv, inLine, LaunchBuilder, padded, type Launch } from '../../gpu-kit/launch.ts';
import {
  product,
  stagingMemory,
  threadsOf,
  tileColumns,
  tileRows,
  type Product,
  type Tiling,
} from '../../gpu-kit/matmul.ts';
import { acrossDepth, alongDepth } from '../../gpu-kit/operands.ts';
import { THREADS } from '../../gpu-kit/rows.ts';
import { f32, Struct, u32 } from '../../gpu-kit/struct.ts';

const ITERATIONS = 5;
/** The quintic's coefficients of Jordan et al. 2024. */
const [A, B, C] = ['3.4445', '-4.775', '2.0315'];

/**
 * A matrix [m, n], m <= n, as it is orthogonalised, transposed where it is taller than wide: its first element in the
 * arenas and from row to row there, its [m, n] and its [m, m] in the workspace.
 */
const Block = new Struct('Matrix', {
  ...u32('m', 'n', 'gramStride', 'wideStride', 'wideAt', 'gramAt', 'offset', 'stride', 'tall'),
  ...f32('scale'),
});
type Block = Parameters<typeof Block.pack>[0][number];
/** A workgroup's tile of a block's product. */
const Tile = new Struct('Tile', u32('block', 'row', 'column'));
/** A workgroup's elements of a block, from `start` on. */
const Chunk = new Struct('Chunk', u32('block', 'start'));

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
    const { offset, stride } = block;
    const [gramStride, wideStride] = [padded(m), padded(n)];
    const placed = { m, n, gramStride, wideStride, wideAt: wide, gramAt: gram, offset, stride, tall: Number(tall) };
    wide += m * wideStride;
    gram += m * gramStride;
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

/** Elements of a matrix that a workgroup takes. */
const CHUNK = 1024;

/** Goes through all elements (i, j) of a block's matrix as it lies in the arenas, `place` being its place there. */
function elements(build: LaunchBuilder, blocks: readonly Block[], body: string) {
  const chunks = blocks.flatMap(({ m, n }, i) =>
    Array.from({ length: ceilDiv(m * n, CHUNK) }, (_, chunk) => ({ block: i, start: chunk * CHUNK })),
  );
  const table = build.records(Block, () => blocks);
  const chunk = build.records(Chunk, () => chunks);
  const count = build.word('chunks', chunks.length);
  return {
    groups: () => inLine(chunks.length),
    body: `
if (group.x + group.y * groups.x >= ${count}) { return; }
let chunk = ${chunk}[group.x + group.y * groups.x];
let block = ${table}[chunk.block];
let tall = block.tall == 1u;
let columns = select(block.n, block.m, tall);
for (var e = chunk.start + thread; e < min(chunk.start + ${CHUNK}u, block.m * block.n); e += ${THREADS}u) {
  let i = e / columns;
  let j = e % columns;
  let place = block.offset + i * block.stride + j;
  let inside = block.wideAt + select(i * block.wideStride + j, j * block.wideStride + i, tall);
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
  const table = build.records(Block, () => blocks);
  return build.finish({
    name: 'Muon norms',
    threads: THREADS,
    functions: `var<workgroup> sums: array<f32, ${THREADS}>;`,
    body: `
let block = ${table}[group.x];
var sum = 0.0;
for (var e = thread; e < block.m * block.n; e += ${THREADS}u) {
  let value = ${direction.name}[block.wideAt + (e / block.n) * block.wideStride + e % block.n];
  sum += value * value;
}
sums[thread] = sum;
workgroupBarrier();
if (thread == 0u) {
  var total = 0.0;
  for (var i = 0u; i < ${THREADS}u; i++) { total += sums[i]; }
  ${out.name}[4u * group.x] = 1.0 / (sqrt(total) + 1e-7);
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
    return Array.from({ length: all }, (_, i) => ({ block: index, row: Math.floor(i / wide), column: i % wide }));
  });
  const table = build.records(Block, () => blocks);
  const tile = build.records(Tile, () => tiles);
  const count = build.word('tiles', tiles.length);
  const [aAt, aStride] = kind === 'gram' ? ['block.wideAt', 'block.wideStride'] : ['block.gramAt', 'block.gramStride'];
  const [bAt, bStride] =
    kind === 'polynomial' ? ['block.gramAt', 'block.gramStride'] : ['block.wideAt', 'block.wideStride'];
  const [outAt, outStride] =
    kind === 'next' ? ['block.wideAt', 'block.wideStride'] : ['block.gramAt', 'block.gramStride'];
  const source = (matrix: typeof left, at: string, stride: string) => ({
    ...{ matrix, stride, row: (row: string) => `${at} + (${row}) * ${stride}` },
  });
  const factor = known && `${known.load4('4u * tile.block')}.x`;
  const one: Product = {
    a: alongDepth(source(left, aAt, aStride), 'block.m', undefined, tiling.shared),
    b: kind === 'gram' ? alongDepth(source(right, bAt, bStride), 'block.m') : acrossDepth(source(right, bAt, bStride)),
    depth: kind === 'gram' ? 'block.n' : 'block.m',
    depthMultiple: 1,
    firstRow: `tile.row * ${tileRows(tiling)}u`,
    firstColumn: `tile.column * ${tileColumns(tiling)}u`,
    store: `if (row < block.m && column < block.${kind === 'next' ? 'n' : 'm'}) {
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
if (index >= ${count}) { return; }
let tile = ${tile}[index];
let block = ${table}[tile.block];
${product(tiling, one)}`,
    groups: () => inLine(tiles.length),
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
  ${weights.name}[place] = kept - run.muonRate * block.scale * ${direction.name}[inside];`,
  );
  return build.finish({ name: 'Muon update', threads: THREADS, body: skip + body, groups });
}

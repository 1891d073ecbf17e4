import type { WeightGradients } from '../../plan/fuse.ts';
import { ceilDiv, inLine, LaunchBuilder, type Launch } from '../../gpu-kit/launch.ts';
import {
  product,
  stagingMemory,
  threadsOf,
  tileColumns,
  tileRows,
  type Product,
  type Tiling,
} from '../../gpu-kit/matmul.ts';
import { acrossDepth, type Change } from '../../gpu-kit/operands.ts';
import { Struct, u32 } from '../../gpu-kit/struct.ts';
import type { Buffer } from '../../plan/plan.ts';
import { ActivationArena } from './activation-arena.ts';

/**
 * What a workgroup of the grouped gradients does, by the first word of its problem. The products differ in which of
 * their operands are normalised as they are read.
 */
const kinds = { plain: 0, normedA: 1, normedB: 2, columnSums: 3, normSums: 4, shiftSums: 5 } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

/** What one or several workgroups compute. */
interface Problem {
  kind: Kind;
  a?: Buffer;
  b: Buffer;
  /** Of C, or the number of columns that are summed. */
  rows: number;
  columns: number;
  out: Buffer | null;
  /** Where sums go a second time, or the sums of a norm's bias. */
  out2: Buffer | null;
  statistics?: Buffer;
  weight?: Buffer;
  bias?: Buffer | null;
  /** How far back the rows of A lie, for the sums of a shift; they go into the row of C before that number. */
  tap?: number;
}
/**
 * A problem on the device. Places of activations and strides are indices of their arena, those of parameters count
 * elements. `halves` says which of A and B are.
 */
const ProblemRecord = new Struct(
  'Problem',
  u32(
    ...(['kind', 'halves', 'aAt', 'aStride', 'bAt', 'bStride', 'rows', 'columns', 'outAt', 'out2At'] as const),
    ...(['statisticsAt', 'weightAt', 'biasAt', 'tap'] as const),
  ),
);
/** What a workgroup does. */
const Tile = new Struct('Tile', u32('problem', 'row', 'column'));
const NOTHING = 0xffffffff;
const halvesOf = ({ a, b }: Pick<Problem, 'a' | 'b'>): number => Number(!!a?.half) + 2 * Number(!!b.half);

/** Columns of sums that a workgroup makes: eight vectors, each by as many slices of the tokens as there are threads. */
const SUM_COLUMNS = 32;

/**
 * All weight gradients of a backward pass in one dispatch: products x^T dOut over all tokens, column sums for biases,
 * and those of norms and shifts. A table says for each workgroup which problem it works on and where.
 */
export function weightGradients({ products, norms, shifts }: WeightGradients, tiling: Tiling): Launch {
  const problems: Problem[] = [];
  for (const { x, dOut, transposed, dWeight, dBias, dBias2, norm } of products) {
    const normed = transposed ? kinds.normedB : kinds.normedA;
    problems.push({
      kind: norm ? normed : kinds.plain,
      ...(transposed ? { a: dOut, b: x } : { a: x, b: dOut }),
      rows: transposed ? dOut.columns : x.columns,
      columns: transposed ? x.columns : dOut.columns,
      out: dWeight,
      out2: null,
      ...(norm && { statistics: norm.statistics, weight: norm.weight, bias: norm.bias }),
    });
    if (dBias)
      problems.push({ kind: kinds.columnSums, b: dOut, rows: 1, columns: dOut.columns, out: dBias, out2: dBias2 });
  }
  for (const { x, dOut, statistics, dWeight, dBias } of norms)
    problems.push({
      ...{ kind: kinds.normSums, a: x, b: dOut, rows: 1, columns: x.columns, out: dWeight, out2: dBias, statistics },
    });
  for (const { x, dOut, dWeight } of shifts)
    for (let tap = 1; tap <= Number(dWeight.rows); tap++)
      problems.push({
        ...{ kind: kinds.shiftSums, a: x, b: dOut, rows: 1, columns: x.columns, out: dWeight, out2: null, tap },
      });

  const build = new LaunchBuilder();
  const read = problems.flatMap(({ a, b, statistics }) => [a, b, statistics].filter((buffer) => buffer !== undefined));
  const written = problems.flatMap(({ out, out2 }) => [out, out2].filter((buffer) => buffer !== null));
  const parameters = problems.flatMap(({ weight, bias }) => [weight, bias].filter((buffer) => !!buffer) as Buffer[]);
  const activations = new ActivationArena(build, read);
  const gradients = build.arena('gradient', written);
  const weights = parameters.length > 0 ? build.arena('weight', parameters) : null;
  const tiles = problems.flatMap((problem, index) =>
    tilesOf(problem, tiling).map(([row, column]) => ({ problem: index, row, column })),
  );
  const table = build.records(ProblemRecord, (placeOf) =>
    problems.map((problem) => recordOf(problem, activations, placeOf)),
  );
  const tile = build.records(Tile, () => tiles);
  const count = build.word('tiles', tiles.length);

  const used = new Set(problems.map(({ kind }) => kind));
  const depth = 'run.count';
  const from = (operand: 'a' | 'b', half: boolean) => ({
    matrix: { load4: (at: string) => activations.vector(at, half), load: (at: string) => at, vector: true },
    row: () => `problem.${operand}At + run.firstRow * problem.${operand}Stride`,
    stride: `problem.${operand}Stride`,
  });
  const parameter = (place: 'weightAt' | 'biasAt', lane: string) => {
    const at = `problem.${place} + ${lane}`;
    if (weights!.vector) return `${weights!.name}[(${at}) / 4u]`;
    return `vec4f(${[0, 1, 2, 3].map((i) => `${weights!.name}[${at} + ${i}u]`).join(', ')})`;
  };
  const normal: Change = {
    open: (name, lane) => `let ${name}_weight = ${parameter('weightAt', lane)};
var ${name}_bias = vec4f();
if (problem.biasAt != ${NOTHING}u) { ${name}_bias = ${parameter('biasAt', lane)}; }`,
    value: (v, name, { k }) => {
      const found = activations.vector(
        `problem.statisticsAt + ${activations.step(false)}u * (run.firstRow + ${k})`,
        false,
      );
      return `(normalise(${v}, ${found}) * ${name}_weight + ${name}_bias)`;
    },
  };
  const operand = (which: 'a' | 'b', half: boolean, change?: Change, shared?: boolean) => {
    const source = from(which, half);
    // Lanes are counted in elements, this table's offsets in vectors.
    return {
      ...acrossDepth(source, change, shared),
      open: (name: string, lane: string) =>
        `let ${name}_at = ${source.row()} + (${lane}) / 4u * ${activations.step(half)}u;\n${change?.open?.(name, lane) ?? ''}`,
    };
  };
  const one = (kind: Kind, halves: number): Product => ({
    a: operand('a', (halves & 1) > 0, kind === kinds.normedA ? normal : undefined, tiling.shared),
    b: operand('b', (halves & 2) > 0, kind === kinds.normedB ? normal : undefined),
    depth,
    depthMultiple: 1,
    firstRow: `tile.row * ${tileRows(tiling)}u`,
    firstColumn: `tile.column * ${tileColumns(tiling)}u`,
    store: `if (row < problem.rows && column < problem.columns) {
  ${storeParameter(gradients, 'problem.outAt + row * problem.columns + column', 'value')}
}`,
  });
  const cases = [kinds.plain, kinds.normedA, kinds.normedB].flatMap((kind) => {
    const alike = problems.filter((problem) => problem.kind === kind).map(halvesOf);
    return [...new Set(alike)].map(
      (halves) =>
        `if (problem.kind == ${kind}u && problem.halves == ${halves}u) {\n${product(tiling, one(kind, halves))}\n}`,
    );
  });
  const summed = [kinds.columnSums, kinds.normSums, kinds.shiftSums].some((kind) => used.has(kind));
  return build.finish({
    name: 'weight gradients',
    enable: tiling.shared ? 'enable subgroups;' : '',
    threads: threadsOf(tiling),
    functions: `${stagingMemory(tiling)}
var<workgroup> sums: array<vec4f, ${threadsOf(tiling)}>;
var<workgroup> sums2: array<vec4f, ${threadsOf(tiling)}>;
fn normalise(v: vec4f, statistics: vec4f) -> vec4f {
  return (v - statistics.x) * statistics.y;
}
${activations.functions}`,
    body: `
let index = group.x + group.y * groups.x;
if (index >= ${count}) { return; }
let tile = ${tile}[index];
let problem = ${table}[tile.problem];
${cases.join('\n')}
${summed ? sumsBody(activations, gradients, threadsOf(tiling)) : ''}`,
    groups: () => inLine(tiles.length),
    flops: (count) => products.reduce((sum, { x, dOut }) => sum + 2 * count * x.columns * dOut.columns, 0),
  });
}

/** Sums over tokens: threads take the tokens in slices, and the first eight add the slices up in their order. */
function sumsBody(activations: ActivationArena, gradients: Written, threads: number): string {
  const vectors = SUM_COLUMNS / 4;
  const a = (row: string) =>
    activations.eitherVector(`problem.aAt + ${row} * problem.aStride`, 'vector', '(problem.halves & 1u) > 0u');
  const b = activations.eitherVector('problem.bAt + row * problem.bStride', 'vector', '(problem.halves & 2u) > 0u');
  return `
if (problem.kind >= ${kinds.columnSums}u) {
  let vector = tile.column * ${vectors}u + thread % ${vectors}u;
  var sum = vec4f();
  var sum2 = vec4f();
  if (4u * vector < problem.columns) {
    for (var n = thread / ${vectors}u; n < run.count; n += ${threads / vectors}u) {
      let row = run.firstRow + n;
      let d = ${b};
      if (problem.kind == ${kinds.normSums}u) {
        sum += d * normalise(${a('row')}, ${activations.vector(`problem.statisticsAt + ${activations.step(false)}u * row`, false)});
        sum2 += d;
      } else if (problem.kind == ${kinds.shiftSums}u) {
        // In training a position is the place in the segment.
        if (batch[run.positionsAt + n] >= i32(problem.tap)) { sum += d * ${a('(row - problem.tap)')}; }
      } else {
        sum += d;
      }
    }
  }
  sums[thread] = sum;
  sums2[thread] = sum2;
  workgroupBarrier();
  if (thread < ${vectors}u && 4u * vector < problem.columns) {
    for (var slice = 1u; slice < ${threads / vectors}u; slice++) {
      sum += sums[slice * ${vectors}u + thread];
      sum2 += sums2[slice * ${vectors}u + thread];
    }
    let column = 4u * vector;
    let line = select(0u, (problem.tap - 1u) * problem.columns, problem.kind == ${kinds.shiftSums}u);
    ${storeParameter(gradients, 'problem.outAt + line + column', 'sum')}
    if (problem.out2At != ${NOTHING}u) {
      if (problem.kind == ${kinds.columnSums}u) { sum2 = sum; }
      ${storeParameter(gradients, 'problem.out2At + column', 'sum2')}
    }
  }
}`;
}

interface Written {
  name: string;
  vector: boolean;
}

function storeParameter({ name, vector }: Written, at: string, value: string): string {
  if (vector) return `${name}[(${at}) / 4u] = ${value};`;
  return [0, 1, 2, 3]
    .map((i) => `if (column + ${i}u < problem.columns) { ${name}[${at} + ${i}u] = ${value}[${i}]; }`)
    .join('\n');
}

function tilesOf({ kind, rows, columns }: Problem, tiling: Tiling): [number, number][] {
  const high = kind >= kinds.columnSums ? 1 : ceilDiv(rows, tileRows(tiling));
  const wide = ceilDiv(columns, kind >= kinds.columnSums ? SUM_COLUMNS : tileColumns(tiling));
  return Array.from({ length: high * wide }, (_, i) => [Math.floor(i / wide), i % wide]);
}

function recordOf(
  { kind, a, b, rows, columns, out, out2, statistics, weight, bias, tap = 0 }: Problem,
  activations: ActivationArena,
  placeOf: (buffer: Buffer) => number,
) {
  const at = (buffer: Buffer | null | undefined) => {
    if (!buffer) return NOTHING;
    return buffer.place.kind === 'activation' ? activations.indexOf(placeOf(buffer)) : buffer.place.offset;
  };
  const stride = (buffer: Buffer | undefined) => (buffer ? activations.strideOf(buffer) : 0);
  return {
    ...{ kind, halves: halvesOf({ a, b }), aAt: at(a), aStride: stride(a), bAt: at(b), bStride: stride(b) },
    ...{ rows, columns, outAt: at(out), out2At: at(out2) },
    ...{ statisticsAt: at(statistics), weightAt: at(weight), biasAt: at(bias), tap },
  };
}

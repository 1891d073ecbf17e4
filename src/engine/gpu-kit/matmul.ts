/**
 * Matrix products C[m, n] = sum over k of A[m, k] B[k, n] in WGSL. A thread keeps a tile of C in registers and goes along
 * k four at a time, reading blocks of 4 x 4. On a graphics card the workgroup stages blocks in its shared memory; an
 * adapter emulated on the CPU is slow at barriers, and its threads read straight from the buffers.
 */
export interface Tiling {
  /** Rows and columns of C that a thread keeps, multiples of 4. */
  threadRows: number;
  threadColumns: number;
  /** Threads of a workgroup along the rows and along the columns of C. */
  rows: number;
  columns: number;
  /** Through workgroup memory, or straight from the buffers. */
  staged: boolean;
  /** Four neighbouring threads share what they read of A (subgroups of four, threads side by side along the columns). */
  shared: boolean;
}

export const tileRows = (tiling: Tiling): number => tiling.threadRows * tiling.rows;
export const tileColumns = (tiling: Tiling): number => tiling.threadColumns * tiling.columns;
export const threadsOf = (tiling: Tiling): number => tiling.rows * tiling.columns;

/** For an emulation: few loads a multiplication matter most. */
export const emulatedTiling: Tiling = {
  threadRows: 8,
  threadColumns: 8,
  rows: 8,
  columns: 8,
  staged: false,
  shared: false,
};
/** For graphics cards, where there is work for many large tiles, and where there is not. */
export const largeTiling: Tiling = { ...emulatedTiling, staged: true };
export const smallTiling: Tiling = { ...largeTiling, threadRows: 4, threadColumns: 4 };

/** Steps along k that are staged together: so many that every thread stages one block of A and one of B. */
const depthOf = (tiling: Tiling): number => (4 * threadsOf(tiling)) / (tileRows(tiling) / 4);

/**
 * Four lanes (rows of A, or columns of B) of an operand. `open` declares what stays the same along k; `load` declares
 * the vectors NAME_0 to NAME_3, the four lanes at k to k + 3, zeros from `depth` on where `guarded`.
 */
export interface Operand {
  open(name: string, lane: string): string;
  load(name: string, k: string, guarded: boolean): string;
  /** Statements at k before the blocks at k are loaded. */
  along?(k: string): string;
}

export interface Product {
  a: Operand;
  b: Operand;
  /** Number of steps along k, a WGSL expression that is uniform in the workgroup. */
  depth: string;
  /** What that number is known to be a multiple of; 1 where nothing is known. */
  depthMultiple: number;
  /** First row and column of the workgroup's tile. */
  firstRow: string;
  firstColumn: string;
  /** Statements before the tile's rows are read, such as their statistics; may use `thread` and a barrier. */
  prepare?: string;
  /** Statements that write four columns of C from `value`, given `row` and `column`. */
  store: string;
}

/** Workgroup memory that `product` uses, to be declared at module scope. */
export function stagingMemory(tiling: Tiling): string {
  if (!tiling.staged) return '';
  const depth = depthOf(tiling);
  return `
var<workgroup> stagedA: array<vec4f, ${(depth * tileRows(tiling)) / 4}>;
var<workgroup> stagedB: array<vec4f, ${(depth * tileColumns(tiling)) / 4}>;`;
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const each = (n: number, line: (i: number) => string) => range(n).map(line).join('\n');

/** Statements that compute a workgroup's tile of C and store it. */
export function product(tiling: Tiling, one: Product): string {
  const { depth, firstRow, firstColumn, prepare, store } = one;
  const [highs, wides] = [tiling.threadRows / 4, tiling.threadColumns / 4];
  const multiply = each(4, (step) =>
    each(4 * highs, (i) =>
      each(wides, (j) => `c${i}_${j} = fma(vec4f(a${i >> 2}_${step}[${i & 3}]), b${j}_${step}, c${i}_${j});`),
    ),
  );
  return `
let firstRow = ${firstRow};
let firstColumn = ${firstColumn};
let threadRow = ${tiling.threadRows}u * (thread / ${tiling.columns}u);
let threadColumn = ${tiling.threadColumns}u * (thread % ${tiling.columns}u);
let depth = ${depth};
${prepare ?? ''}
${each(4 * highs, (i) => each(wides, (j) => `var c${i}_${j} = vec4f();`))}
${tiling.staged ? stagedLoop(tiling, one, multiply) : directLoop(tiling, one, multiply)}
${each(4 * highs, (i) =>
  each(
    wides,
    (j) => `{
  let row = firstRow + threadRow + ${i}u;
  let column = firstColumn + threadColumn + ${4 * j}u;
  var value = c${i}_${j};
  ${store}
}`,
  ),
)}`;
}

function directLoop(tiling: Tiling, { a, b, depthMultiple }: Product, multiply: string): string {
  const wholeDepth = depthMultiple % 4 === 0;
  const [highs, wides] = [tiling.threadRows / 4, tiling.threadColumns / 4];
  const loads = (guarded: boolean) => {
    return `${a.along?.('k') ?? ''}
${b.along?.('k') ?? ''}
${each(highs, (i) => a.load(`a${i}`, 'k', guarded))}
${each(wides, (j) => b.load(`b${j}`, 'k', guarded))}`;
  };
  return `
${each(highs, (i) => a.open(`a${i}`, `firstRow + threadRow + ${4 * i}u`))}
${each(wides, (j) => b.open(`b${j}`, `firstColumn + threadColumn + ${4 * j}u`))}
let whole = depth & ~3u;
for (var k = 0u; k < whole; k += 4u) {
${loads(false)}
${multiply}
}
${
  wholeDepth
    ? ''
    : `if (whole < depth) {
let k = whole;
${loads(true)}
${multiply}
}`
}`;
}

function stagedLoop(tiling: Tiling, { a, b, depthMultiple }: Product, multiply: string): string {
  const [highs, wides] = [tiling.threadRows / 4, tiling.threadColumns / 4];
  const [rows, columns] = [tileRows(tiling) / 4, tileColumns(tiling) / 4];
  const depth = depthOf(tiling);
  const stage = (guarded: boolean) => `
${a.along?.('ka') ?? ''}
${a.load('s', 'ka', guarded)}
${each(4, (step) => `stagedA[(stepA + ${step}u) * ${rows}u + laneA] = s_${step};`)}
${b.along?.('kb') ?? ''}
${b.load('t', 'kb', guarded)}
${each(4, (step) => `stagedB[(stepB + ${step}u) * ${columns}u + laneB] = t_${step};`)}`;
  return `
let laneA = thread % ${rows}u;
let stepA = 4u * (thread / ${rows}u);
let laneB = thread % ${columns}u;
let stepB = 4u * (thread / ${columns}u);
${a.open('s', 'firstRow + 4u * laneA')}
${b.open('t', 'firstColumn + 4u * laneB')}
for (var first = 0u; first < depth; first += ${depth}u) {
let ka = first + stepA;
let kb = first + stepB;
${depthMultiple % depth === 0 ? stage(false) : `if (first + ${depth}u <= depth) {\n${stage(false)}\n} else {\n${stage(true)}\n}`}
workgroupBarrier();
for (var k = 0u; k < ${depth}u; k += 4u) {
${each(4, (step) =>
  [
    ...range(highs).map((i) => `let a${i}_${step} = stagedA[(k + ${step}u) * ${rows}u + threadRow / 4u + ${i}u];`),
    ...range(wides).map(
      (j) => `let b${j}_${step} = stagedB[(k + ${step}u) * ${columns}u + threadColumn / 4u + ${j}u];`,
    ),
  ].join('\n'),
)}
${multiply}
}
workgroupBarrier();
}`;
}

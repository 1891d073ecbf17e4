import type { Groups, Size } from './launch.ts';
import { ceilDiv, inLine } from './launch.ts';

/** Threads of a workgroup whose work is rows or single vectors. */
export const THREADS = 64;

/**
 * Kernels in which `lanes` threads share a row: many on a graphics card, where neighbours read neighbouring elements;
 * one in an emulation, where handing sums round costs more than it saves.
 */
export function rowGroups(lanes: number): (size: Size) => Groups {
  return ({ count }) => inLine(ceilDiv(count, THREADS / lanes));
}

/** Declares `n` (the packed token, clamped), `alive` (whether it exists), `row` in buffers, and the thread's `lane`. */
export function rowHead(lanes: number): string {
  return `
let place = (group.x + group.y * groups.x) * ${THREADS / lanes}u + thread / ${lanes}u;
let alive = place < run.count;
let n = min(place, run.count - 1u);
let row = run.firstRow + n;
let lane = thread % ${lanes}u;`;
}

/** A loop over a row's vectors; `c` is the first of four columns. */
export function alongRow(lanes: number, columns: string, body: string): string {
  return `for (var c = 4u * lane; c < ${columns}; c += ${4 * lanes}u) {\n${body}\n}`;
}

/** Whether each of the columns c to c + 3 is one, where rows do not end with a whole vector. */
export const inside = (columns: string): string => `vec4u(c) + vec4u(0u, 1u, 2u, 3u) < vec4u(${columns})`;

/** Functions rowSum and rowMax: of a vec2f over the lanes of a row, in a fixed order. All threads must call them. */
export function rowReductions(lanes: number): string {
  const reduction = (name: string, join: (a: string, b: string) => string) => `
fn ${name}(thread: u32, value: vec2f) -> vec2f {
  ${
    lanes === 1
      ? 'return value;'
      : `handed[thread] = value;
  workgroupBarrier();
  for (var span = ${lanes / 2}u; span > 0u; span /= 2u) {
    if (thread % ${lanes}u < span) { handed[thread] = ${join('handed[thread]', 'handed[thread + span]')}; }
    workgroupBarrier();
  }
  let found = handed[thread - thread % ${lanes}u];
  workgroupBarrier();
  return found;`
  }
}`;
  return `${lanes === 1 ? '' : `var<workgroup> handed: array<vec2f, ${THREADS}>;`}
${reduction('rowSum', (a, b) => `${a} + ${b}`)}
${reduction('rowMax', (a, b) => `max(${a}, ${b})`)}`;
}

/** One thread a vector of `columns`: declares `n`, `row` and `c`; ends where there is none. */
export function vectorHead(columns: number): string {
  const vectors = ceilDiv(columns, 4);
  return `
let vector = (group.x + group.y * groups.x) * ${THREADS}u + thread;
let n = vector / ${vectors}u;
if (n >= run.count) { return; }
let row = run.firstRow + n;
let c = 4u * (vector % ${vectors}u);`;
}

export const vectorGroups =
  (columns: number) =>
  ({ count }: Size): Groups =>
    inLine(ceilDiv(count * ceilDiv(columns, 4), THREADS));

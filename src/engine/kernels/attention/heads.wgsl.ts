import type { Matrix } from '../../gpu-kit/launch.ts';

/** How a device takes a block of 64 queries or keys (run-data.ts). */
export interface AttentionShape {
  /** Queries (or keys) that a thread keeps in registers, by the number of vectors in a head; divides BLOCK. */
  own: (vectors: number) => number;
  /** Whether keys and values (queries and gradients on the way back) are read once for the workgroup. */
  staged: boolean;
}

/** A graphics card: one query a thread, keys from workgroup memory. */
export const stagedShape: AttentionShape = { own: () => 1, staged: true };
/** An emulation: four queries a thread, so that each key that is read serves all four; fewer where heads are wide. */
export const emulatedShape: AttentionShape = {
  own: (vectors) => (vectors <= 8 ? 4 : vectors <= 16 ? 2 : 1),
  staged: false,
};

/** Stands for no window: wider than any sequence, and still far from overflow. */
export const OPEN = 2 ** 30;

export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
export const each = (n: number, line: (i: number) => string): string => range(n).map(line).join('\n');

/** Reads and writes of one head's vectors, whatever its width: past its end there are zeros, and nothing is written. */
export class Head {
  /** Vectors of a head. */
  readonly vectors: number;

  constructor(private readonly width: number) {
    this.vectors = Math.ceil(width / 4);
  }

  /** Whether the head must be read element by element. */
  get scalar(): boolean {
    return this.width % 4 !== 0;
  }

  /** The vector `c` of a head that begins at element `at`. */
  load(matrix: Matrix, at: string, c: number | string): string {
    if (!this.scalar) return matrix.load4(`${at} + 4u * ${typeof c === 'number' ? `${c}u` : c}`);
    const element = (i: number) => {
      const read = matrix.load(`${at} + 4u * ${typeof c === 'number' ? `${c}u` : c} + ${i}u`);
      if (typeof c === 'number') return 4 * c + i < this.width ? read : '0.0';
      return `select(0.0, ${read}, 4u * ${c} + ${i}u < ${this.width}u)`;
    };
    return `vec4f(${range(4).map(element).join(', ')})`;
  }

  store(matrix: Matrix, at: string, c: number, value: string): string {
    if (!this.scalar) return matrix.store4(`${at} + ${4 * c}u`, value, '0u');
    return range(4)
      .filter((i) => 4 * c + i < this.width)
      .map((i) => matrix.store(`${at} + ${4 * c + i}u`, `(${value})[${i}]`))
      .join('\n');
  }
}

/** Declares the workgroup's segment: `start`, `length`, `historyStart`, `history`, `first` query or key of the block. */
export const segmentHead = (block: string): string => `
let block = blockOf(${block});
let segment = segmentOf(block.segment);
let first = block.first;
let start = segment.start;
let length_ = segment.length;
let historyStart = segment.historyStart;
let history = segment.history;`;

/** Index of the first key of a query's row of the dropout mask [heads, B, T, T]. */
export const maskStart = (head: string, token: string): string =>
  `(${head} * run.rows * run.columns + u32(batch[run.paddedAt + ${token} - run.firstRow])) * run.columns`;

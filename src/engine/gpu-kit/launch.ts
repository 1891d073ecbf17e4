import type { Buffer } from '../plan/plan.ts';
import { halfFunctions } from './halves.ts';
import { header } from './run-data.ts';
import { Struct, u32 } from './struct.ts';

/** Work of one run that decides how many workgroups a launch has. */
export interface Size {
  /** Packed tokens. */
  count: number;
  segments: number;
  /** Blocks of queries (run-data.ts). */
  blocks: number;
}

export type Arena = 'activation' | 'weight' | 'gradient' | 'first moment' | 'second moment';

/** What a launch binds: one activation, a whole arena, or a table of its own that no kernel writes. */
export type Bound =
  | { kind: 'activation'; buffer: Buffer }
  | { kind: 'arena'; arena: Arena; uses: readonly Buffer[] }
  | { kind: 'table'; type: string; contents: (placeOf: (buffer: Buffer) => number) => ArrayBufferView<ArrayBuffer> };

export type Groups = readonly [x: number, y: number, z: number];

/** One dispatch. Launches with the same code share a pipeline; what differs between layers is bound or a field of `launch`. */
export interface Launch {
  /** Kind of kernel, for the table of times. */
  name: string;
  code: string;
  bindings: Bound[];
  /** Figures of its own, at most WORDS; the shader reads them as the fields of `launch`. */
  words: readonly number[];
  groups: (size: Size) => Groups;
  /** Estimate for slicing; 0 where it does not count. */
  flops: (count: number) => number;
}

/** Rows of activations start at multiples of four elements, so that kernels read them as vectors. */
export const padded = (columns: number): number => Math.ceil(columns / 4) * 4;

/** Bytes of an element on the device. */
export const bytesOf = (buffer: Buffer): number => (buffer.half ? 2 : 4);

/** Elements from one row to the next. */
export const strideOf = (buffer: Buffer): number =>
  buffer.place.kind === 'activation' ? padded(buffer.columns) : buffer.columns;

/** Most workgroups in one dimension that every device has. */
const MOST_GROUPS = 65535;

/** Enough workgroups for `count` in a line; kernels find theirs by `workgroupIndex`. */
export function inLine(count: number): Groups {
  const x = Math.min(Math.max(1, count), MOST_GROUPS);
  return [x, Math.ceil(count / x) || 1, 1];
}

export const ceilDiv = (a: number, b: number): number => Math.ceil(a / b);

/**
 * Builds one launch: hands out names for what is bound and for words, and puts the shader's declarations before its
 * body. Declare every matrix before writing code: whether an arena can be read as vectors depends on all of them.
 */
export class LaunchBuilder {
  private readonly bindings: Bound[] = [];
  private readonly matrices: Matrix[] = [];
  private readonly scalar = new Set<number>();
  private readonly structs = new Set<string>();
  private readonly words = new Map<string, number>();

  /** @param sizesInCode whether sizes are constants of the code (`size`) */
  constructor(private readonly sizesInCode = true) {}

  /** A u32 that differs between launches of the same code: a field of `launch`. */
  word(name: string, value: number): string {
    const field = `${name}${this.words.size}`;
    this.words.set(field, value);
    return `launch.${field}`;
  }

  /**
   * A u32 that is a size of the model. As a constant of the code it lets a card's compiler do its best; as a word it lets
   * launches of all sizes share a pipeline, which matters more where compiling takes a second.
   */
  size(name: string, value: number): string {
    return this.sizesInCode ? `${value}u` : this.word(name, value);
  }

  /** @param scalar to read it element by element where vectors would be no use */
  matrix(buffer: Buffer, { scalar = false }: { scalar?: boolean } = {}): Matrix {
    const binding = this.bind(buffer);
    if (scalar) this.scalar.add(binding);
    const matrix = new Matrix(this, buffer, binding);
    this.matrices.push(matrix);
    return matrix;
  }

  /** The whole arena, as vectors where all `uses` allow it. */
  arena(arena: Arena, uses: readonly Buffer[], scalar = false): { name: string; vector: boolean } {
    const binding = this.bindings.push({ kind: 'arena', arena, uses }) - 1;
    if (scalar || (arena !== 'activation' && !uses.every(aligned))) this.scalar.add(binding);
    return { name: `b${binding}`, vector: this.vector(binding) };
  }

  /** An array of floats that is written once. */
  table(contents: () => Float32Array<ArrayBuffer>): string {
    return `b${this.bindings.push({ kind: 'table', type: 'f32', contents }) - 1}`;
  }

  /** An array of records that is written once for a capacity. */
  records<F extends string>(
    struct: Struct<F>,
    contents: (placeOf: (buffer: Buffer) => number) => readonly Record<F, number>[],
  ): string {
    this.structs.add(struct.declaration);
    const packed = (placeOf: (buffer: Buffer) => number) => struct.pack(contents(placeOf));
    return `b${this.bindings.push({ kind: 'table', type: struct.name, contents: packed }) - 1}`;
  }

  /** Whether the binding is an array of vectors. */
  vector(binding: number): boolean {
    if (this.scalar.has(binding)) return false;
    return this.matrices.every((matrix) => matrix.binding !== binding || aligned(matrix.buffer));
  }

  /** @param threads size of a workgroup, or a phrase for @workgroup_size */
  finish(
    launch: Pick<Launch, 'name' | 'groups'> & {
      flops?: Launch['flops'];
      /** Before the declarations: `enable subgroups;` */
      enable?: string;
      functions?: string;
      threads: number;
      body: string;
    },
  ): Launch {
    const halves = this.bindings.map(holdsHalves);
    const declared = this.bindings.map((bound, i) => {
      const access = bound.kind === 'table' ? 'read' : 'read_write';
      const numbers = halves[i] ? 'vec2u' : this.vector(i) ? 'vec4f' : 'f32';
      const type = bound.kind === 'table' ? bound.type : numbers;
      return `@group(0) @binding(${i + 3}) var<storage, ${access}> b${i}: array<${type}>;`;
    });
    if (this.words.size > 0) {
      const figures = new Struct('Launch', u32(...this.words.keys()));
      this.structs.add(`${figures.declaration}\n@group(0) @binding(2) var<uniform> launch: Launch;`);
    }
    const code = `${launch.enable ?? ''}
${header}
${[...this.structs].join('\n')}
${declared.join('\n')}
${halves.includes(true) ? halfFunctions : ''}
${launch.functions ?? ''}
@compute @workgroup_size(${launch.threads})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
${launch.body}
}`;
    const { bindings } = this;
    const words = [...this.words.values()];
    return { name: launch.name, code, bindings, words, groups: launch.groups, flops: launch.flops ?? (() => 0) };
  }

  private bind(buffer: Buffer): number {
    const { kind } = buffer.place;
    const same = this.bindings.findIndex((bound) =>
      kind === 'activation'
        ? bound.kind === 'activation' && bound.buffer.id === buffer.id
        : bound.kind === 'arena' && bound.arena === kind,
    );
    if (same >= 0) return same;
    if (kind === 'activation') return this.bindings.push({ kind, buffer }) - 1;
    return this.bindings.push({ kind: 'arena', arena: kind, uses: [buffer] }) - 1;
  }
}

/** Whether a binding's elements are halves; an arena's, whether any of those that are used are. */
const holdsHalves = (bound: Bound): boolean =>
  bound.kind === 'activation' ? !!bound.buffer.half : bound.kind === 'arena' && bound.uses.some(({ half }) => half);

const aligned = (buffer: Buffer): boolean =>
  buffer.place.kind === 'activation' || (buffer.place.offset % 4 === 0 && buffer.columns % 4 === 0);

/**
 * A buffer in WGSL: expressions that read and statements that write it. Indices are WGSL expressions of u32. Whether its
 * elements are 32 bits wide or 16, what is read and written is f32.
 */
export class Matrix {
  private readonly offset: string | null;
  /** Elements from row to row, an expression. */
  readonly stride: string;

  constructor(
    private readonly builder: LaunchBuilder,
    readonly buffer: Buffer,
    readonly binding: number,
  ) {
    const { place } = buffer;
    this.offset = place.kind === 'activation' ? null : builder.word('offset', place.offset);
    this.stride = builder.size('stride', strideOf(buffer));
  }

  get name(): string {
    return `b${this.binding}`;
  }

  get vector(): boolean {
    return this.builder.vector(this.binding);
  }

  /** Index of the first element of a row. */
  row(row: string): string {
    if (row === '0u') return this.offset ?? '0u';
    return this.offset === null ? `(${row}) * ${this.stride}` : `${this.offset} + (${row}) * ${this.stride}`;
  }

  /** Four elements from an element index that is a multiple of four from the row's start. */
  load4(index: string): string {
    if (this.vector) return this.vectorAt(index);
    return `vec4f(${[0, 1, 2, 3].map((i) => this.load(`${index} + ${i}u`)).join(', ')})`;
  }

  load(index: string): string {
    if (this.buffer.half) return `${this.vectorAt(index)}[(${index}) % 4u]`;
    return this.vector ? `${this.name}[(${index}) / 4u][(${index}) % 4u]` : `${this.name}[${index}]`;
  }

  /**
   * Writes four elements of a row, those past its end left alone where they are somebody's.
   * @param column of the first of them
   */
  store4(index: string, value: string, column: string): string {
    const { columns, half } = this.buffer;
    if (this.vector) return `${this.name}[(${index}) / 4u] = ${half ? `packed(${value})` : value};`;
    return [0, 1, 2, 3]
      .map((i) => {
        const write = this.store(`${index} + ${i}u`, `(${value})[${i}]`);
        return columns % 4 === 0 ? write : `if (${column} + ${i}u < ${columns}u) { ${write} }`;
      })
      .join('\n');
  }

  /** Writes one element of a buffer that is read element by element; never of halves, two of which share a word. */
  store(index: string, value: string): string {
    if (this.vector || this.buffer.half) throw new Error(`${this.buffer.name} is not written element by element`);
    return `${this.name}[${index}] = ${value};`;
  }

  private vectorAt(index: string): string {
    const vector = `${this.name}[(${index}) / 4u]`;
    return this.buffer.half ? `unpacked(${vector})` : vector;
  }
}

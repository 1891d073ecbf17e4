import { layOut } from '../../plan/layout.ts';
import type { CallContext } from '../../plan/kernel-device.ts';
import type { Buffer, Call } from '../../plan/plan.ts';
import type { WasmRuntime } from './wasm-runtime.ts';
import { encodeProgram, workspaceOf } from './program.ts';

export interface InstanceOptions {
  calls: readonly Call[];
  /** Most tokens (rows). */
  capacity: number;
  /** Most keys of a segment. */
  context: number;
  /** Buffers whose rows must survive from run to run. */
  persistent: readonly Buffer[];
  /** Byte addresses of the flat arenas. */
  arenas: Partial<Record<Exclude<Buffer['place']['kind'], 'activation'>, number>>;
}

/** A plan in memory: its activations, its program, its tables. Released as one. */
export class Instance {
  readonly capacity: number;
  private readonly regions: number[] = [];
  private readonly program: number;
  private readonly length: number;
  private readonly addressOf: (buffer: Buffer) => number;

  constructor(
    private readonly runtime: WasmRuntime,
    { calls, capacity, context, persistent, arenas }: InstanceOptions,
  ) {
    this.capacity = capacity;
    this.length = calls.length;
    const { offsets, length } = layOut(calls, capacity, persistent, 16);
    runtime.provide(workspaceOf(calls, capacity, context));
    const base = this.allocate(4 * length);
    this.addressOf = ({ id, place, name }) => {
      if (place.kind === 'activation') {
        const offset = offsets.get(id);
        if (offset === undefined) throw new Error(`the plan has no place for ${name}`);
        return base + 4 * offset;
      }
      const arena = arenas[place.kind];
      if (arena === undefined) throw new Error(`no arena for ${place.kind}`);
      return arena + 4 * place.offset;
    };
    const constant = (table: Int32Array | Float32Array) => {
      const address = this.allocate(table.byteLength);
      if (table instanceof Int32Array) runtime.ints(address, table.length).set(table);
      else runtime.floats(address, table.length).set(table);
      return address;
    };
    const words = encodeProgram(calls, { addressOf: this.addressOf, constant, context });
    this.program = this.allocate(words.byteLength);
    runtime.ints(this.program, words.length).set(words);
  }

  run(context: CallContext): void {
    this.runtime.run(this.program, this.length, context);
  }

  /** Rows [first, first + rows) of a buffer; a view that the next growth of memory ends. */
  rows(buffer: Buffer, first: number, rows: number): Float32Array {
    return this.runtime.floats(this.addressOf(buffer) + 4 * first * buffer.columns, rows * buffer.columns);
  }

  release(): void {
    for (const region of this.regions) this.runtime.release(region);
    this.regions.length = 0;
  }

  private allocate(bytes: number): number {
    const address = this.runtime.allocate(bytes);
    this.regions.push(address);
    return address;
  }
}

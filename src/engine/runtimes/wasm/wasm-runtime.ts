import type { CallContext } from '../../plan/kernel-device.ts';
import type { KernelTime } from '../../engine.ts';
import { seedHash } from '../../plan/dropout-mask.ts';
import { Heap, outOfMemory } from './heap.ts';
import { sleeper, type ThreadStart, type WasmHost } from './host.ts';
import { BLOCK, INSTRUCTION_WORDS, runtimeBlock } from '../../wasm-kit/tables.ts';
import { operations, type Workspace } from './program.ts';

/** Where what is allocated begins. */
const HEAP_START = 65536;
const PAGE = 65536;
/** Most memory to ask for, in pages: 4 GB, or what a browser grants. */
const LIMITS = [65536, 32768, 16384, 8192];

/** In the order in which they lie in memory; segments, the only one with a length of its own, are last. */
const batchArrays = ['tokens', 'positions', 'slots', 'targets', 'padded', 'segments'] as const;
type BatchArray = (typeof batchArrays)[number];

const kernels = {
  plain: new URL('./built/plain.wasm', import.meta.url),
  'plain-shared': new URL('./built/plain-shared.wasm', import.meta.url),
  relaxed: new URL('./built/relaxed.wasm', import.meta.url),
  'relaxed-shared': new URL('./built/relaxed-shared.wasm', import.meta.url),
};

/** The kernels with their memory and threads: allocates, writes, runs programs. */
export class WasmRuntime {
  readonly heap: Heap;
  /** What is not freed by anybody is freed with the runtime: Workspace regions grow, never shrink. */
  private workspace: Workspace & { at: Record<keyof Workspace, number> } = {
    shared: 0,
    scratch: 0,
    partials: 0,
    at: { shared: 0, scratch: 0, partials: 0 },
  };
  private batchTokens = 0;
  private batchSegments = 0;
  private batchAt = 0;
  private validWords = 0;
  private validAt = 0;
  private readonly times = new Map<number, { milliseconds: number; calls: number }>();
  private last = 0;

  private constructor(
    private readonly memory: WebAssembly.Memory,
    private readonly start: (thread: number) => void,
    private readonly others: { terminate(): void }[],
    /** Whether multiply and add are fused. */
    readonly relaxed: boolean,
    private readonly clock: () => number,
    limit: number,
    finished: { call: (operation: number) => void },
  ) {
    this.heap = new Heap(HEAP_START, limit * PAGE);
    finished.call = (operation) => this.finished(operation);
  }

  /** @throws where the browser has no WebAssembly SIMD or no memory to give */
  static async create(host: WasmHost): Promise<WasmRuntime> {
    const wanted = Math.max(1, Math.floor(host.threads));
    const shared = wanted > 1;
    const { module, relaxed } = await compile(host, shared);
    const { memory, limit } = memoryFor(shared);
    // The instance needs its imports before the runtime that answers them exists.
    const finished = { call: (_operation: number) => {} };
    const env = {
      memory,
      log: Math.log,
      sleep: sleeper(memory),
      finished: (operation: number) => finished.call(operation),
    };
    const instance = await WebAssembly.instantiate(module, { env });
    const starts: ThreadStart[] = Array.from({ length: wanted - 1 }, (_, i) => ({ module, memory, thread: i + 1 }));
    const others = await Promise.all(starts.map((start) => host.startThread(start)));
    const run = instance.exports.run as (thread: number) => void;
    return new WasmRuntime(memory, run, others, relaxed, () => host.clock(), limit, finished);
  }

  get threads(): number {
    return this.others.length + 1;
  }

  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /**
   * A region of that many bytes, its memory there; contents are whatever was there before.
   * @throws InputError where there is no such memory
   */
  allocate(bytes: number): number {
    const address = this.heap.allocate(bytes);
    const missing = Math.ceil((this.heap.top - this.memory.buffer.byteLength) / PAGE);
    try {
      if (missing > 0) this.memory.grow(missing);
    } catch (error) {
      // The system may have less to give than WebAssembly could address.
      this.heap.release(address);
      if (error instanceof RangeError) throw outOfMemory(missing * PAGE, this.memory.buffer.byteLength);
      throw error;
    }
    return address;
  }

  release(address: number): void {
    this.heap.release(address);
  }

  /** Views die when memory grows: make them, use them, forget them. */
  floats(address: number, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, address, length);
  }

  ints(address: number, length: number): Int32Array {
    return new Int32Array(this.memory.buffer, address, length);
  }

  /** Makes the kernels' workspace at least this large. */
  provide(space: Workspace): void {
    for (const kind of ['shared', 'scratch', 'partials'] as const) {
      if (space[kind] <= this.workspace[kind]) continue;
      if (this.workspace.at[kind]) this.release(this.workspace.at[kind]);
      this.workspace[kind] = Math.ceil(space[kind] / 64) * 64;
      this.workspace.at[kind] = this.allocate(this.workspaceBytes(kind));
    }
  }

  /** Fills the workspace with NaN: a kernel that reads what it did not write then answers NaN. For tests of kernels. */
  spoilWorkspace(): void {
    for (const kind of ['shared', 'scratch', 'partials'] as const)
      this.floats(this.workspace.at[kind], this.workspaceBytes(kind) / 4).fill(NaN);
  }

  private workspaceBytes(kind: keyof Workspace): number {
    return this.workspace[kind] * (kind === 'scratch' ? this.threads : 1);
  }

  /** Runs a program of `length` instructions to its end, on all threads. */
  run(program: number, length: number, context: CallContext): void {
    this.writeBlock(program, context);
    const words = this.ints(program, length * INSTRUCTION_WORDS);
    for (let at = 0; at < words.length; at += INSTRUCTION_WORDS) words.fill(0, at + 1, at + 4);
    const block = this.ints(BLOCK, 1);
    this.last = this.clock();
    if (this.others.length > 0) {
      Atomics.add(block, 0, 1);
      Atomics.notify(block, 0);
    }
    this.start(0);
  }

  /** Times by kernel since the last call, longest first. */
  kernelTimes(): KernelTime[] {
    const list = [...this.times].map(([operation, time]) => ({ name: operations[operation], ...time }));
    this.times.clear();
    return list.sort((a, b) => b.milliseconds - a.milliseconds);
  }

  dispose(): void {
    for (const thread of this.others) thread.terminate();
  }

  private finished(operation: number): void {
    const now = this.clock();
    let time = this.times.get(operation);
    if (!time) this.times.set(operation, (time = { milliseconds: 0, calls: 0 }));
    time.milliseconds += now - this.last;
    time.calls++;
    this.last = now;
  }

  private writeBlock(program: number, { batch, optimizer, step, seed }: CallContext): void {
    const { muon } = optimizer;
    const values: Record<Exclude<keyof typeof runtimeBlock, 'wake' | 'arrived' | 'generation'>, number> = {
      ...this.writeBatch(batch),
      ...{ threads: this.threads, program, firstRow: batch.firstRow, count: batch.count },
      ...{ segmentCount: batch.segments.length / 4, batchRows: batch.rows, batchColumns: batch.columns },
      ...{ targetCount: batch.targetCount, validSets: this.writeValid(batch.valid) },
      ...{ validWeight: batch.validWeight, seedHash: seedHash(seed) },
      ...{ ...this.workspace.at, scratchBytes: this.workspace.scratch },
      ...{ learningRate: optimizer.learningRate, beta1: optimizer.beta1, beta2: optimizer.beta2 },
      ...{ epsilon: optimizer.epsilon, weightDecay: optimizer.weightDecay, clipNorm: optimizer.clipNorm },
      ...{ muonRate: muon?.learningRate ?? 0, momentum: muon?.momentum ?? 0, muonDecay: muon?.weightDecay ?? 0 },
      ...{ correction1: 1 - optimizer.beta1 ** step, correction2: 1 - optimizer.beta2 ** step },
    };
    // Made anew, since the old one dies when memory grows.
    const block = new DataView(this.memory.buffer, BLOCK);
    const fields = Object.keys(runtimeBlock) as (keyof typeof runtimeBlock)[];
    fields.forEach((field, word) => {
      if (field === 'wake' || field === 'arrived' || field === 'generation') return;
      if (runtimeBlock[field] === 'real') block.setFloat32(4 * word, values[field], true);
      else block.setInt32(4 * word, values[field], true);
    });
  }

  /** Addresses of the batch's arrays. */
  private writeBatch(batch: CallContext['batch']): Record<BatchArray, number> {
    const segments = batch.segments.length;
    if (batch.count > this.batchTokens || segments > this.batchSegments) {
      if (this.batchAt) this.release(this.batchAt);
      this.batchTokens = Math.max(this.batchTokens, Math.ceil(batch.count * 1.25));
      this.batchSegments = Math.max(this.batchSegments, Math.ceil(segments * 1.25));
      this.batchAt = this.allocate(4 * (5 * this.batchTokens + this.batchSegments));
    }
    const addresses = batchArrays.map((name, i) => {
      const address = this.batchAt + 4 * this.batchTokens * i;
      this.ints(address, batch[name].length).set(batch[name]);
      return [name, address];
    });
    return Object.fromEntries(addresses) as Record<BatchArray, number>;
  }

  /** The batch's sets of valid tokens, where it has them; their address, or 0. */
  private writeValid(valid: Int32Array | null): number {
    if (valid === null) return 0;
    if (valid.length > this.validWords) {
      if (this.validAt) this.release(this.validAt);
      this.validWords = Math.ceil(valid.length * 1.25);
      this.validAt = this.allocate(4 * this.validWords);
    }
    this.ints(this.validAt, valid.length).set(valid);
    return this.validAt;
  }
}

async function compile(host: WasmHost, shared: boolean): Promise<{ module: WebAssembly.Module; relaxed: boolean }> {
  const suffix = shared ? '-shared' : '';
  try {
    const module = await WebAssembly.compile(await host.load(kernels[`relaxed${suffix}` as keyof typeof kernels]));
    return { module, relaxed: true };
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    // Relaxed SIMD is young: without it the same kernels round twice.
    return {
      module: await WebAssembly.compile(await host.load(kernels[`plain${suffix}` as keyof typeof kernels])),
      relaxed: false,
    };
  }
}

function memoryFor(shared: boolean): { memory: WebAssembly.Memory; limit: number } {
  for (const limit of LIMITS)
    try {
      return { memory: new WebAssembly.Memory({ initial: 4, maximum: limit, shared }), limit };
    } catch (error) {
      if (!(error instanceof RangeError) || limit === LIMITS.at(-1)) throw error;
    }
  throw new Error('unreachable');
}

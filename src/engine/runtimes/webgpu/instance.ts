import { layOut, type Layout } from '../../plan/layout.ts';
import type { Buffer, Call } from '../../plan/plan.ts';
import { bytesOf, padded, type Arena, type Bound, type Launch, type Size } from '../../gpu-kit/launch.ts';
import type { Memory } from './memory.ts';
import type { Pipelines } from './pipelines.ts';
import { batchLength, Run, runData, WORDS, type RunData, type TableRows } from '../../gpu-kit/run-data.ts';
import type { CallContext } from '../../plan/kernel-device.ts';

/** Elements between which bindings may begin: 256 bytes. */
const ALIGNMENT = 64;
const WORD_SLOT = 256;

export interface InstanceOptions {
  launches: readonly Launch[];
  /** Rows of the buffers of `tokens` rows. */
  capacity: number;
  /** Activations that outlive a run. */
  persistent: readonly Buffer[];
  /** Arenas that are bound, but that of activations, which is the instance's own. */
  arenas: Partial<Record<Exclude<Arena, 'activation'>, GPUBuffer>>;
  /** Where embedding gradients are among the launches. */
  tables: TableRows | null;
  /** Words of a set of valid tokens, where batches may have them. */
  validWords?: number;
}

/** Launches laid out for a capacity: every buffer and bind group they need. Pipelines must be compiled before it runs. */
export class Instance {
  readonly capacity: number;
  readonly launches: readonly Launch[];
  private readonly owned: GPUBuffer[] = [];
  private readonly activations: GPUBuffer;
  private readonly run: GPUBuffer;
  private readonly batch: GPUBuffer;
  private readonly offsets: Map<number, number>;
  private readonly groups: { pipeline: GPUComputePipeline; bindings: GPUBindGroup }[];

  constructor(
    private readonly device: GPUDevice,
    private readonly memory: Memory,
    pipelines: Pipelines,
    private readonly options: InstanceOptions,
  ) {
    const { launches, capacity, persistent, tables, validWords = 0 } = options;
    this.capacity = capacity;
    this.launches = launches;
    const { offsets, length } = layOutLaunches(launches, capacity, persistent);
    this.offsets = offsets;
    this.activations = this.own(memory.storage('activations', 4 * Math.max(length, ALIGNMENT)));
    this.run = this.own(memory.uniform('run', Run.bytes));
    const rows = tables ?? { vocabulary: 0, positions: 0, slots: 0 };
    this.batch = this.own(memory.storage('batch', 4 * batchLength(capacity, rows, validWords)));
    const words = this.own(memory.uniform('words', WORD_SLOT * launches.length));
    const written = new Uint32Array((WORD_SLOT / 4) * launches.length);
    launches.forEach((launch, i) => written.set(launch.words, (WORD_SLOT / 4) * i));
    device.queue.writeBuffer(words, 0, written);
    this.groups = launches.map((launch, i) => ({
      pipeline: pipelines.pipelineOf(launch),
      bindings: device.createBindGroup({
        label: launch.name,
        layout: pipelines.layoutOf(launch),
        entries: [
          { buffer: this.run },
          { buffer: this.batch },
          { buffer: words, offset: WORD_SLOT * i, size: 4 * WORDS },
          ...launch.bindings.map((bound) => this.resource(bound)),
        ].map((resource, binding) => ({ binding, resource })),
      }),
    }));
  }

  /** Sends a run's data up; launches encoded and submitted after it see it. */
  upload(context: CallContext): RunData {
    const data = runData(context, this.options.tables);
    this.device.queue.writeBuffer(this.run, 0, data.run);
    this.device.queue.writeBuffer(this.batch, 0, data.batch);
    return data;
  }

  /** Encodes launches [first, last). */
  encode(pass: GPUComputePassEncoder, size: Size, first = 0, last = this.groups.length): void {
    for (let i = first; i < last; i++) {
      const { pipeline, bindings } = this.groups[i];
      const [x, y, z] = this.launches[i].groups(size);
      if (x * y * z === 0) continue;
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindings);
      pass.dispatchWorkgroups(x, y, z);
    }
  }

  /** Where an activation lies. */
  place(buffer: Buffer): { buffer: GPUBuffer; offset: number; stride: number } {
    const offset = this.offsets.get(buffer.id);
    if (offset === undefined) throw new Error(`${buffer.name} is in no launch`);
    return { buffer: this.activations, offset: 4 * offset, stride: bytesOf(buffer) * padded(buffer.columns) };
  }

  release(): void {
    for (const buffer of this.owned) this.memory.release(buffer);
    this.owned.length = 0;
  }

  private own(buffer: GPUBuffer): GPUBuffer {
    this.owned.push(buffer);
    return buffer;
  }

  private resource(bound: Bound): GPUBufferBinding {
    if (bound.kind === 'activation') {
      const { buffer, offset, stride } = this.place(bound.buffer);
      const rows = bound.buffer.rows === 'tokens' ? this.capacity : bound.buffer.rows;
      return { buffer, offset, size: rows * stride };
    }
    if (bound.kind === 'arena') {
      const buffer = bound.arena === 'activation' ? this.activations : this.options.arenas[bound.arena];
      if (!buffer) throw new Error(`there is no arena of ${bound.arena}s`);
      return { buffer };
    }
    const contents = bound.contents((buffer) => this.place(buffer).offset / 4);
    const buffer = this.own(this.memory.storage('table', contents.byteLength));
    this.device.queue.writeBuffer(buffer, 0, contents);
    return { buffer };
  }
}

/** Where the activations of launches begin, and the length of all, in words of four bytes. */
export const layOutLaunches = (launches: readonly Launch[], capacity: number, persistent: readonly Buffer[]): Layout =>
  layOut(launches.map(asCall), capacity, persistent.map(widened), ALIGNMENT);

/** As wide as it lies in memory, in words of four bytes. */
const widened = (buffer: Buffer): Buffer => ({ ...buffer, columns: (padded(buffer.columns) * bytesOf(buffer)) / 4 });

/** A launch as the plan's layout reads calls: by their buffers. */
function asCall({ bindings }: Launch): Call {
  const buffers = bindings.flatMap((bound) =>
    bound.kind === 'activation' ? [bound.buffer] : bound.kind === 'arena' ? [...bound.uses] : [],
  );
  const fields = Object.fromEntries(buffers.map((buffer, i) => [`buffer ${i}`, widened(buffer)]));
  return { kernel: 'dropout', ...fields } as unknown as Call;
}

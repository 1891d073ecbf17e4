import type { KernelTime } from '../../engine.ts';
import type { Graphics } from './graphics.ts';
import type { Launch, Size } from '../../gpu-kit/launch.ts';
import { readMapped } from './read-back.ts';
import type { Instance } from './instance.ts';

/** Every so many steps one is measured, kernel by kernel; a pass for each costs too much to do it always. */
const EVERY = 16;
const NANOSECONDS = 1e6;

/** Times of kernels by timestamp queries, from sampled steps. Only where the device has them. */
export class Timing {
  private readonly times = new Map<string, KernelTime>();
  private readonly queries: GPUQuerySet;
  private readonly resolved: GPUBuffer;
  private readonly copy: GPUBuffer;
  private busy = false;
  private steps = 0;
  /** Milliseconds that the last measured step took on the device. */
  lastStep: number | null = null;

  private constructor(
    private readonly graphics: Graphics,
    private readonly launches: readonly Launch[],
  ) {
    const { device, memory } = graphics;
    const count = 2 * launches.length;
    this.queries = device.createQuerySet({ type: 'timestamp', count });
    this.resolved = memory.timestamps(8 * count);
    this.copy = memory.readable('timestamps', 8 * count);
  }

  static of(graphics: Graphics, launches: readonly Launch[]): Timing | null {
    return graphics.device.features.has('timestamp-query') ? new Timing(graphics, launches) : null;
  }

  /** Whether the step that begins now is to be measured; the first ones are not, they warm up. */
  due(): boolean {
    return !this.busy && this.steps++ % EVERY === 2;
  }

  /** Encodes launches [first, last) in passes of their own. */
  encode(encoder: GPUCommandEncoder, instance: Instance, size: Size, first: number, last: number): void {
    const { queries: querySet } = this;
    for (let i = first; i < last; i++) {
      const timestampWrites = { querySet, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 };
      const pass = encoder.beginComputePass({ timestampWrites });
      instance.encode(pass, size, i, i + 1);
      pass.end();
    }
  }

  /** To be encoded after the last launch. */
  finish(encoder: GPUCommandEncoder): void {
    encoder.resolveQuerySet(this.queries, 0, 2 * this.launches.length, this.resolved, 0);
    encoder.copyBufferToBuffer(this.resolved, 0, this.copy, 0, this.copy.size);
    this.busy = true;
  }

  /** To be called once the step is submitted. */
  async collect(): Promise<void> {
    try {
      const stamps = new BigUint64Array(await readMapped(this.graphics, this.copy));
      let all = 0;
      this.launches.forEach(({ name }, i) => {
        const milliseconds = Math.max(0, Number(stamps[2 * i + 1] - stamps[2 * i]) / NANOSECONDS);
        const time = this.times.get(name) ?? { name, milliseconds: 0, calls: 0 };
        this.times.set(name, { name, milliseconds: time.milliseconds + milliseconds, calls: time.calls + 1 });
        all += milliseconds;
      });
      this.lastStep = all;
      this.busy = false;
    } catch {
      // Lost or disposed: whoever waits for the step hears of it.
    }
  }

  /** Times since the last call, longest first. */
  read(): KernelTime[] {
    const list = [...this.times.values()].sort((a, b) => b.milliseconds - a.milliseconds);
    this.times.clear();
    return list;
  }

  release(): void {
    this.queries.destroy();
    this.graphics.memory.release(this.resolved);
    this.graphics.memory.release(this.copy);
  }
}

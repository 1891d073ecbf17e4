import type { Graphics } from './graphics.ts';

/** How long a loss may lag behind the read that failed of it. */
const GRACE_MILLISECONDS = 100;

/** Bytes of a mapped buffer, a copy. @throws a DeviceLostError where the device is lost. */
export async function readMapped(graphics: Graphics, buffer: GPUBuffer, bytes = buffer.size): Promise<ArrayBuffer> {
  try {
    await buffer.mapAsync(GPUMapMode.READ, 0, bytes);
  } catch (error) {
    const patience = new Promise((resolve) => setTimeout(resolve, GRACE_MILLISECONDS));
    await Promise.race([graphics.lost, patience]);
    throw error;
  }
  const copy = buffer.getMappedRange(0, bytes).slice(0);
  buffer.unmap();
  return copy;
}

/** Reads ranges of device memory once: encodes the copies, submits, waits. */
export async function readOnce(
  graphics: Graphics,
  parts: readonly { buffer: GPUBuffer; offset: number; bytes: number }[],
  before?: (encoder: GPUCommandEncoder) => void,
): Promise<ArrayBuffer[]> {
  const { device, memory } = graphics;
  const encoder = device.createCommandEncoder();
  before?.(encoder);
  const copies = parts.map(({ buffer, offset, bytes }) => {
    const to = memory.readable('read-back', bytes);
    encoder.copyBufferToBuffer(buffer, offset, to, 0, bytes);
    return { to, bytes };
  });
  device.queue.submit([encoder.finish()]);
  try {
    return await Promise.all(copies.map(({ to, bytes }) => readMapped(graphics, to, bytes)));
  } finally {
    for (const { to } of copies) memory.release(to);
  }
}

/** Buffers that are mapped in turn, so that a step can begin while reports of earlier ones are still on their way. */
export class ReadRing {
  private readonly free: GPUBuffer[];
  private readonly all: GPUBuffer[];
  private readonly waiting: ((buffer: GPUBuffer) => void)[] = [];

  constructor(
    private readonly graphics: Graphics,
    slots: number,
    private readonly bytes: number,
  ) {
    this.all = Array.from({ length: slots }, () => graphics.memory.readable('report', bytes));
    this.free = [...this.all];
  }

  /** The next buffer to copy into, as soon as there is one. */
  take(): GPUBuffer | Promise<GPUBuffer> {
    return this.free.shift() ?? new Promise((resolve) => this.waiting.push(resolve));
  }

  /** What was copied into a buffer that was taken; the buffer is free again afterwards. */
  async read(buffer: GPUBuffer): Promise<ArrayBuffer> {
    try {
      return await readMapped(this.graphics, buffer, this.bytes);
    } finally {
      const next = this.waiting.shift();
      if (next) next(buffer);
      else this.free.push(buffer);
    }
  }

  release(): void {
    for (const buffer of this.all) this.graphics.memory.release(buffer);
  }
}

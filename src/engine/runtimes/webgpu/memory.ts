/** Buffers of one device, counted: what `Engine.memory` tells. */
export class Memory {
  private readonly live = new Set<GPUBuffer>();

  constructor(private readonly device: GPUDevice) {}

  get buffers(): number {
    return this.live.size;
  }

  get bytes(): number {
    let bytes = 0;
    for (const { size } of this.live) bytes += size;
    return bytes;
  }

  /** Zeroed memory. @throws a RangeError where the device cannot hold that much in one piece */
  storage(label: string, bytes: number, usage = 0): GPUBuffer {
    const { maxBufferSize, maxStorageBufferBindingSize } = this.device.limits;
    const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    if (bytes > most)
      throw new RangeError(
        `the ${label} need ${megabytes(bytes)} in one piece and this graphics device holds at most ${megabytes(most)}: ` +
          'take smaller batches or a smaller model',
      );
    return this.make(label, bytes, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST | usage);
  }

  uniform(label: string, bytes: number): GPUBuffer {
    return this.make(label, bytes, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
  }

  /** A buffer that the CPU reads. */
  readable(label: string, bytes: number): GPUBuffer {
    return this.make(label, bytes, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
  }

  timestamps(bytes: number): GPUBuffer {
    return this.make('timestamps', bytes, GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC);
  }

  release(buffer: GPUBuffer): void {
    this.live.delete(buffer);
    buffer.destroy();
  }

  private make(label: string, bytes: number, usage: number): GPUBuffer {
    const buffer = this.device.createBuffer({ label, size: Math.max(16, Math.ceil(bytes / 16) * 16), usage });
    this.live.add(buffer);
    return buffer;
  }
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;

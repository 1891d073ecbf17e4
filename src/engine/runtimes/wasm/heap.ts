import { fail, InputError } from '../../../base/result.ts';

/** That WebAssembly has no more memory to give, and what to do about it; `bytes` are missing, of `most`. */
export function outOfMemory(bytes: number, most: number): InputError {
  return new InputError(
    fail(
      'model-too-large',
      `This model and its batches need ${Math.ceil(bytes / 1e6).toLocaleString('en-GB')} MB more memory than WebAssembly has left, which gives ${(most / 1e9).toFixed(1)} GB at most. Choose a smaller batch, a shorter context or a smaller model, or train on WebGPU.`,
    ).error,
  );
}

/** A first-fit allocator over [start, limit), in bytes: what lives where in the kernels' memory. */
export class Heap {
  /** Free ranges, ascending, no two adjacent. */
  private free: { start: number; end: number }[];
  private readonly sizes = new Map<number, number>();

  constructor(
    start: number,
    private readonly limit: number,
  ) {
    this.free = [{ start, end: limit }];
  }

  /** Bytes up to the end of the highest allocation. */
  get top(): number {
    let top = 0;
    for (const [start, size] of this.sizes) top = Math.max(top, start + size);
    return top;
  }

  get allocations(): number {
    return this.sizes.size;
  }

  /** @returns an address that is a multiple of 64. @throws InputError where nothing large enough is free. */
  allocate(bytes: number): number {
    const size = Math.max(64, Math.ceil(bytes / 64) * 64);
    const range = this.free.find(({ start, end }) => end - start >= size);
    if (!range) throw outOfMemory(size, this.limit);
    const { start } = range;
    range.start += size;
    if (range.start === range.end) this.free.splice(this.free.indexOf(range), 1);
    this.sizes.set(start, size);
    return start;
  }

  release(start: number): void {
    const size = this.sizes.get(start);
    if (size === undefined) throw new Error(`nothing was allocated at ${start}`);
    this.sizes.delete(start);
    const end = start + size;
    const at = this.free.findIndex((range) => range.start > start);
    this.free.splice(at < 0 ? this.free.length : at, 0, { start, end });
    this.free = this.free.reduce<{ start: number; end: number }[]>((merged, range) => {
      const last = merged.at(-1);
      if (last?.end === range.start) last.end = range.end;
      else merged.push(range);
      return merged;
    }, []);
  }
}

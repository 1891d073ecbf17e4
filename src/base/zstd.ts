import { Decompress } from 'fzstd';
import type { Budget } from './budget.ts';
import { damaged } from './gzip.ts';
import { InputError } from './result.ts';
import { Xxhash64 } from './xxhash64.ts';

const FRAME = 0xfd2fb528;
/** No block of any frame gives more (RFC 8878, section 3.1.1.2.4). */
const LARGEST_BLOCK = 131_072;
const RUN = 1;

/**
 * Unpacks zstd of any number of frames, long windows included; each frame's length and checksum are verified where it
 * has them. The decoder is handed one block at a time whose header was looked at before: by itself fzstd (0.1.1) makes
 * the window that a frame asks for and runs of up to 2 MB from four bytes, and passes over checksums. Upstream would need
 * a limit on the window, the limit of a block, and the hash.
 */
export async function* unzstd(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  const input = new Input(stream);
  try {
    for (let magic = await input.optional(4); magic !== null; magic = await input.optional(4)) {
      const kind = uint32(magic, 0);
      if (kind === FRAME) yield* frame(input, name, budget);
      else if ((kind & 0xfffffff0) >>> 0 !== 0x184d2a50) throw new Error('what follows is no frame');
      else
        for (let left = uint32(await input.take(4), 0); left > 0; left -= Math.min(left, LARGEST_BLOCK))
          await input.take(Math.min(left, LARGEST_BLOCK));
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw damaged(name, 'zstd', input.read, error);
  } finally {
    await input.end();
  }
}

/** One frame after its magic number. */
async function* frame(input: Input, name: string, budget: Budget): AsyncGenerator<Uint8Array> {
  const [descriptor] = await input.take(1);
  const single = ((descriptor >> 5) & 1) === 1;
  const checked = ((descriptor >> 2) & 1) === 1;
  if (descriptor & 8) throw new Error('a reserved bit is set');
  const dictionary = [0, 1, 2, 4][descriptor & 3];
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6];
  const fields = await input.take((single ? 0 : 1) + dictionary + sizeBytes);
  const declared = sizeBytes === 0 ? null : contentSize(fields.subarray(fields.length - sizeBytes));
  const window = single ? declared! : 2 ** (10 + (fields[0] >> 3)) * (1 + (fields[0] & 7) / 8);
  budget.hold('window', window, name);
  if (fields.subarray(single ? 0 : 1, fields.length - sizeBytes).some((byte) => byte !== 0))
    throw new Error('it wants a dictionary');

  const hash = checked ? new Xxhash64() : null;
  let out: Uint8Array[] = [];
  let length = 0;
  const decoder = new Decompress((data) => {
    if (data.length) out.push(data);
  });
  // The checksum is not handed on, and neither is the flag that announces it.
  decoder.push(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, descriptor & ~4, ...fields));
  for (let last = false; !last;) {
    const header = await input.take(3);
    const bits = header[0] | (header[1] << 8) | (header[2] << 16);
    last = (bits & 1) === 1;
    const size = bits >> 3;
    if (size > LARGEST_BLOCK) throw new Error('a block is larger than blocks may be');
    const run = ((bits >> 1) & 3) === RUN;
    const body = await input.take(run ? 1 : size);
    budget.work(() => {
      decoder.push(header);
      decoder.push(body, last);
    }, name);
    for (const part of out) {
      length += part.length;
      if (part.length > LARGEST_BLOCK || (declared !== null && length > declared))
        throw new Error('it unpacks to more than it says');
      budget.unpack(part.length, name);
      hash?.update(part);
    }
    yield* out;
    out = [];
    await budget.breathe();
  }
  if (declared !== null && length !== declared) throw new Error('it unpacks to less than it says');
  if (hash !== null && uint32(await input.take(4), 0) !== hash.digest()) throw new Error('the checksum does not fit');
}

/** Bytes of a stream by number. */
class Input {
  /** Bytes taken so far. */
  read = 0;
  #iterator: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  /** So many bytes. @throws where the stream ends before */
  async take(count: number): Promise<Uint8Array> {
    const bytes = await this.optional(count);
    if (bytes === null && count > 0) throw new Error('unexpected end');
    return bytes ?? new Uint8Array(0);
  }

  /** So many bytes, or null at the stream's end. */
  async optional(count: number): Promise<Uint8Array | null> {
    if (this.#chunk.length >= count && count > 0) return this.#cut(count);
    const bytes = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      const part = this.#cut(Math.min(count - filled, this.#chunk.length));
      bytes.set(part, filled);
      filled += part.length;
      if (filled === count) break;
      const next = await this.#iterator.next();
      if (next.done) {
        if (filled === 0) return null;
        throw new Error('unexpected end');
      }
      this.#chunk = next.value;
    }
    return bytes;
  }

  /** Lets the stream go. */
  async end(): Promise<void> {
    await this.#iterator.return?.();
  }

  #cut(count: number): Uint8Array {
    const part = this.#chunk.subarray(0, count);
    this.#chunk = this.#chunk.subarray(count);
    this.read += count;
    return part;
  }
}

function uint32(bytes: Uint8Array, at: number): number {
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
}

/** A frame's size, in 1, 2, 4 or 8 bytes. */
function contentSize(bytes: Uint8Array): number {
  if (bytes.length === 1) return bytes[0];
  if (bytes.length === 2) return (bytes[0] | (bytes[1] << 8)) + 256;
  return uint32(bytes, 0) + (bytes.length === 8 ? uint32(bytes, 4) * 2 ** 32 : 0);
}

import { Gunzip } from 'fflate';
import type { Budget } from './budget.ts';
import { concatenated, crc32 } from './bytes.ts';
import { InputError, inputError, wordsOf } from './result.ts';

/** Input is fed in slices of this many bytes: deflate makes up to a thousand times as many of them. */
export const SLICE = 16_384;
/** Zeros at the end that may belong to the last member: its length's and its data's last bytes. */
const MOST_ZEROS = 12;

/**
 * Unpacks gzip of any number of members, each checked against its CRC and length (RFC 1952); zeros that fill up the last
 * block of a tape or a disk are passed over. DecompressionStream was rejected: in browsers it refuses files of more than
 * one member.
 */
export async function* gunzipped(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  let out: Uint8Array[] = [];
  let crc = 0;
  let length = 0;
  /** Input bytes read so far, and the latest of them, in which a member's trailer lies. */
  let read = 0;
  let latest: Uint8Array = new Uint8Array(0);

  const trailerFits = (end: number): boolean => {
    const at = latest.length - (read - end) - 8;
    const view = new DataView(latest.buffer, latest.byteOffset, latest.byteLength);
    return at >= 0 && view.getUint32(at, true) === crc && view.getUint32(at + 4, true) === length >>> 0;
  };
  const checkTrailer = (end: number) => {
    if (!trailerFits(end)) throw new Error('the checksum does not fit');
    crc = 0;
    length = 0;
  };
  const gunzip = new Gunzip((data) => {
    if (data.length === 0) return;
    budget.unpack(data.length, name);
    crc = crc32(data, crc);
    length += data.length;
    out.push(data);
  });
  gunzip.onmember = (start) => checkTrailer(start);
  const push = (slice: Uint8Array) => {
    latest = concatenated([latest.subarray(-SLICE), slice]);
    read += slice.length;
    budget.work(() => gunzip.push(slice), name);
  };

  try {
    let zeros = 0;
    for await (const chunk of stream) {
      let end = chunk.length;
      while (end > 0 && chunk[end - 1] === 0) end--;
      if (end > 0) {
        for (; zeros > 0; zeros -= Math.min(zeros, SLICE)) push(new Uint8Array(Math.min(zeros, SLICE)));
        for (let at = 0; at < end; at += SLICE) {
          push(chunk.subarray(at, Math.min(end, at + SLICE)));
          yield* out;
          out = [];
          await budget.breathe();
        }
      }
      zeros += chunk.length - end;
    }
    for (let i = Math.min(zeros, MOST_ZEROS); i > 0 && !trailerFits(read); i--) push(new Uint8Array(1));
    gunzip.push(new Uint8Array(0), true);
    checkTrailer(read);
  } catch (error) {
    // Errors of the stream below carry their own message; the rest are the decoder's.
    if (error instanceof InputError) throw error;
    throw damaged(name, 'gzip', read, error);
  }
  yield* out;
}

/** The failure for packed data that cannot be unpacked; `byte` is how far it was read. */
export function damaged(file: string, format: string, byte: number, cause: unknown): InputError {
  const message = `${file}: the ${format} data are cut off or damaged near byte ${byte} (${wordsOf(cause)}); copy or download the file again.`;
  return inputError('damaged', message, { file, byte });
}

import { Gunzip } from 'fflate';
import { concatenated, crc32 } from './bytes.ts';
import { fail, InputError } from './result.ts';

/** Input is fed in slices of this many bytes, so that little is unpacked ahead of the reader. */
export const SLICE = 65_536;

/**
 * Unpacks gzip of any number of members, each checked against its CRC and length (RFC 1952).
 * DecompressionStream was rejected: in browsers it refuses files of more than one member.
 */
export async function* gunzipped(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let out: Uint8Array[] = [];
  let crc = 0;
  let length = 0;
  /** Input bytes read so far, and the latest of them, in which a member's trailer lies. */
  let read = 0;
  let latest: Uint8Array = new Uint8Array(0);

  const checkTrailer = (end: number) => {
    const at = latest.length - (read - end) - 8;
    const view = new DataView(latest.buffer, latest.byteOffset, latest.byteLength);
    if (at < 0 || view.getUint32(at, true) !== crc || view.getUint32(at + 4, true) !== length >>> 0) {
      throw new Error('the checksum does not fit');
    }
    crc = 0;
    length = 0;
  };
  const gunzip = new Gunzip((data) => {
    if (data.length === 0) return;
    crc = crc32(data, crc);
    length += data.length;
    out.push(data);
  });
  gunzip.onmember = (start) => checkTrailer(start);

  try {
    for await (const chunk of stream) {
      for (let at = 0; at < chunk.length; at += SLICE) {
        const slice = chunk.subarray(at, at + SLICE);
        latest = concatenated([latest.subarray(-SLICE), slice]);
        read += slice.length;
        gunzip.push(slice);
        yield* out;
        out = [];
      }
    }
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
  const why = cause instanceof Error ? cause.message : String(cause);
  const message = `${file}: the ${format} data are cut off or damaged near byte ${byte} (${why}); copy or download the file again.`;
  return new InputError(fail('damaged', message, { file, byte }).error);
}

import { Decompress } from 'fzstd';
import { damaged, SLICE } from './gzip.ts';
import { InputError } from './result.ts';

/** Unpacks zstd of any number of frames, long windows included. Frame checksums are not checked: the decoder has none. */
export async function* unzstd(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let out: Uint8Array[] = [];
  let read = 0;
  const decoder = new Decompress((data) => {
    if (data.length) out.push(data);
  });
  try {
    for await (const chunk of stream) {
      for (let at = 0; at < chunk.length; at += SLICE) {
        const slice = chunk.subarray(at, at + SLICE);
        read += slice.length;
        decoder.push(slice);
        yield* out;
        out = [];
      }
    }
    decoder.push(new Uint8Array(0), true);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw damaged(name, 'zstd', read, error);
  }
  yield* out;
}

import { peek } from './peek.ts';

/** Bytes by which UTF-16 without a mark is recognised. */
const LOOKED_AT = 64;

/** Text as UTF-8: what is certainly UTF-16, in either order, is converted; all else is passed on as it is. */
export async function* asUtf8(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, bytes } = await peek(stream, LOOKED_AT);
  const encoding = utf16Of(head);
  if (encoding === null) {
    yield* bytes;
    return;
  }
  const decoder = new TextDecoder(encoding);
  const encoder = new TextEncoder();
  for await (const chunk of bytes) yield encoder.encode(decoder.decode(chunk, { stream: true }));
  const rest = decoder.decode();
  if (rest !== '') yield encoder.encode(rest);
}

/** Which UTF-16 the first bytes are; null where they are another encoding, or it is not certain. */
function utf16Of(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // Letters of games are ASCII: every other byte is zero, and the others are not.
  const pairs = Math.min(head.length, LOOKED_AT) >> 1;
  if (pairs < 4) return null;
  const bytes = (parity: number) => head.subarray(0, 2 * pairs).filter((_, i) => i % 2 === parity);
  const zeros = (parity: number) => bytes(parity).every((byte) => byte === 0);
  const letters = (parity: number) => bytes(parity).every((byte) => byte >= 9 && byte <= 126);
  if (zeros(1) && letters(0)) return 'utf-16le';
  return zeros(0) && letters(1) ? 'utf-16be' : null;
}

import { concatenated } from '../../src/base/bytes.ts';
import type { Random } from '../../src/base/random.ts';

/** Numbers, brackets and texts that readers have stumbled over. */
const PIECES = [
  ...['null', 'true', '-1', '0', '1e309', '4294967296', '9007199254740993'],
  ...['""', '[]', '{}', '[[[[', '{"a":', '__proto__'],
  ...['\n', '\r', '\r\n\r\n', '\0', '\ufeff', '\u2028', '{', '}', '"', '\\', '<', '>', ';', '(', '%', '$1', '[Event "'],
  'x'.repeat(300),
].map((text) => new TextEncoder().encode(text));

const BYTES = [0, 1, 127, 128, 255];

/** A seed with one to eight changes; `other` is what parts of it may be replaced by. */
export function mutated(seed: Uint8Array, other: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  let bytes = concatenated([seed]);
  for (let changes = 1 + random.below(8); changes > 0; changes--) {
    // What a file says of itself mostly stands at its beginning.
    const at = random.below((random.below(2) === 0 ? Math.min(bytes.length, 2000) : bytes.length) + 1);
    const length = random.below(random.below(8) === 0 ? 400 : 8);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (random.below(9)) {
      case 0:
      case 1:
        if (at < bytes.length) bytes[at] ^= 1 << random.below(8);
        break;
      case 2:
        if (at < bytes.length) bytes[at] = random.below(2) ? random.below(256) : BYTES[random.below(BYTES.length)];
        break;
      case 3:
        bytes = concatenated([before, after.subarray(length)]);
        break;
      case 4:
        bytes = concatenated([before, after.subarray(0, length), after]);
        break;
      case 5:
      case 6:
        bytes = concatenated([before, PIECES[random.below(PIECES.length)], after.subarray(length)]);
        break;
      case 7: {
        const from = random.below(other.length + 1);
        bytes = concatenated([before, other.subarray(from, from + 8 * length), after]);
        break;
      }
      case 8:
        if (random.below(4) === 0) bytes = concatenated([before]);
    }
  }
  return bytes;
}

import { inputError } from '../../base/result.ts';

/** One field of a message: a number, or a range of bytes. */
export interface Field {
  number: number;
  /** Of a number, else null. */
  value: number | null;
  from: number;
  to: number;
}

/** A failure at a byte of the file. */
export const brokenAt = (byte: number, what: string) =>
  inputError(
    'onnx-invalid',
    `At byte ${byte}: ${what}. The file is no ONNX, or was cut off or changed; take it again as it was exported.`,
    { byte },
  );

/**
 * The fields of a message that is `bytes` from one byte to another, in their order. Lengths are believed only as far as
 * the message reaches, and nothing is allocated by them. @throws InputError
 */
export function* fieldsOf(bytes: Uint8Array, from: number, to: number): Generator<Field> {
  for (let at = from; at < to;) {
    const tag = numberAt(bytes, at, to);
    const number = Math.floor(tag.value / 8);
    const form = tag.value % 8;
    if (number < 1 || number >= 2 ** 29) throw brokenAt(at, `there is no field ${number}`);
    if (form === 0) {
      const { value, end } = numberAt(bytes, tag.end, to);
      yield { number, value, from: tag.end, to: end };
      at = end;
      continue;
    }
    if (form !== 1 && form !== 2 && form !== 5) throw brokenAt(at, `field ${number} is of no known form (${form})`);
    const { value: length, end: start } =
      form === 2 ? numberAt(bytes, tag.end, to) : { value: form === 1 ? 8 : 4, end: tag.end };
    if (length > to - start)
      throw brokenAt(at, `field ${number} says that it has ${length} bytes, and ${to - start} are left`);
    yield { number, value: null, from: start, to: start + length };
    at = start + length;
  }
}

/** Numbers end to end, at most so many. @throws InputError */
export function numbersIn(bytes: Uint8Array, { from, to }: Field, most: number): number[] {
  const numbers: number[] = [];
  for (let at = from; at < to;) {
    const { value, end } = numberAt(bytes, at, to);
    if (numbers.length === most) throw brokenAt(at, `there are more than ${most} numbers`);
    numbers.push(value);
    at = end;
  }
  return numbers;
}

/** A varint, and the byte behind it; numbers above 2^53 are not exact, and negative ones are that large. */
function numberAt(bytes: Uint8Array, from: number, to: number): { value: number; end: number } {
  let value = 0;
  for (let at = from, scale = 1; at < to && at < from + 10; scale *= 128) {
    const byte = bytes[at++];
    value += (byte & 127) * scale;
    if (byte < 128) return { value, end: at };
  }
  throw brokenAt(from, 'a number is cut off or has more than ten bytes');
}

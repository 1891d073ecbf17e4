import { ByteReader, zigzag } from './byte-reader.ts';

/** The bytes of a page. */
export class PageReader extends ByteReader {
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    super(bytes, 0, bytes.length, 'page');
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint32(): number {
    this.take(4);
    return this.#view.getUint32(this.at - 4, true);
  }

  /** Numbers as they are in memory. */
  plain(type: 'INT32' | 'INT64' | 'FLOAT' | 'DOUBLE', count: number): number[] {
    const width = type === 'INT32' || type === 'FLOAT' ? 4 : 8;
    if (count * width > this.left) throw new Error('a page ends too early');
    const numbers: number[] = [];
    for (let i = 0; i < count; i++, this.at += width) {
      if (type === 'INT32') numbers.push(this.#view.getInt32(this.at, true));
      else if (type === 'INT64') numbers.push(Number(this.#view.getBigInt64(this.at, true)));
      else if (type === 'FLOAT') numbers.push(this.#view.getFloat32(this.at, true));
      else numbers.push(this.#view.getFloat64(this.at, true));
    }
    return numbers;
  }
}

/** Runs of equal values and packed ones (Parquet's RLE hybrid) of a width in bits. No run goes beyond `count`, but for the padding of packed ones. */
export function hybrid(page: PageReader, width: number, count: number): Uint32Array {
  if (width > 32) throw new Error(`indices of ${width} bits`);
  const values = new Uint32Array(count);
  if (width === 0) return values;
  let filled = 0;
  while (filled < count) {
    const header = page.varint();
    const run = Math.floor(header / 2);
    if (run === 0) throw new Error('a run has no values');
    if (header % 2 === 0) {
      let value = 0;
      page.take((width + 7) >> 3).forEach((byte, i) => (value += byte * 256 ** i));
      if (run > count - filled) throw new Error('a run is longer than the page');
      values.fill(value, filled, filled + run);
      filled += run;
    } else {
      const packed = page.take(Math.min(page.left, run * width));
      const wanted = Math.min(count - filled, run * 8);
      // The last run's padding may be missing.
      if (packed.length * 8 < wanted * width) throw new Error('a page ends too early');
      for (let i = 0; i < wanted; i++) values[filled++] = bitsAt(packed, i * width, width);
    }
  }
  return values;
}

/** A number of up to 53 bits that begins at a bit, least significant first. */
function bitsAt(bytes: Uint8Array, bit: number, width: number): number {
  let value = 0;
  for (let got = 0; got < width;) {
    const inByte = (bit + got) & 7;
    const some = Math.min(8 - inByte, width - got);
    value += ((bytes[(bit + got) >> 3] >> inByte) & ((1 << some) - 1)) * 2 ** got;
    got += some;
  }
  return value;
}

/** Numbers as differences in packed blocks (DELTA_BINARY_PACKED). */
export function deltas(page: PageReader, count: number): number[] {
  const block = page.varint();
  const parts = page.varint();
  const total = page.varint();
  const perPart = block / parts;
  if (!(parts > 0 && parts <= 1024 && perPart <= 65_536 && perPart % 8 === 0))
    throw new Error('blocks of a size that cannot be');
  if (total < count) throw new Error('a page has fewer values than it says');
  let value = zigzag(page.varint());
  const values = count > 0 ? [value] : [];
  while (values.length < count) {
    const least = zigzag(page.varint());
    const widths = page.take(parts);
    for (let part = 0; part < parts && values.length < count; part++) {
      if (widths[part] > 53) throw new Error('differences that are too large');
      const packed = page.take((perPart * widths[part]) / 8);
      for (let i = 0; i < perPart && values.length < count; i++)
        values.push((value += least + bitsAt(packed, i * widths[part], widths[part])));
    }
  }
  return values;
}

import { ByteReader, zigzag } from './byte-reader.ts';

/** A value of Thrift's compact protocol; a struct has its fields under their numbers. */
export type Thrift = number | boolean | Uint8Array | Thrift[] | Struct;
export interface Struct {
  [field: number]: Thrift | undefined;
}

/** Deeper than any header of Parquet. */
const DEEPEST = 16;

/**
 * Reads what Parquet's headers are written in (Thrift's compact protocol). Every list and text must fit into what is
 * left of the bytes, so that a header takes no more memory than a multiple of its own size.
 */
export class ThriftReader extends ByteReader {
  readonly #count: (values: number) => void;
  #values = 0;

  /** @param count hears how many values were read so far, and may throw */
  constructor(bytes: Uint8Array, from: number, to: number, count: (values: number) => void) {
    super(bytes, from, to, 'header');
    this.#count = count;
  }

  struct(depth = 0): Struct {
    if (depth > DEEPEST) throw new Error('a header is nested too deeply');
    const struct: Struct = {};
    let field = 0;
    for (let head = this.byte(); head !== 0; head = this.byte()) {
      field = head >> 4 ? field + (head >> 4) : zigzag(this.varint());
      struct[field] = this.#value(head & 15, depth);
    }
    return struct;
  }

  #value(type: number, depth: number): Thrift {
    this.#count(++this.#values);
    switch (type) {
      case 1:
      case 2:
        return type === 1;
      case 3:
        return (this.byte() << 24) >> 24;
      case 4:
      case 5:
      case 6:
        return zigzag(this.varint());
      case 7:
        this.take(8);
        // No field that is read here is one.
        return NaN;
      case 8:
        return this.take(this.varint());
      case 9:
      case 10:
        return this.#list(depth);
      case 12:
        return this.struct(depth + 1);
      default:
        throw new Error(`a header has a field of unknown type ${type}`);
    }
  }

  #list(depth: number): Thrift[] {
    const head = this.byte();
    const type = head & 15;
    const size = head >> 4 === 15 ? this.varint() : head >> 4;
    if (size > this.left) throw new Error(`a header has a list of ${size}, and the file ends before`);
    if (depth > DEEPEST) throw new Error('a header is nested too deeply');
    const list: Thrift[] = [];
    for (let i = 0; i < size; i++) list.push(type <= 2 ? this.byte() === 1 : this.#value(type, depth + 1));
    return list;
  }
}

/** Bytes that are read from front to back, and never beyond their end. */
export class ByteReader {
  /** @param what they are, for messages */
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
    private readonly end: number,
    private readonly what: 'page' | 'header',
  ) {}

  get left(): number {
    return this.end - this.at;
  }

  take(length: number): Uint8Array {
    if (length < 0 || length > this.left) throw new Error(`a ${this.what} ends too early`);
    return this.bytes.subarray(this.at, (this.at += length));
  }

  byte(): number {
    if (this.at >= this.end) throw new Error(`a ${this.what} ends too early`);
    return this.bytes[this.at++];
  }

  varint(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      if (unit > 2 ** 63) throw new Error(`a number in a ${this.what} does not end`);
    }
  }
}

/** A number whose sign is in its last bit; exact as far as JavaScript's are. */
export function zigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

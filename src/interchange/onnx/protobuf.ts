/**
 * Messages in protobuf's wire format (protobuf.dev/programming-guides/encoding), as far as ONNX needs it. A message is
 * the list of its parts, so that weights are copied once only, when the whole is put together.
 */
export class Message {
  readonly parts: Uint8Array[] = [];
  length = 0;

  /** int64 and enumerations; negative numbers take ten bytes. */
  int(field: number, value: number): this {
    return this.#add([varint(field * 8), varint(value)]);
  }

  /** Any number of int64 in one field. */
  ints(field: number, values: readonly number[]): this {
    return this.#within(field, values.map(varint));
  }

  float(field: number, value: number): this {
    return this.#add([varint(field * 8 + 5), new Uint8Array(Float32Array.of(value).buffer)]);
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#within(field, [value]);
  }

  message(field: number, message: Message): this {
    return this.#within(field, message.parts);
  }

  #within(field: number, parts: readonly Uint8Array[]): this {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return this.#add([varint(field * 8 + 2), varint(length)]).#add(parts);
  }

  #add(parts: readonly Uint8Array[]): this {
    for (const part of parts) {
      this.parts.push(part);
      this.length += part.length;
    }
    return this;
  }
}

/** Seven bits a byte, the lowest first; the top bit says that more follow. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.of(...bytes, Number(rest));
}

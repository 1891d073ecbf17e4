/**
 * XXH64 with seed 0 of bytes that come in pieces, as zstd's frames check their content (RFC 8878, section 3.1.1;
 * xxhash's own specification). Each 64-bit number is two of 32 bits, because BigInt makes an object of each.
 */
export class Xxhash64 {
  /** The four accumulators, low and high halves in turn. */
  readonly #lanes = new Uint32Array(8);
  readonly #rest = new Uint8Array(32);
  #resting = 0;
  #length = 0;

  constructor() {
    this.#lanes.set([...sum(P1, P2), ...P2, 0, 0, ...sum([0, 0], [(~P1[0] + 1) >>> 0, ~P1[1] >>> 0])]);
  }

  update(bytes: Uint8Array): void {
    this.#length += bytes.length;
    let at = 0;
    if (this.#resting > 0) {
      at = Math.min(bytes.length, 32 - this.#resting);
      this.#rest.set(bytes.subarray(0, at), this.#resting);
      this.#resting += at;
      if (this.#resting < 32) return;
      this.#stripes(this.#rest, 0, 32);
      this.#resting = 0;
    }
    const end = bytes.length - ((bytes.length - at) % 32);
    if (end > at) this.#stripes(bytes, at, end);
    this.#rest.set(bytes.subarray(end));
    this.#resting = bytes.length - end;
  }

  /** Rounds of 32 bytes; all in locals, since this is where the time goes. */
  #stripes(bytes: Uint8Array, from: number, to: number): void {
    const lanes = this.#lanes;
    for (let lane = 0; lane < 4; lane++) {
      let low = lanes[2 * lane];
      let high = lanes[2 * lane + 1];
      for (let at = from + 8 * lane; at < to; at += 32) {
        // accumulator += input * P2
        const inLow = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
        const inHigh = bytes[at + 4] | (bytes[at + 5] << 8) | (bytes[at + 6] << 16) | (bytes[at + 7] << 24);
        let a = inLow & 0xffff;
        let b = inLow >>> 16;
        // P2 = c2b2ae3d 27d4eb4f
        let ll = a * 0xeb4f;
        let middle = b * 0xeb4f + (ll >>> 16);
        let middle2 = a * 0x27d4 + (middle & 0xffff);
        const productLow = ((middle2 << 16) | (ll & 0xffff)) >>> 0;
        const productHigh =
          (b * 0x27d4 +
            Math.floor(middle / 65_536) +
            (middle2 >>> 16) +
            Math.imul(inLow, 0xc2b2ae3d) +
            Math.imul(inHigh, 0x27d4eb4f)) |
          0;
        const summed = low + productLow;
        high = (high + productHigh + (summed > 0xffffffff ? 1 : 0)) | 0;
        low = summed >>> 0;
        // rotate left by 31
        const turned = ((low << 31) | (high >>> 1)) >>> 0;
        const turnedHigh = (high << 31) | (low >>> 1);
        // accumulator *= P1 = 9e3779b1 85ebca87
        a = turned & 0xffff;
        b = turned >>> 16;
        ll = a * 0xca87;
        middle = b * 0xca87 + (ll >>> 16);
        middle2 = a * 0x85eb + (middle & 0xffff);
        low = ((middle2 << 16) | (ll & 0xffff)) >>> 0;
        high =
          (b * 0x85eb +
            Math.floor(middle / 65_536) +
            (middle2 >>> 16) +
            Math.imul(turned, 0x9e3779b1) +
            Math.imul(turnedHigh, 0x85ebca87)) |
          0;
      }
      lanes[2 * lane] = low;
      lanes[2 * lane + 1] = high;
    }
  }

  /** The low 32 bits of the hash, which are what a zstd frame ends with. */
  digest(): number {
    const lane = (i: number): Long => [this.#lanes[2 * i], this.#lanes[2 * i + 1]];
    let hash: Long = P5;
    if (this.#length >= 32) {
      hash = [1, 7, 12, 18].map((by, i) => rotated(lane(i), by)).reduce(sum);
      for (let i = 0; i < 4; i++) hash = sum(product(exclusive(hash, round([0, 0], lane(i))), P1), P4);
    }
    hash = sum(hash, [this.#length >>> 0, Math.floor(this.#length / 2 ** 32)]);
    const rest = new DataView(this.#rest.buffer);
    let at = 0;
    for (; at + 8 <= this.#resting; at += 8) {
      const input: Long = [rest.getUint32(at, true), rest.getUint32(at + 4, true)];
      hash = sum(product(rotated(exclusive(hash, round([0, 0], input)), 27), P1), P4);
    }
    if (at + 4 <= this.#resting) {
      hash = sum(product(rotated(exclusive(hash, product([rest.getUint32(at, true), 0], P1)), 23), P2), P3);
      at += 4;
    }
    for (; at < this.#resting; at++) hash = product(rotated(exclusive(hash, product([this.#rest[at], 0], P5)), 11), P1);
    hash = product(exclusive(hash, shifted(hash, 33)), P2);
    hash = product(exclusive(hash, shifted(hash, 29)), P3);
    return exclusive(hash, shifted(hash, 32))[0];
  }
}

/** 64 bits as their low and their high half. */
type Long = readonly [number, number];

const P1: Long = [0x85ebca87, 0x9e3779b1];
const P2: Long = [0x27d4eb4f, 0xc2b2ae3d];
const P3: Long = [0x9e3779f9, 0x165667b1];
const P4: Long = [0xc2b2ae63, 0x85ebca77];
const P5: Long = [0x165667c5, 0x27d4eb2f];

const round = (accumulator: Long, input: Long): Long => product(rotated(sum(accumulator, product(input, P2)), 31), P1);

function sum([a, b]: Long, [c, d]: Long): Long {
  const low = a + c;
  return [low >>> 0, (b + d + (low > 0xffffffff ? 1 : 0)) >>> 0];
}

function product([a, b]: Long, [c, d]: Long): Long {
  const whole = BigInt(a) * BigInt(c);
  return [Number(whole & 0xffffffffn), (Number(whole >> 32n) + Math.imul(a, d) + Math.imul(b, c)) >>> 0];
}

const exclusive = ([a, b]: Long, [c, d]: Long): Long => [(a ^ c) >>> 0, (b ^ d) >>> 0];

function rotated([low, high]: Long, by: number): Long {
  return [((low << by) | (high >>> (32 - by))) >>> 0, ((high << by) | (low >>> (32 - by))) >>> 0];
}

/** To the right, by 29, 32 or 33 bits. */
function shifted([low, high]: Long, by: number): Long {
  if (by >= 32) return [high >>> (by - 32), 0];
  return [((low >>> by) | (high << (32 - by))) >>> 0, high >>> by];
}

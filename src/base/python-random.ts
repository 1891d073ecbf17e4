/**
 * Python's `random` module, as far as the authors' scripts use it: the Mersenne Twister MT19937 with
 * CPython's seeding from an integer and its rejection sampling for bounded integers. The probing
 * instances of the chess testbed are defined by `random.seed(42)`; only this generator gives the same ones.
 * Source: Matsumoto and Nishimura (1998); CPython's _randommodule.c and random.py describe the seeding.
 */
const N = 624;
const M = 397;

export class PythonRandom {
  private readonly state = new Uint32Array(N);
  private index = N;

  /** `random.seed(seed)` for a non-negative integer below 2^53. */
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new RangeError(`seed must be a whole number from 0, not ${seed}`);
    const key = [seed >>> 0];
    if (seed > 0xffffffff) key.push(Math.floor(seed / 4294967296));
    this.seedByArray(key);
  }

  /** `random.getrandbits(bits)` for 1 to 32 bits. */
  getrandbits(bits: number): number {
    return this.uint32() >>> (32 - bits);
  }

  /** `random.random()`: uniform in [0, 1) with 53 bits. */
  random(): number {
    const a = this.uint32() >>> 5;
    const b = this.uint32() >>> 6;
    return (a * 67108864 + b) / 9007199254740992;
  }

  /** `random.randint(low, high)`: both ends included. */
  randint(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** `random.choice(items)`. */
  choice<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('cannot choose from an empty list');
    return items[this.below(items.length)];
  }

  /** `random.shuffle(items)`: in place. */
  shuffle(items: { length: number; [index: number]: number }): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
  }

  /** CPython's `_randbelow_with_getrandbits`. */
  private below(n: number): number {
    const bits = 32 - Math.clz32(n);
    let value = this.getrandbits(bits);
    while (value >= n) value = this.getrandbits(bits);
    return value;
  }

  private uint32(): number {
    if (this.index >= N) this.twist();
    let y = this.state[this.index++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    y ^= y >>> 18;
    return y >>> 0;
  }

  private twist(): void {
    const s = this.state;
    for (let i = 0; i < N; i++) {
      const y = (s[i] & 0x80000000) | (s[(i + 1) % N] & 0x7fffffff);
      s[i] = s[(i + M) % N] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.index = 0;
  }

  private seedByArray(key: number[]): void {
    const s = this.state;
    s[0] = 19650218;
    for (let i = 1; i < N; i++) s[i] = Math.imul(1812433253, s[i - 1] ^ (s[i - 1] >>> 30)) + i;
    let i = 1;
    let j = 0;
    for (let k = Math.max(N, key.length); k > 0; k--) {
      s[i] = (s[i] ^ Math.imul(s[i - 1] ^ (s[i - 1] >>> 30), 1664525)) + key[j] + j;
      i++;
      j++;
      if (i >= N) {
        s[0] = s[N - 1];
        i = 1;
      }
      if (j >= key.length) j = 0;
    }
    for (let k = N - 1; k > 0; k--) {
      s[i] = (s[i] ^ Math.imul(s[i - 1] ^ (s[i - 1] >>> 30), 1566083941)) - i;
      i++;
      if (i >= N) {
        s[0] = s[N - 1];
        i = 1;
      }
    }
    s[0] = 0x80000000;
  }
}

/** 16-bit floats as bit patterns: IEEE 754 binary16 ("half", F16) and bfloat16, the upper half of a float32. */

/** The least magnitude that rounds to infinity in half precision: 65504, its largest number, and half a step. */
export const HALF_OVERFLOW = 65520;

/**
 * The halves nearest to float32s, ties to the even fraction, as numpy and PyTorch round; overflow gives infinity. A loop
 * over bit patterns: `Uint16Array.from` with a function takes ten times as long.
 */
export function halvesOf(values: Float32Array): Uint16Array<ArrayBuffer> {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(values.length);
  for (let i = 0; i < bits.length; i++) halves[i] = halfOfBits(bits[i]);
  return halves;
}

function halfOfBits(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  // HALF_OVERFLOW and more.
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  // From 2 ** -14 on exponents differ by 112; a fraction that is rounded up to 1024 carries into the exponent, as it should.
  if (magnitude >= 0x38800000) return sign | toEven(magnitude - 0x38000000, 13);
  // Below that steps are of one size, 2 ** -24. Half of it and less is none.
  if (magnitude <= 0x33000000) return sign;
  return sign | toEven((magnitude & 0x7fffff) | 0x800000, 126 - (magnitude >>> 23));
}

/** The numbers that halves stand for, exactly. */
export function floatsOfHalves(halves: Uint16Array): Float32Array<ArrayBuffer> {
  const bits = new Uint32Array(halves.length);
  for (let i = 0; i < halves.length; i++) bits[i] = bitsOfHalf(halves[i]);
  return new Float32Array(bits.buffer);
}

function bitsOfHalf(half: number): number {
  const sign = (half & 0x8000) << 16;
  const magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00) return sign | (magnitude > 0x7c00 ? 0x7fc00000 : 0x7f800000);
  // From 2 ** -14 on, the least normal half, exponents differ by 112.
  if (magnitude >= 0x400) return sign | ((magnitude << 13) + 0x38000000);
  if (magnitude === 0) return sign;
  // A smaller one is so many steps of 2 ** -24; as a float32 it begins with its highest bit.
  const zeros = Math.clz32(magnitude) - 21;
  return sign | ((113 - zeros) << 23) | (((magnitude << zeros) & 0x3ff) << 13);
}

/** The numbers that bfloat16s stand for, exactly. */
export function floatsOfBfloats(upper: Uint16Array): Float32Array<ArrayBuffer> {
  const bits = new Uint32Array(upper.length);
  for (let i = 0; i < upper.length; i++) bits[i] = upper[i] << 16;
  return new Float32Array(bits.buffer);
}

/** A whole number without its last bits, rounded to the nearest, ties to even. */
function toEven(number: number, bits: number): number {
  const odd = (number >>> bits) & 1;
  return (number + (1 << (bits - 1)) - 1 + odd) >>> bits;
}

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

export function floatOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

let everyHalf: Float32Array | undefined;

/** All halves by their bit patterns, as floats: where there are many to read, a look-up is faster. */
export function tableOfHalves(): Float32Array {
  return (everyHalf ??= Float32Array.from({ length: 65536 }, (_, bits) => floatOfHalf(bits)));
}

const scratch = new DataView(new ArrayBuffer(4));

export function floatOfBfloat(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}

/** A whole number without its last bits, rounded to the nearest, ties to even. */
function toEven(number: number, bits: number): number {
  const odd = (number >>> bits) & 1;
  return (number + (1 << (bits - 1)) - 1 + odd) >>> bits;
}

/** 16-bit floats as bit patterns: IEEE 754 binary16 ("half", F16) and bfloat16, the upper half of a float32. */

/** The least magnitude that rounds to infinity in half precision: 65504, its largest number, and half a step. */
export const HALF_OVERFLOW = 65520;

const SMALLEST_NORMAL = 2 ** -14;
const scratch = new DataView(new ArrayBuffer(4));

/** The half nearest to a float32, ties to the even fraction, as numpy and PyTorch round; overflow gives infinity. */
export function halfOf(value: number): number {
  scratch.setFloat32(0, value);
  const bits = scratch.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = Math.abs(scratch.getFloat32(0));
  if (Number.isNaN(value)) return sign | 0x7e00;
  if (magnitude >= HALF_OVERFLOW) return sign | 0x7c00;
  // Below the smallest normal number steps are of one size; a fraction rounded up to 1024 is that number itself.
  if (magnitude < SMALLEST_NORMAL) return sign | toEven(magnitude * 2 ** 24);
  const exponent = ((bits >>> 23) & 255) - 127;
  // A significand rounded up to 2048 carries into the exponent, as it should.
  return sign | (((exponent + 15) << 10) + toEven(magnitude * 2 ** (10 - exponent)) - 1024);
}

export function floatOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

export function floatOfBfloat(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}

/** The whole number nearest to a positive one, ties to even; Math.round takes ties up. */
function toEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}

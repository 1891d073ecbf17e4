/**
 * Numbers of 16 bits in memory, of 32 in registers: a vector of four halves is a vec2u. WGSL's core built-ins pack and
 * unpack them, so that every WebGPU device can, an emulation too. Native 16-bit floats (`enable f16`) were rejected: they
 * are an optional feature, and what they add is arithmetic in 16 bits, which is not wanted, since all sums stay in 32.
 *
 * WGSL leaves open what packing a number beyond a half's range gives, and lets a compiler assume that nothing infinite
 * comes about. So such numbers, and what is none, are found by their bits and written as the bits of an infinity, which
 * goes on through sums and products to the gradients' norm; whether it does on a device is part of its trial (capabilities.ts).
 */
export const halfFunctions = `
fn unpacked(halves: vec2u) -> vec4f {
  return vec4f(unpack2x16float(halves.x), unpack2x16float(halves.y));
}
fn packed(value: vec4f) -> vec2u {
  let bits = bitcast<vec4u>(value);
  let beyond = (bits & vec4u(0x7fffffffu)) > vec4u(0x477fe000u);
  let inside = select(value, vec4f(), beyond);
  let infinite = select(vec4u(), ((bits >> vec4u(16u)) & vec4u(0x8000u)) | vec4u(0x7c00u), beyond);
  return vec2u(
    pack2x16float(inside.xy) | infinite.x | (infinite.y << 16u),
    pack2x16float(inside.zw) | infinite.z | (infinite.w << 16u),
  );
}`;

/** 0x477fe000 as a number. */
export const LARGEST_HALF = 65504;

/** Rounded to the nearest halves, ties to even; infinities beyond the range. */
export function toHalves(values: Float32Array): Uint16Array<ArrayBuffer> {
  return Uint16Array.from(values, (value) => {
    const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
    const size = Math.abs(value);
    if (Number.isNaN(value)) return 0x7e00;
    if (size >= LARGEST_HALF + 16) return sign | 0x7c00;
    // What one step is worth at this size: 2^-24 below the normal numbers, else 2^-10 of the power of two below.
    const exponent = Math.max(-14, Math.floor(Math.log2(size || 1e-9)));
    const steps = size / 2 ** (exponent - 10);
    const even = Math.floor(steps) + Number(steps % 1 > 0.5 || (steps % 1 === 0.5 && Math.floor(steps) % 2 === 1));
    // A step too many goes over into the next exponent by itself.
    return sign | (even + ((exponent + 14) << 10));
  });
}

export function fromHalves(halves: Uint16Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(halves, (half) => {
    const [exponent, mantissa] = [(half >> 10) & 31, half & 1023];
    const sign = half & 0x8000 ? -1 : 1;
    if (exponent === 31) return mantissa ? NaN : sign * Infinity;
    return sign * (exponent === 0 ? mantissa : mantissa + 1024) * 2 ** (Math.max(exponent, 1) - 25);
  });
}

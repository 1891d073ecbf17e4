import { sizeOf } from '../../models/parameters.ts';

/** Ends the name of the scales of a parameter that is stored in 8 bits. */
export const SCALE = '_scale';

/** Numbers as -127 to 127 times a scale for each place on one axis, by which the largest there is 127. */
export function quantized(
  shape: readonly number[],
  data: Float32Array,
  axis: number,
): { bytes: Int8Array; scales: { shape: number[]; data: Float32Array } } {
  const placeOf = placeOn(shape, axis);
  const scales = new Float32Array(shape[axis]);
  for (let i = 0; i < data.length; i++) scales[placeOf(i)] = Math.max(scales[placeOf(i)], Math.abs(data[i]) / 127);
  const bytes = Int8Array.from(data, (x, i) => Math.round(x / (scales[placeOf(i)] || 1)));
  return { bytes, scales: { shape: shape.map((side, i) => (i === axis ? side : 1)), data: scales } };
}

/** The place on an axis of each number of such a shape, in their order. */
export function placeOn(shape: readonly number[], axis: number): (i: number) => number {
  const inner = sizeOf(shape.slice(axis + 1));
  return (i) => Math.floor(i / inner) % shape[axis];
}

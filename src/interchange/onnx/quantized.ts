/** Ends the name of the scales of a parameter that is stored in 8 bits. */
export const SCALE = '_scale';

/** Numbers as -127 to 127 times a scale for each place on one axis, by which the largest there is 127. */
export function quantized(
  shape: readonly number[],
  data: Float32Array,
  axis: number,
): { bytes: Int8Array; scales: { shape: number[]; data: Float32Array } } {
  const size = shape[axis];
  const inner = shape.slice(axis + 1).reduce((product, side) => product * side, 1);
  const placeOf = (i: number) => Math.floor(i / inner) % size;
  const scales = new Float32Array(size);
  for (let i = 0; i < data.length; i++) scales[placeOf(i)] = Math.max(scales[placeOf(i)], Math.abs(data[i]) / 127);
  const bytes = Int8Array.from(data, (x, i) => Math.round(x / (scales[placeOf(i)] || 1)));
  return { bytes, scales: { shape: shape.map((_, i) => (i === axis ? size : 1)), data: scales } };
}

/** The newest table: layers share it, and programs of one model are laid out anew for every length of prompts. */
let newest = { width: 0, base: 0, table: new Float32Array() };

/**
 * Of each position the cosines of the angles that Rotary (plan.ts) turns by, then their sines: [context, width].
 * The table is shared, and read only.
 */
export function rotaryAngles(context: number, width: number, base: number): Float32Array<ArrayBuffer> {
  const known = newest.width === width && newest.base === base && newest.table.length >= context * width;
  if (!known) newest = { width, base, table: computed(context, width, base) };
  return newest.table.subarray(0, context * width);
}

function computed(context: number, width: number, base: number): Float32Array<ArrayBuffer> {
  const half = width / 2;
  const speeds = Float64Array.from({ length: width }, (_, i) => base ** ((-2 * (i % half)) / width));
  return Float32Array.from({ length: context * width }, (_, i) => {
    const angle = Math.floor(i / width) * speeds[i % width];
    return i % width < half ? Math.cos(angle) : Math.sin(angle);
  });
}

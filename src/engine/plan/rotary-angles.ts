/** The longest table of each width and base so far: programs are laid out anew for every length of prompts. */
const tables = new Map<string, Float32Array<ArrayBuffer>>();

/**
 * Of each position the cosines of the angles that Rotary (plan.ts) turns by, then their sines: [context, width].
 * The table is shared, and read only.
 */
export function rotaryAngles(context: number, width: number, base: number): Float32Array<ArrayBuffer> {
  const key = `${width} ${base}`;
  let table = tables.get(key);
  if (table === undefined || table.length < context * width) {
    table = computed(context, width, base);
    tables.set(key, table);
  }
  return table.subarray(0, context * width);
}

function computed(context: number, width: number, base: number): Float32Array<ArrayBuffer> {
  const half = width / 2;
  const speeds = Float64Array.from({ length: width }, (_, i) => base ** ((-2 * (i % half)) / width));
  return Float32Array.from({ length: context * width }, (_, i) => {
    const angle = Math.floor(i / width) * speeds[i % width];
    return i % width < half ? Math.cos(angle) : Math.sin(angle);
  });
}

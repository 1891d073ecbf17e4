/** Of each position the cosines of the angles that Rotary (plan.ts) turns by, then their sines: [context, width]. */
export function rotaryAngles(context: number, width: number, base: number): Float32Array<ArrayBuffer> {
  const half = width / 2;
  return Float32Array.from({ length: context * width }, (_, i) => {
    const angle = Math.floor(i / width) * base ** ((-2 * ((i % width) % half)) / width);
    return i % width < half ? Math.cos(angle) : Math.sin(angle);
  });
}

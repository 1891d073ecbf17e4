type Matrix = { shape: readonly number[]; data: Float32Array };

/**
 * A matrix [in, out] in bytes: 128 for zero, and a scale for each column, by which its largest number is 127 from there.
 * @param layout of the matrix given
 */
export function quantizedColumns(
  { shape, data }: Matrix,
  layout: 'in-out' | 'out-in',
): { shape: readonly number[]; data: Uint8Array; scales: Float32Array } {
  const [inputs, outputs] = layout === 'in-out' ? shape : [shape[1], shape[0]];
  const at = (i: number, o: number) => (layout === 'in-out' ? i * outputs + o : o * inputs + i);
  const bytes = new Uint8Array(data.length);
  const scales = new Float32Array(outputs);
  for (let o = 0; o < outputs; o++) {
    let most = 0;
    for (let i = 0; i < inputs; i++) most = Math.max(most, Math.abs(data[at(i, o)]));
    scales[o] = most / 127 || 1;
    for (let i = 0; i < inputs; i++) bytes[i * outputs + o] = 128 + Math.round(data[at(i, o)] / scales[o]);
  }
  return { shape: [inputs, outputs], data: bytes, scales };
}

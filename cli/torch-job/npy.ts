const TYPES = { Uint16Array: '<u2', Uint32Array: '<u4' } as const;

/** A flat array as a .npy file (NumPy's format 1.0), which NumPy reads without loading it whole. */
export function npy(data: Uint16Array | Uint32Array): Uint8Array {
  const type = TYPES[data.constructor.name as keyof typeof TYPES];
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${data.length},), }`;
  // The data begin at a multiple of 64 bytes.
  const length = Math.ceil((10 + text.length + 1) / 64) * 64;
  const bytes = new Uint8Array(length + data.byteLength).fill(0x20, 0, length);
  bytes.set([0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, (length - 10) & 255, (length - 10) >> 8]);
  bytes.set(new TextEncoder().encode(text), 10);
  bytes[length - 1] = 0x0a;
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), length);
  return bytes;
}

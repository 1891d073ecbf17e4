import type { NamedArrays, ParameterShape } from '../src/models/parameters.ts';

/**
 * Weights and tokens as a hash of their place: the same on every side, in any language, without being sent.
 * peers/pytorch.py has the same formulas.
 */

/** 32 bits of hash (lowbias32, found by C. Wellons' search over such hashes) of the `index`-th draw of a stream. */
export function hash(stream: number, index: number): number {
  let x = (Math.imul(stream + 1, 0x9e3779b9) + index) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Parameters at the start, uniform with the deviation that the model's own start has. */
export function startValues(parameters: readonly ParameterShape[]): NamedArrays {
  const entries = parameters.map(({ name, shape, start }, stream) => {
    const data = new Float32Array(shape.reduce((product, side) => product * side, 1));
    if (start === 'ones') data.fill(1);
    else if (start !== 'zeros') {
      if (start === 'orthogonal' || !('deviation' in start))
        throw new Error(`${name}: this start is not written for the bench`);
      const width = Math.sqrt(12) * start.deviation;
      for (let i = 0; i < data.length; i++) data[i] = (hash(stream, i) / 4294967296 - 0.5) * width;
    }
    return [name, { shape, data }] as const;
  });
  return new Map(entries);
}

/** Token ids [rows * columns]. Ids 0 to 2 (padding, begin, end) are left out, so that every token counts as a target. */
export function tokens(rows: number, columns: number, vocabulary: number): Int32Array {
  return Int32Array.from({ length: rows * columns }, (_, i) => 3 + (hash(999, i) % (vocabulary - 3)));
}

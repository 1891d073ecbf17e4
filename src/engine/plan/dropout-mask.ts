/**
 * Masks of inverted dropout are functions of (seed, site, index) alone, so that a resumed run meets the same ones and
 * every device draws the same: element `index` is 0 with probability `rate`, else 1 / (1 - rate).
 */

/** A 32-bit integer hash (lowbias32, found by C. Wellons' search over such hashes). */
function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** A run's seed, up to 2^53, as 32 bits. */
export function seedHash(seed: number): number {
  return (mix(seed >>> 0) ^ mix(Math.floor(seed / 4294967296) + 0x9e3779b9)) >>> 0;
}

/** What the mask of one site is numbered from. */
export function maskKey(seed: number, site: number): number {
  return mix(seedHash(seed) ^ mix(site + 0x85ebca6b));
}

/** One element: two share a hash, the even one its high half. */
export function maskElement(key: number, index: number, rate: number): number {
  const bits = mix(key + (index >>> 1));
  const half = index % 2 === 0 ? bits >>> 16 : bits & 0xffff;
  return half >= Math.round(rate * 65536) ? 1 / (1 - rate) : 0;
}

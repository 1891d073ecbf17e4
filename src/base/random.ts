/**
 * Seeded random numbers for batches, initial weights, dropout and self-play.
 * sfc32 seeded by a hash of the key: fast, passes PractRand, 128 bits of state, and any list of
 * numbers and words makes an independent stream ("batch", seed, epoch, game), so that a resumed run
 * needs no saved generator. Math.random was rejected because a run must repeat.
 */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, n). */
  below(n: number): number;
  /** Standard normal. */
  normal(): number;
}

/** An independent stream for each key. */
export function seededRandom(...key: (number | string)[]): Random {
  const [a0, b0, c0] = hashKey(key.join('\u0001'));
  let a = a0 | 0;
  let b = b0 | 0;
  let c = c0 | 0;
  let counter = 1;
  const uint32 = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 12; i++) uint32();
  const next = () => (uint32() * 2097152 + (uint32() >>> 11)) / 9007199254740992;
  let spare: number | null = null;
  return {
    next,
    below: (n) => Math.floor(next() * n),
    normal: () => {
      if (spare !== null) {
        const value = spare;
        spare = null;
        return value;
      }
      // Box and Muller; 1 - next() keeps the logarithm finite.
      const radius = Math.sqrt(-2 * Math.log(1 - next()));
      const angle = 2 * Math.PI * next();
      spare = radius * Math.sin(angle);
      return radius * Math.cos(angle);
    },
  };
}

/** Fisher and Yates, in place. */
export function shuffle<A extends { [i: number]: number; length: number }>(items: A, random: Random): A {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const kept = items[i];
    items[i] = items[j];
    items[j] = kept;
  }
  return items;
}

function hashKey(text: string): [number, number, number] {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  let h3 = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    h1 = Math.imul(h1 ^ code, 2654435761);
    h2 = Math.imul(h2 ^ code, 1597334677);
    h3 = Math.imul(h3 ^ code, 2246822519);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h3 ^ (h3 >>> 13), 3266489909);
  h3 = Math.imul(h3 ^ (h3 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return [h1 >>> 0, h2 >>> 0, h3 >>> 0];
}

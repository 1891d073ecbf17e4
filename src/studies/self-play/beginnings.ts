import { seededRandom, shuffle } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';

/** Games that are to be played on from the beginnings of held-out ones. */
export interface PlayRequest {
  /** Held-out games; those longer than `warmUp` plies give the beginnings. */
  games: Iterable<Uint16Array>;
  /** Games to play. */
  count: number;
  /** Plies of the held-out game before anybody plays; 0 begins every game at the initial position. */
  warmUp: number;
  /** Most plies after them, both sides counted. */
  plies: number;
  seed: number;
}

/**
 * The first `warmUp` plies of `count` games that go on after them, all different, in an order that the seed decides.
 * Without any plies all begin at the initial position. Fails with `too-few-games`.
 */
export function beginnings({ games, count, warmUp: plies, seed }: Omit<PlayRequest, 'plies'>): Result<Uint16Array[]> {
  if (plies === 0) return ok(Array.from({ length: count }, () => new Uint16Array(0)));
  const traces = [...games].filter((trace) => trace.length > plies);
  const order = shuffle(
    Uint32Array.from(traces, (_, i) => i),
    seededRandom('soundness games', seed),
  );
  const seen = new Set<string>();
  const found: Uint16Array[] = [];
  for (const i of order) {
    const start = traces[i].slice(0, plies);
    const key = start.join();
    if (seen.has(key)) continue;
    seen.add(key);
    found.push(start);
    if (found.length === count) return ok(found);
  }
  return fail(
    'too-few-games',
    `Only ${found.length} games have beginnings of ${plies} plies that differ, and ${count} are asked for; ` +
      'give more games, or ask for fewer or for shorter beginnings.',
  );
}

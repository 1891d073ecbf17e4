import { seededRandom, shuffle } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';

/**
 * The first `plies` moves of `count` games that go on after them, all different, in an order that the seed decides.
 * Without any plies all begin at the initial position. Fails with `too-few-games`.
 */
export function beginnings(
  games: Iterable<Uint16Array>,
  plies: number,
  count: number,
  seed: number,
): Result<Uint16Array[]> {
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

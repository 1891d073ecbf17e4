import { seededRandom } from '../../base/random.ts';
import { ok, type Result } from '../../base/result.ts';
import { INSTANCE_SEED } from '../../config/instance-seed.ts';
import { randomGame } from '../../domains/chess/rules/random-game.ts';
import type { AssessedSet } from './assessment.ts';
import { endedEarly, pauseOf, type Pace } from '../asking/cancellation.ts';
import { makeInstances, type Instance } from './instances.ts';
import { prefixRanges, type PrefixRange } from './prefix-ranges.ts';

/** What models are assessed on: the same for all that are compared. */
export interface Material {
  /** Games for perplexity; none where there are none. */
  dev: readonly Uint16Array[];
  test: readonly Uint16Array[];
  sets: readonly Omit<AssessedSet, 'answers'>[];
}

/** Games between two pauses: some milliseconds' work. */
const GAMES_BETWEEN_PAUSES = 200;

/**
 * Material from games. Instances are made from the probe games by the authors' procedure (instances.ts), none of whose
 * prefixes opens a training game; where `randomPlay`, each range has a second set, made in the same way from uniformly
 * random legal games, which lie outside of anything players do. `train` and `probe` are read once a set, so they must
 * be iterable again and again. Fails with `cancelled`.
 */
export function makeMaterial(
  games: {
    train: Iterable<Uint16Array>;
    dev: Iterable<Uint16Array>;
    test?: Iterable<Uint16Array>;
    probe: Iterable<Uint16Array>;
  },
  options: Pace & {
    ranges: readonly PrefixRange[];
    /** Instances wanted for each range. */
    instances: number;
    /** Games of dev, and of test, for perplexity: the first ones. */
    perplexityGames: number;
    randomPlay: boolean;
    /** The authors' where it is not said. */
    seed?: number;
  },
): Promise<Result<Material>> {
  const { instances: n, seed = INSTANCE_SEED } = options;
  const pause = pauseOf(options);
  const avoid = () => paced(games.train, pause);
  return endedEarly(async () => {
    const sets: Material['sets'][number][] = [];
    for (const range of options.ranges) {
      const made = { range: prefixRanges[range], n, seed, avoid: avoid() };
      sets.push({ range, source: 'games', instances: await makeInstances(paced(games.probe, pause), made) });
    }
    if (options.randomPlay)
      for (const range of options.ranges)
        sets.push({
          ...{ range, source: 'random play' },
          instances: await randomPlayInstances(prefixRanges[range], { n, seed }, avoid, pause),
        });
    return ok({
      dev: first(games.dev, options.perplexityGames),
      test: first(games.test ?? [], options.perplexityGames),
      sets,
    });
  });
}

/**
 * Instances from random legal games, game i from a stream of its own. About half of the games give one; where the first
 * batch of games gives too few, it is made longer, which changes none of those before.
 */
export async function randomPlayInstances(
  plies: readonly [number, number],
  { n, seed }: { n: number; seed: number },
  avoid: () => Iterable<Uint16Array> | AsyncIterable<Uint16Array>,
  pause: () => Promise<void> = async () => {},
): Promise<Instance[]> {
  for (let count = 3 * n; ; count *= 4) {
    const played = (function* () {
      for (let i = 0; i < count; i++) yield randomGame(seededRandom('random play', seed, i), plies[1] + 1);
    })();
    const made = await makeInstances(paced(played, pause), { range: plies, n, seed, avoid: avoid() });
    if (made.length >= n || count > 100 * n) return made;
  }
}

async function* paced(games: Iterable<Uint16Array>, pause: () => Promise<void>): AsyncGenerator<Uint16Array> {
  let read = 0;
  for (const game of games) {
    if (read++ % GAMES_BETWEEN_PAUSES === 0) await pause();
    yield game;
  }
}

function first(games: Iterable<Uint16Array>, count: number): Uint16Array[] {
  const taken: Uint16Array[] = [];
  for (const game of games) {
    if (taken.length === count) break;
    taken.push(game);
  }
  return taken;
}

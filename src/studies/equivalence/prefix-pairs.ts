import { seededRandom } from '../../base/random.ts';
import { positionAfter } from '../../domains/chess/replay.ts';
import type { Notation } from '../../domains/domain.ts';
import { boundary, legalOneMove } from './one-move-language.ts';
import { transposition } from './transpositions.ts';

/** Plies of a prefix of a pair: drawn between these, where the game is that long. */
export const SHORTEST_STORY = 10;
const LONGEST_STORY = 100;
/** Draws of games for each pair that is wanted; some games have no other order. */
const DRAWS = 20;

/** Two prefixes of equal length. */
export interface StoryPair {
  first: Uint16Array;
  second: Uint16Array;
}

/**
 * Pairs of move orders to one position, and pairs of positions that one legal move at most tells apart, made of the
 * beginnings of games that the seed draws. There may be fewer than asked for. Pauses before each draw.
 */
export async function storyPairs(
  games: Iterable<Uint16Array>,
  options: {
    notation: Notation;
    pairs: number;
    seed: number;
    fits: (prefix: Uint16Array) => boolean;
    pause: () => Promise<void>;
  },
): Promise<{ same: StoryPair[]; different: StoryPair[] }> {
  const { notation, pairs, fits, pause } = options;
  const usable = [...games].filter((trace) => trace.length > SHORTEST_STORY);
  const same: StoryPair[] = [];
  const different: StoryPair[] = [];
  const random = seededRandom('equivalence pairs', options.seed);
  for (let draw = 0; draw < DRAWS * pairs && usable.length > 0; draw++) {
    if (same.length >= pairs && different.length >= pairs) break;
    await pause();
    const game = usable[random.below(usable.length)];
    const other = usable[random.below(usable.length)];
    // A move follows every prefix, so that no game is over.
    const longest = Math.min(LONGEST_STORY, game.length - 1);
    const plies = SHORTEST_STORY + random.below(longest - SHORTEST_STORY + 1);
    const first = game.slice(0, plies);
    if (!fits(first)) continue;
    if (same.length < pairs) {
      const second = transposition(first, random);
      if (second !== null) same.push({ first, second });
    }
    const second = other.slice(0, plies);
    if (different.length >= pairs || other.length <= plies || !fits(second)) continue;
    const [here, there] = [first, second].map((prefix) => legalOneMove(notation, positionAfter(prefix)));
    if (boundary(here, there).size > 0) different.push({ first, second });
  }
  return { same, different };
}

import type { Notation } from '../domains/domain.ts';
import { Corpus } from './corpus.ts';

/** The games that a notation has a token for every event of, and how many others there are. */
export function writtenGames(games: Corpus, notation: Notation): { games: Corpus; leftOut: number } {
  if (notation.writes === undefined) return { games, leftOut: 0 };
  const written = Corpus.from([...games].filter((trace) => notation.writes!(trace)));
  return { games: written, leftOut: games.length - written.length };
}

/** What is said of games that are left out; null where there are none. */
export function leftOutMessage(leftOut: number, of: number): string | null {
  if (leftOut === 0) return null;
  return `${leftOut} of ${of} training games ${leftOut === 1 ? 'has' : 'have'} a move that is no token of the model; they are left out.`;
}

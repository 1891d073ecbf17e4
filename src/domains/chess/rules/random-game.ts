import type { Random } from '../../../base/random.ts';
import { isInsufficientMaterial } from './outcome.ts';
import { Position } from './position.ts';

/** Plies without capture or pawn move after which a game is drawn without a claim (FIDE Laws 9.6). */
const SEVENTY_FIVE_MOVES = 150;

/** Which of a position's legal moves, at least one, a player chooses among. */
export type AmongMoves = (legal: readonly number[], position: Position) => readonly number[];

/**
 * A game of uniformly random legal moves, as BIG-bench's synthetic chess_state_tracking has them: until mate, stalemate,
 * too little material to mate, the seventy-five-move rule, or `plies` moves in all. Nobody claims draws, and repetition
 * ends nothing, since random players take no notice of either.
 * @param beginning legal moves that it begins with
 * @param among all of the legal moves where not said
 */
export function randomGame(
  random: Random,
  plies: number,
  beginning: Iterable<number> = [],
  among: AmongMoves = (legal) => legal,
): Uint16Array {
  const moves = [...beginning];
  const position = Position.initial();
  for (const move of moves) position.play(move);
  while (moves.length < plies && position.halfmoveClock < SEVENTY_FIVE_MOVES) {
    const legal = position.legalMoves();
    if (legal.length === 0 || isInsufficientMaterial(position)) break;
    const choice = among(legal, position);
    const move = choice[random.below(choice.length)];
    position.play(move);
    moves.push(move);
  }
  return Uint16Array.from(moves);
}

import type { Random } from '../../../base/random.ts';
import { isInsufficientMaterial } from './outcome.ts';
import { Position } from './position.ts';

/** Plies without capture or pawn move after which a game is drawn without a claim (FIDE Laws 9.6). */
const SEVENTY_FIVE_MOVES = 150;

/**
 * A game of uniformly random legal moves from the initial position, as BIG-bench's synthetic chess_state_tracking has
 * them: until mate, stalemate, too little material to mate, the seventy-five-move rule, or `plies` moves. Nobody claims
 * draws, and repetition ends nothing, since random players take no notice of either.
 */
export function randomGame(random: Random, plies: number): Uint16Array {
  const position = Position.initial();
  const moves: number[] = [];
  while (moves.length < plies && position.halfmoveClock < SEVENTY_FIVE_MOVES) {
    const legal = position.legalMoves();
    if (legal.length === 0 || isInsufficientMaterial(position)) break;
    const move = legal[random.below(legal.length)];
    position.play(move);
    moves.push(move);
  }
  return Uint16Array.from(moves);
}

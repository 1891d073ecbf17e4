import { BISHOP, KING, KNIGHT } from './pieces.ts';
import type { Position } from './position.ts';
import { repetitions } from './repetition.ts';

export type Outcome =
  | 'White wins by checkmate'
  | 'Black wins by checkmate'
  | 'draw by stalemate'
  | 'draw by insufficient material'
  | 'draw by fivefold repetition'
  | 'draw by the seventy-five-move rule';

/** How the game is over without anybody claiming it (FIDE Laws 5 and 9.6), or null. */
export function outcomeOf(position: Position): Outcome | null {
  if (position.legalMoves().length === 0) {
    if (!position.inCheck()) return 'draw by stalemate';
    return position.turn === 0 ? 'Black wins by checkmate' : 'White wins by checkmate';
  }
  if (isInsufficientMaterial(position)) return 'draw by insufficient material';
  if (position.reversibleCount >= 16 && repetitions(position) >= 5) return 'draw by fivefold repetition';
  if (position.halfmoveClock >= 150) return 'draw by the seventy-five-move rule';
  return null;
}

/** A draw that the side to move may claim (FIDE Laws 9.2 and 9.3); the game goes on if nobody does. */
export function claimableDraw(position: Position): 'threefold repetition' | 'fifty-move rule' | null {
  if (position.reversibleCount >= 8 && repetitions(position) >= 3) return 'threefold repetition';
  return position.halfmoveClock >= 100 ? 'fifty-move rule' : null;
}

/** Whether neither side could mate by any moves, judged by material alone: bare kings, one minor piece, or bishops of one colour. */
export function isInsufficientMaterial({ board }: Position): boolean {
  let knights = 0;
  const bishops = [0, 0];
  for (let square = 0; square < 64; square++) {
    const kind = board[square] & 7;
    if (kind === 0 || kind === KING) continue;
    if (kind === KNIGHT) knights++;
    else if (kind === BISHOP) bishops[((square >> 3) + square) & 1]++;
    else return false;
  }
  if (knights === 0) return bishops[0] === 0 || bishops[1] === 0;
  return knights === 1 && bishops[0] + bishops[1] === 0;
}

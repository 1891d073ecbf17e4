import { REACH, REACH_OF_KIND } from './geometry.ts';
import { packMove } from './move.ts';
import { PAWN, PROMOTIONS } from './pieces.ts';
import type { Position } from './position.ts';

/**
 * The moves that pieces of the side to move could make if each were alone on an otherwise empty board: what SPLAT calls
 * in-pattern (Demeter and Downey 2021, section 6.1), packed as in move.ts. Those words decide the odd cases. A lone
 * pawn has nothing to capture, so it goes straight on: one square, or two from its second rank; on the last rank it must
 * be promoted, in four ways. A lone king has no rook to castle with. Nothing gives check. Captures by pawns and castling
 * are therefore in this list never, even where the rules allow them.
 */
export function inPatternMoves({ board, turn }: Position): number[] {
  const moves: number[] = [];
  for (let from = 0; from < 64; from++) {
    const piece = board[from];
    if (piece === 0 || piece >> 3 !== turn) continue;
    if ((piece & 7) === PAWN) {
      pawnMoves(from, turn, moves);
      continue;
    }
    const reach = REACH_OF_KIND[piece & 7];
    for (let to = 0; to < 64; to++) if (REACH[from * 64 + to] & reach) moves.push(packMove(from, to));
  }
  return moves;
}

function pawnMoves(from: number, turn: number, moves: number[]): void {
  const step = turn === 0 ? 8 : -8;
  const [second, last] = turn === 0 ? [1, 7] : [6, 0];
  const to = from + step;
  if (to >> 3 === last) for (const kind of PROMOTIONS) moves.push(packMove(from, to, kind));
  else moves.push(packMove(from, to));
  if (from >> 3 === second) moves.push(packMove(from, to + step));
}

import { fromSquare, toSquare } from './move.ts';
import { Position } from './position.ts';

/**
 * How often the position has stood on the board, this time included: same pieces, side to move, castling
 * rights and legal en passant (FIDE Laws 9.2). Exact: it steps back over the moves that can be undone and
 * compares boards, so that no hash can collide and `play` has none to keep up.
 */
export function repetitions(position: Position): number {
  const { board, reversible, reversibleCount } = position;
  const past = board.slice();
  let different = 0;
  let count = 1;
  for (let i = reversibleCount - 1; i >= 0; i--) {
    const from = fromSquare(reversible[i]);
    const to = toSquare(reversible[i]);
    different -= differs(past, board, from) + differs(past, board, to);
    past[from] = past[to];
    past[to] = 0;
    different += differs(past, board, from) + differs(past, board, to);
    if (different !== 0 || (reversibleCount - i) % 2 !== 0) continue;
    if (i > 0 || !enPassantWasLegal(position, past)) count++;
  }
  return count;
}

function differs(a: Int8Array, b: Int8Array, square: number): number {
  return a[square] === b[square] ? 0 : 1;
}

/** Only the first position after an irreversible move can have had an en passant capture. */
function enPassantWasLegal(position: Position, past: Int8Array): boolean {
  if (position.rootEnPassant < 0) return false;
  const root = position.clone();
  root.board.set(past);
  root.enPassant = position.rootEnPassant;
  return root.legalEnPassant() >= 0;
}

import { KNIGHT_TARGETS, RAY_SQUARES, RAY_START } from './geometry.ts';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK } from './pieces.ts';

/** Whether a piece of `side` attacks `square`. `board` is [64] piece codes. */
export function isAttacked(board: Int8Array, square: number, side: number): boolean {
  const knights = KNIGHT_TARGETS[square];
  const knight = KNIGHT | (side << 3);
  for (let i = 0; i < knights.length; i++) if (board[knights[i]] === knight) return true;
  for (let direction = 0; direction < 8; direction++)
    if (attackerAlong(board, square, side, direction) >= 0) return true;
  return false;
}

/** Squares of all pieces of `side` that attack `square`. */
export function attackersOf(board: Int8Array, square: number, side: number): number[] {
  const found = KNIGHT_TARGETS[square].filter((from) => board[from] === (KNIGHT | (side << 3)));
  for (let direction = 0; direction < 8; direction++) {
    const from = attackerAlong(board, square, side, direction);
    if (from >= 0) found.push(from);
  }
  return found;
}

/** The square of the piece of `side` that attacks `square` from this direction (geometry.ts), or -1. */
function attackerAlong(board: Int8Array, square: number, side: number, direction: number): number {
  const start = RAY_START[square * 8 + direction];
  const end = RAY_START[square * 8 + direction + 1];
  for (let i = start; i < end; i++) {
    const from = RAY_SQUARES[i];
    const piece = board[from];
    if (piece === 0) continue;
    if (piece >> 3 !== side) return -1;
    const kind = piece & 7;
    if (kind === QUEEN || kind === (direction < 4 ? ROOK : BISHOP)) return from;
    if (i === start) {
      if (kind === KING) return from;
      // White pawns attack upwards, so seen from the square they stand to its south-east or south-west.
      if (kind === PAWN && direction >= 4 && (direction === 5 || direction === 6) === (side === 0)) return from;
    }
    return -1;
  }
  return -1;
}

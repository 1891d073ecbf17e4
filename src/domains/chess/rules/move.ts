/**
 * A move in 16 bits: from | to << 6 | promotion << 12, where the promotion is the kind of the new piece or 0. Castling is
 * the king's two-square move, en passant the pawn's own.
 */
export function packMove(from: number, to: number, promotion = 0): number {
  return from | (to << 6) | (promotion << 12);
}

export function fromSquare(move: number): number {
  return move & 63;
}

export function toSquare(move: number): number {
  return (move >> 6) & 63;
}

/** The kind that the pawn becomes (KNIGHT to QUEEN), or 0. */
export function promotionOf(move: number): number {
  return move >> 12;
}

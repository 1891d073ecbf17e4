/**
 * A move is 16 bits: from | to << 6 | promotion << 12 (0 none, 2 knight, 3 bishop, 4 rook, 5 queen).
 * Castling is the king's two-square move, en passant the pawn's own.
 */
export function packMove(from: number, to: number, promotion = 0): number {
  return from | (to << 6) | (promotion << 12);
}

export function fromOf(move: number): number {
  return move & 63;
}

export function toOf(move: number): number {
  return (move >> 6) & 63;
}

export function promotionOf(move: number): number {
  return move >> 12;
}

import { Position } from './position.ts';

/** Leaves of the tree of legal moves at a depth in plies: the standard test of move generation. */
export function perft(position: Position, depth: number): number {
  if (depth === 0) return 1;
  const moves = position.legalMoves();
  if (depth === 1) return moves.length;
  const child = new Position();
  let leaves = 0;
  for (const move of moves) {
    child.copyFrom(position).play(move);
    leaves += perft(child, depth - 1);
  }
  return leaves;
}

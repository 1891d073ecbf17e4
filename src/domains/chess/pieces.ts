/** 0 White, 1 Black. */
export type Side = 0 | 1;

/** Piece kinds. A piece code is kind | side << 3; 0 is an empty square. */
export const PAWN = 1;
export const KNIGHT = 2;
export const BISHOP = 3;
export const ROOK = 4;
export const QUEEN = 5;
export const KING = 6;

/** Letter and name of each kind, by kind; index 0 is the empty square. */
export const KIND_LETTERS = ['', 'P', 'N', 'B', 'R', 'Q', 'K'] as const;
export const KIND_NAMES = ['', 'pawn', 'knight', 'bishop', 'rook', 'queen', 'king'] as const;
export const SIDE_NAMES = ['White', 'Black'] as const;

/** FEN letter by piece code: upper case for White, lower case for Black. */
export const PIECE_LETTERS = '.PNBRQK..pnbrqk';

export function kindOf(code: number): number {
  return code & 7;
}

export function sideOf(code: number): Side {
  return (code >> 3) as Side;
}

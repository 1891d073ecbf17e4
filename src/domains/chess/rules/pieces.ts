/** 0 White, 1 Black. */
export type Side = 0 | 1;

/** Piece kinds. A piece code is kind | side << 3; 0 is an empty square. */
export const PAWN = 1;
export const KNIGHT = 2;
export const BISHOP = 3;
export const ROOK = 4;
export const QUEEN = 5;
export const KING = 6;

/** The letters of the six kinds, from PAWN to KING. */
export const PIECES = ['P', 'N', 'B', 'R', 'Q', 'K'] as const;
export type PieceLetter = (typeof PIECES)[number];
export const PIECE_NAMES = {
  P: 'pawn',
  N: 'knight',
  B: 'bishop',
  R: 'rook',
  Q: 'queen',
  K: 'king',
} as const satisfies Record<PieceLetter, string>;

/** Letter and name of each kind, by kind; index 0 is the empty square. */
export const KIND_LETTERS = ['', ...PIECES] as const;
export const KIND_NAMES: readonly string[] = KIND_LETTERS.map((letter) => (letter === '' ? '' : PIECE_NAMES[letter]));
export const SIDE_NAMES = ['White', 'Black'] as const;

/** The kinds that a pawn may become, and the letter of each in UCI, by kind. */
export const PROMOTIONS = [QUEEN, ROOK, BISHOP, KNIGHT] as const;
export const PROMOTION_LETTERS = ['', '', 'n', 'b', 'r', 'q'] as const;

/** FEN letter by piece code: upper case for White, lower case for Black. */
export const PIECE_LETTERS = `.${PIECES.join('')}..${PIECES.join('').toLowerCase()}`;
/** What may stand on a square, by its FEN letter: nothing, a white piece, a black piece. */
export const SQUARE_VALUES: readonly string[] = [...new Set(PIECE_LETTERS)];

/** FEN letters of piece codes, '.' for an empty square. */
export function lettersOf(codes: ArrayLike<number>): string {
  return Array.from(codes, (code) => PIECE_LETTERS[code]).join('');
}

export function kindOf(code: number): number {
  return code & 7;
}

export function sideOf(code: number): Side {
  return (code >> 3) as Side;
}

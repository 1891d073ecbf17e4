/** A chess board as data; board-svg.ts draws it. Squares are numbered from a1 (0) along the ranks to h8 (63). */
export interface Board {
  /** [64] FEN letters by square, '.' where a square is empty. */
  pieces: string;
  /** Seen from Black's side. */
  flipped: boolean;
  /** The square that is asked about. */
  framed: number | null;
  /** Squares with a dot: where the piece may go. */
  dots: readonly number[];
  /** From one square to another: where the model sends it. */
  arrow: readonly [number, number] | null;
  /** What the board shows, in words, for those who do not see it. */
  description: string;
}

/** A chess board as data; board-svg.ts draws it. Squares are numbered from a1 (0) along the ranks to h8 (63). */
export interface Board {
  /** [64] FEN letters by square, '.' where a square is empty. */
  pieces: string;
  /** Seen from Black's side. */
  flipped: boolean;
  /** The square that is asked about; null where the question is which. */
  framed: number | null;
  /** Squares with a dot: the right answers. */
  dots: readonly number[];
  /** The square that the model answers, with an arrow to it from the framed one; null where its answer is none. */
  answered: number | null;
  /** What the board shows, in words, for those who do not see it. */
  description: string;
}

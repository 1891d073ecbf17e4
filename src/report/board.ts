/** A chess board as data; board-svg.ts draws it. Squares are numbered from a1 (0) along the ranks to h8 (63). */
export interface Board {
  /** [64] FEN letters by square, '.' where a square is empty. */
  pieces: string;
  /** What the board shows, in words, for those who do not see it. */
  description: string;
  /** Seen from Black's side. */
  flipped?: boolean;
  /** The names of files and ranks. */
  coordinates?: boolean;
  /** [64] probabilities, painted on the squares. */
  heat?: ArrayLike<number> | null;
  /** Whether heat that lies on no right answer is painted as wrong. */
  judged?: boolean;
  /** Squares that an edit changed. */
  changed?: readonly number[];
  /** The square that is asked about; null where the question is which. */
  framed?: number | null;
  /** The right answers. */
  legal?: readonly number[];
  /** The square that the model answers, and whether that is right; an arrow leads to a wrong one. */
  answered?: { square: number; right: boolean } | null;
}

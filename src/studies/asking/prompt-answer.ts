/** One candidate continuation of a prompt, judged by the rules. */
export interface Candidate {
  token: string;
  /** Square index (a1 = 0) where the token names one. */
  square: number | null;
  probability: number;
  legal: boolean;
  /** The authors' class for a wrong destination; null where legal or where the question has no such classes. */
  error: 'unreachable' | 'syntax' | 'path obstruction' | 'pseudo legal' | null;
  /** In plain words why it is wrong ("the pawn on g2 is in the way"); null where legal. */
  why: string | null;
  /** The same in a few words that fit beside the class ("own pawn on g2"). */
  brief: string | null;
  /** Squares of the pieces in the way. */
  blockers: number[];
  /** Lines of check that the move would leave open, attacker to king. */
  checkLines: { from: number; to: number }[];
}

/** What a model says at the end of a prompt, reduced to what is drawn. */
export interface PromptAnswer {
  /** The prompt in canonical UCI text. */
  canonical: string;
  /** Training step of the weights that answered. */
  step: number;
  /** The likeliest tokens (ten, or as many as were asked for), best first. */
  candidates: Candidate[];
  /** [64] probability that the next token is this square. */
  squares: Float32Array;
  /** Squares that would be legal answers. */
  legal: number[];
  /** Probability on all legal answers together. */
  legalMass: number;
  /** For each piece kind P N B R Q K: [64] probability that the side to move's piece of this kind moves from there. */
  pieces: Record<'P' | 'N' | 'B' | 'R' | 'Q' | 'K', Float32Array>;
  /** False where the model never saw piece names (UCI notation), so that `pieces` means nothing. */
  knowsPieceNames: boolean;
  /** Time the model took, milliseconds. */
  milliseconds: number;
}

/** Where a model sees the pieces, ply by ply through one game. Board arrays are [64], a1 first. */
export interface GameMap {
  /** UCI moves of the game. */
  moves: string[];
  /** [(plies + 1) * 64] piece codes of the true boards (0 empty; low three bits 1 to 6 for P N B R Q K, bit 3 Black). */
  boards: Uint8Array;
  /**
   * [(plies + 1) * 6 * 64] for the side to move after each ply and each kind P N B R Q K: probability that the model
   * answers the Start prompt of that kind with this square.
   */
  pieces: Float32Array;
  /**
   * [(plies + 1) * 64] agreement with the truth, 0 to 1. On a square from which the side to move may move a piece: the
   * probability there under its own kind's prompt, times the number of such squares of its kind, at most 1 (1 is its
   * fair share). On every other square: 1 minus the largest probability that any kind of piece starts there.
   */
  agreement: Float32Array;
  /** False where the model never saw piece names, so that `pieces` means nothing. */
  knowsPieceNames: boolean;
}

/** Where every movable piece of the side to move would go, asked one by one. */
export interface EndMap {
  /** The prompt in canonical UCI text, its question left out. */
  canonical: string;
  pieces: {
    /** Square of the piece, and its kind 1 to 6 for P N B R Q K. */
    from: number;
    kind: number;
    /** [64] probability of each destination. */
    to: Float32Array;
    legal: number[];
    /** Probability on legal destinations. */
    legalMass: number;
  }[];
}

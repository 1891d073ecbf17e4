/** Who plays against the model, always legally (Balogh and Jelasity 2026). */
export const adversaries = ['random', 'own', 'least likely', 'illegal mass'] as const;
export type Adversary = (typeof adversaries)[number];

/** How often an adversary makes the model, answering greedily as the other side, write an illegal move. */
export interface SoundnessReport {
  games: number;
  rows: {
    adversary: Adversary;
    /** Share of games in which the model wrote an illegal move. */
    attackSuccess: number;
    ci95: [number, number];
    /** Share of the model's moves that were legal. */
    legalMoves: number;
    /** Mean plies until the illegal move, of the games that have one; null where none has. */
    pliesToSuccess: number | null;
    /** A few of the games: the prompt at which the model failed, and what it wrote. */
    examples: { prompt: string; wrote: string; words: string }[];
  }[];
}

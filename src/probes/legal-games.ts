/** Self-play without help: how far the model gets, and how often to the end. */
export interface LegalGamesReport {
  games: number;
  /** Share of games without one illegal ply. */
  fullyLegal: number;
  ci95: [number, number];
  /** Share of plies that were legal, the first illegal one of a game ending it. */
  legalPlies: number;
  /** Plies before the first illegal one, or the game's length; one number a game. */
  lengths: number[];
  /** The games that ended illegally: UCI moves and the move that was illegal. */
  illegal: { moves: string; wrote: string; words: string }[];
}

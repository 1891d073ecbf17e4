/** One ply of a game that a model plays against itself. */
export interface SelfPlayPly {
  /** What the model wrote: "d1h5", or other tokens where it wrote no move at all. */
  wrote: string;
  legal: boolean;
  /** Why it is illegal, in plain words. */
  why: string | null;
  /** The move that was played on: what it wrote, or where that was illegal its likeliest legal move. */
  played: string;
}

export interface SelfPlayGame {
  step: number;
  plies: SelfPlayPly[];
  legalPlies: number;
  /** How it ended: "White wins by checkmate", "The model ended the game", "Stopped after 120 plies" ... */
  ending: string;
}

/** Scores on one chess_state_tracking file of BIG-bench (Srivastava et al. 2022; Toshniwal et al. made the task). */
export interface BigbenchReport {
  n: number;
  /** Share of examples whose likeliest destination square is among the targets. */
  accuracy: number;
  ci95: [number, number];
  /** What a uniformly random legal move of that piece would score on exact moves: the mean of 1 / |targets|. */
  random: number;
}

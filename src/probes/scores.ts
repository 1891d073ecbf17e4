import type { Estimate } from '../base/statistics.ts';

/** Prefix lengths in plies that the chess testbed probes: its appendix's short range and the paper's long one. */
export const prefixRanges = { short: [5, 50], long: [51, 100] } as const;
export type PrefixRange = keyof typeof prefixRanges;

/** Exact-move and legal-move accuracy of one task over one set of instances. */
export interface TaskScores {
  exact: Estimate;
  legal: Estimate;
}

export interface RangeScores {
  endActual: TaskScores;
  startActual: TaskScores;
}

/** One evaluation of a model in training. */
export interface Evaluation {
  step: number;
  /** Canonical perplexity a move on held-out games (testbed definition). */
  devPerplexity: number;
  short: RangeScores;
  long: RangeScores;
}

/** Faint lines behind the curves: what the same instances give to something that has learned no board. */
export interface ReferenceScores {
  /** Expected exact-move accuracy of a uniformly random legal answer. */
  randomLegal: Record<PrefixRange, { endExact: number; startExact: number }>;
  /** Commonest destination given start square and side, counted on the training games. */
  bigram: Record<PrefixRange, { endExact: number; endLegal: number }>;
  instances: Record<PrefixRange, number>;
}

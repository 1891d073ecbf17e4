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

/** One evaluation of a model in training: by the chess testbed where it reads its notations, by SPLAT where it reads that. */
export interface Evaluation {
  step: number;
  /** Perplexity on held-out games: canonical and a move (testbed definition), or a token (SPLAT). */
  devPerplexity: number;
  short?: RangeScores;
  long?: RangeScores;
  splat?: SplatScores;
}

/** The testbed's. */
export interface BoardEvaluation extends Evaluation {
  short: RangeScores;
  long: RangeScores;
}

/** What SPLAT measures while a model trains. */
export interface SplatScores {
  /** Mean R-precision of Legal Verbs over the whole vocabulary, after the verbs of held-out games. */
  legalVerbs: Estimate;
  /** Share answered rightly, by the name of the question; empty for a model that only reads games. */
  questions: Record<string, Estimate>;
}

/** What random answers score: R-precision of random tokens, and gold answers of other questions of the same kind. */
export interface SplatReferences {
  legalVerbs: number;
  questions: Record<string, number>;
  /** Held-out questions of each kind. */
  asked: Record<string, number>;
}

/** Faint lines behind the curves, of the one kind of evaluation or the other. */
export type References = { kind: 'board'; scores: ReferenceScores } | { kind: 'splat'; scores: SplatReferences };

/** What the testbed's instances give to something that has learned no board. */
export interface ReferenceScores {
  /** Expected exact-move accuracy of a uniformly random legal answer. */
  randomLegal: Record<PrefixRange, { endExact: number; startExact: number }>;
  /** Commonest destination given start square and side, counted on the training games. */
  bigram: Record<PrefixRange, { endExact: number; endLegal: number }>;
  instances: Record<PrefixRange, number>;
}

import type { Candidate } from '../../studies/asking/prompt-answer.ts';

/** The candidate whose reasons a board draws: the pointed one, or the likeliest wrong one; null where there is none. */
export function explainedOf(candidates: readonly Candidate[], pointed: number | null): Candidate | null {
  if (pointed !== null) return candidates[pointed] ?? null;
  return candidates.slice(0, 6).find((candidate) => !candidate.legal && candidate.probability >= 0.02) ?? null;
}

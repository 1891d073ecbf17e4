import type { RecordedModel, RecordedRange } from '../recorded-model.ts';
import type { AssessedModel } from '../subject-schema.ts';
import type { AssessedSet, Assessment } from './assessment.ts';
import type { PrefixRange } from './prefix-ranges.ts';

/** What the record of a model tells as an assessment without answers; null where its scores are of events. */
export function recordedAssessment(subject: AssessedModel, { scores }: RecordedModel): Assessment | null {
  if (!('short' in scores)) return null;
  const { games, moves, perplexity } = scores.perplexity;
  const setOf = (range: PrefixRange, { tasks, computedBy }: RecordedRange, of?: string): AssessedSet => ({
    ...{ range, source: 'games', instances: [], answers: [] },
    recorded: { tasks, questions: computedBy[0], ...(of === undefined ? {} : { of }) },
  });
  return {
    version: 1,
    subject,
    perplexity: { dev: { games, moves, perplexity }, test: null },
    sets: [
      setOf('long', scores.long),
      setOf('short', scores.short),
      ...(scores.splits ?? []).map((split) => setOf('long', split, split.words)),
    ],
  };
}

/** Questions of each kind in a set, whether its answers are here or its scores alone. */
export function questionsIn({ instances, recorded }: AssessedSet): number {
  return recorded === undefined ? instances.length : recorded.tasks['end-actual'].n;
}

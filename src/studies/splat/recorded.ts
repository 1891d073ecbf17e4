import type { RecordedModel } from '../recorded-model.ts';
import type { AssessedModel } from '../subject-schema.ts';
import type { SplatAssessment } from './splat-assessment.ts';

/** What the record of a model tells as an assessment without answers; null where its scores are of squares. */
export function recordedSplat(subject: AssessedModel, { config, scores }: RecordedModel): SplatAssessment | null {
  if (!('legal' in scores)) return null;
  const { n, rprec, ci95, random } = scores.legal;
  return {
    ...{ version: 1, subject, domain: config.domain, perplexity: scores.perplexity },
    ...{ legalVerbs: [], lines: [], answers: [] },
    recorded: { n, rPrecision: rprec, ci95, legalMass: scores.legalMass },
    random: { legalVerbs: random, questions: {} },
  };
}

import { questionsFor } from '../questions/questions.ts';
import type { LegalVerbsAnswer, SplatAssessment } from '../splat-assessment.ts';

/**
 * The two ways in which Legal Verbs (Demeter and Downey 2021, section 5.1) is counted: by the tokens that may come next,
 * and by all that legal verbs are spelt with, which the paper's figures for baseball seem to be (next-tokens.ts there).
 */

/** Whether the two counts of a game differ; false where a verb is one token, and for games that are not known. */
export function countsDiffer(domain: string): boolean {
  const questions = questionsFor(domain);
  return questions.ok && questions.value.spelt;
}

/**
 * An answer to Legal Verbs of this game by all tokens that legal verbs are spelt with, a share; null where the counts
 * differ and the answer, of an older assessment, has the next token's alone.
 */
export function speltPrecision(domain: string): (answer: LegalVerbsAnswer) => number | null {
  const differ = countsDiffer(domain);
  return ({ spelling, rPrecision }) => spelling?.rPrecision ?? (differ ? null : rPrecision);
}

/** What random answers score by that count, a share; null where an older assessment does not tell. */
export function speltRandom({ domain, random }: Pick<SplatAssessment, 'domain' | 'random'>): number | null {
  return random.spelling ?? (countsDiffer(domain) ? null : random.legalVerbs);
}

import type { SplatAssessment } from '../../probes/questions/splat-assessment.ts';
import type { Member } from '../table.ts';
import { LEGAL_VERBS } from './cells.ts';

/** An answer as it is told to people. */
export interface ToldSplatAnswer {
  model: string;
  /** "Q: assignment of e4". */
  question: string;
  /** "says P, and so it is". */
  verdict: string;
  /** Fully right: for Legal Verbs, every one of the likeliest tokens was legal. */
  right: boolean;
  /** The line that was asked, or the beginning of a game; '' in assessments that keep none. */
  line: string;
}

/** The answer that a number counts. Members come from tables of the same list, so they are all there. */
export function toldSplatAnswer(
  assessments: readonly SplatAssessment[],
  { assessment, set, answer }: Member,
): ToldSplatAnswer {
  const { subject, legalVerbs, prefixes, answers, lines } = assessments[assessment];
  if (set === LEGAL_VERBS) {
    const { events, legal, rPrecision, spelling, legalMass, inPatternMass } = legalVerbs[answer];
    const hits = Math.round(rPrecision * legal);
    const spelt =
      spelling === undefined || spelling.tokens === legal
        ? ''
        : `, and ${Math.round(spelling.rPrecision * spelling.tokens)} of the ${spelling.tokens} likeliest among the ${spelling.tokens} that legal verbs are spelt with`;
    const pattern = inPatternMass === null ? '' : `, ${percent(inPatternMass)} on in-pattern ones`;
    return {
      model: subject.name,
      question: `What may come after ${events} events?`,
      verdict: `${hits} of the ${legal} likeliest are among the ${legal} that are legal${spelt}; ${percent(legalMass)} of its trust on legal ones${pattern}`,
      right: rPrecision === 1,
      line: prefixes?.[answer] ?? '',
    };
  }
  const { form, args, events, gold, answered, correct, goldProbability, line, distance } = answers[answer];
  const trust = goldProbability === null ? '' : `, of which it gives the right one ${percent(goldProbability)}`;
  const away = distance === null ? '' : `; the nearest state of fine-tuning differs in ${distance}`;
  const said = correct ? `says ${answered}, which is right` : `says ${answered}; right would be ${gold}`;
  return {
    model: subject.name,
    question: `${[form, ...args].join(' ')}, after ${events} events`,
    verdict: `${said}${trust}${away}`,
    right: correct,
    line: lines[line],
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

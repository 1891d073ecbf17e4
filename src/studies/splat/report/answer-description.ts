import type { SplatAssessment } from '../splat-assessment.ts';
import type { AnswerView } from '../../../report/report.ts';
import type { Member } from '../../../report/table.ts';
import { ANSWERS, SPELT } from './cells.ts';

/** Fully right: for Legal Verbs, every one of the likeliest tokens was among those that its count wants. */
export function isRight(assessments: readonly SplatAssessment[], { assessment, set, answer }: Member): boolean {
  const { legalVerbs, answers } = assessments[assessment];
  if (set === ANSWERS) return answers[answer].correct;
  const { spelling, rPrecision } = legalVerbs[answer];
  return (set === SPELT ? spelling?.rPrecision : rPrecision) === 1;
}

/** The answer that a number counts. Members come from tables of the same list, so they are all there. */
export function toldSplatAnswer(assessments: readonly SplatAssessment[], member: Member): AnswerView {
  const { assessment, set, answer } = member;
  const { subject, legalVerbs, prefixes, answers, lines } = assessments[assessment];
  if (set !== ANSWERS) {
    const { events, legal, rPrecision, spelling, legalMass, inPatternMass } = legalVerbs[answer];
    const next = hitsOf({ tokens: legal, rPrecision }, 'are legal');
    // In chess both counts are one, which is told once.
    const isTold = spelling !== undefined && (set === SPELT || spelling.tokens !== legal);
    const spelt = isTold ? hitsOf(spelling, 'legal verbs are spelt with') : null;
    const counts = (set === SPELT ? [spelt, next] : [next, spelt]).filter((words) => words !== null);
    const pattern = inPatternMass === null ? '' : `, ${percent(inPatternMass)} on in-pattern ones`;
    return {
      model: subject.name,
      question:
        set === SPELT
          ? `Which tokens are legal verbs spelt with after ${events} events?`
          : `What may come after ${events} events?`,
      verdict: `${counts.join(', and ')}; ${percent(legalMass)} of its trust on legal ones${pattern}`,
      right: isRight(assessments, member),
      more: '',
      prompt: prefixes?.[answer] ?? '',
      board: null,
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
    more: '',
    prompt: lines[line],
    board: null,
  };
}

/** "2 of the 4 likeliest are among the 4 that are legal". */
const hitsOf = ({ tokens, rPrecision }: { tokens: number; rPrecision: number }, are: string): string =>
  `${Math.round(rPrecision * tokens)} of the ${tokens} likeliest are among the ${tokens} that ${are}`;

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

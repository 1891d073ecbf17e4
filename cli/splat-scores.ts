import { meanEstimate, proportion, type Estimate } from '../src/base/statistics.ts';
import type { Questions } from '../src/studies/splat/questions/questions.ts';
import { speltPrecision, speltRandom } from '../src/studies/splat/asking/spelt-count.ts';
import type { SplatAssessment } from '../src/studies/splat/splat-assessment.ts';

type Interval = Estimate['ci95'];

/** What `splat evaluate` prints: rates, each with its number of answers and interval; null where nothing was asked. */
export type SplatScores = Record<string, Record<string, number | Interval>>;

/** What an assessment comes to, by kind of question: those of the game and the model's own. */
export function splatScores(assessment: SplatAssessment, { forms }: Questions): SplatScores {
  const { legalVerbs, answers, random, perplexity } = assessment;
  const speltOf = speltPrecision(assessment.domain);
  const { mean, n, ci95 } = meanEstimate(legalVerbs.flatMap((answer) => speltOf(answer) ?? []));
  const next = meanEstimate(legalVerbs.map(({ rPrecision }) => rPrecision));
  const inPattern = legalVerbs.flatMap(({ inPatternMass }) => (inPatternMass === null ? [] : [inPatternMass]));
  const accuracies = forms.map(({ name }) => {
    const asked = answers.filter(({ form }) => form === name);
    const share = proportion(asked.filter(({ correct }) => correct).length, asked.length);
    return [name, { accuracy: share.mean, n: share.n, ci95: share.ci95 }] as const;
  });
  return {
    'legal-verbs': {
      // As the paper counts: all tokens that legal verbs are spelt with; null in assessments of before that count.
      rprec: mean,
      // Those that may come next; in chess the two are one.
      nextToken: next.mean,
      legalMass: meanEstimate(legalVerbs.map(({ legalMass }) => legalMass)).mean,
      // Where the game knows no such mass there is none to take the mean of.
      inPatternMass: meanEstimate(inPattern).mean,
      n: next.n,
      // The interval of a mean knows no bounds; rates have them.
      ci95: ci95 && [Math.max(0, ci95[0]), Math.min(1, ci95[1])],
    },
    ...Object.fromEntries(accuracies),
    random: {
      'legal-verbs': n === 0 ? null : speltRandom(assessment),
      'next-token': next.n === 0 ? null : random.legalVerbs,
      ...random.questions,
    },
    ...(perplexity === null ? {} : { perplexity: { ...perplexity } }),
  };
}

/** Every answer as a line of JSON: the questions with their lines, then the legal verbs with their beginnings. */
export function answerLines({ lines, answers, legalVerbs, prefixes = [] }: SplatAssessment): string {
  const asked = answers.map(({ line, form, events, args, gold, answered, correct, goldProbability }) => ({
    question: lines[line],
    ...{ form, events, args, gold, answered, correct, goldProbability },
  }));
  const verbs = legalVerbs.map((answer, i) => ({ prefix: prefixes[i] ?? '', form: 'legal-verbs', ...answer }));
  return [...asked, ...verbs].map((answer) => `${JSON.stringify(answer)}\n`).join('');
}

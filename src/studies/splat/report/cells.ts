import { meanEstimate } from '../../../base/statistics.ts';
import { countsDiffer, speltPrecision } from '../asking/spelt-count.ts';
import type { LegalVerbsAnswer, SplatAnswer } from '../splat-assessment.ts';
import {
  byQuestion,
  meanOf,
  percentOf,
  plainCell,
  publishedCell,
  shareCell,
  toldCell,
  type Counted,
} from '../../cells.ts';
import type { Cell, Member } from '../../../report/table.ts';
import type { SplatConfiguration } from './configurations.ts';

/** In a Member, `set` says which of an assessment's two lists `answer` counts in, and of Legal Verbs by which count. */
export const ANSWERS = 0;
/** By the tokens that may come next. */
export const LEGAL_VERBS = 1;
/** By all tokens that legal verbs are spelt with, in games where that is another count. */
export const SPELT = 2;

/** Answers to questions of one form, as a number each. */
export function answersOf(
  { runs }: SplatConfiguration,
  form: string,
  valueOf: (answer: SplatAnswer) => number,
): Counted {
  return runs.map(({ index, assessment: { answers, lines } }) =>
    answers.flatMap((answer, at) =>
      answer.form === form
        ? [
            {
              value: valueOf(answer),
              question: lines[answer.line],
              member: { assessment: index, set: ANSWERS, answer: at },
            },
          ]
        : [],
    ),
  );
}

/** Legal Verbs answers as a number each; those without one (null) are left out. */
export function legalVerbsOf(
  { runs }: SplatConfiguration,
  valueOf: (answer: LegalVerbsAnswer) => number | null,
  set: typeof LEGAL_VERBS | typeof SPELT = LEGAL_VERBS,
): Counted {
  return runs.map(({ index, assessment: { legalVerbs, prefixes } }) =>
    legalVerbs.flatMap((answer, at) => {
      const value = valueOf(answer);
      const question = prefixes?.[at] ?? `${at}`;
      return value === null ? [] : [{ value, question, member: { assessment: index, set, answer: at } }];
    }),
  );
}

/** Legal Verbs by all tokens that they are spelt with; those of older assessments that were not counted so are left out. */
export function speltOf(one: SplatConfiguration): Counted {
  return legalVerbsOf(one, speltPrecision(one.domain), countsDiffer(one.domain) ? SPELT : LEGAL_VERBS);
}

/** Legal Verbs by the next token, or the mass on what is legal: of the answers, or as the record of the model tells it. */
export function nextTokenCell(
  one: SplatConfiguration,
  score: 'rPrecision' | 'legalMass',
  published: number | null,
): Cell {
  const recorded = one.runs[0].assessment.recorded;
  if (recorded) return toldCell(recorded[score], score === 'rPrecision' ? recorded.ci95 : null, published);
  return shareCell(
    legalVerbsOf(one, (answer) => answer[score]),
    published,
  );
}

/** Legal Verbs by all tokens that they are spelt with; a record tells it where the next token's count is the same. */
export function legalVerbsCell(one: SplatConfiguration, published: number | null): Cell {
  const recorded = one.runs[0].assessment.recorded !== undefined && !countsDiffer(one.domain);
  return recorded ? nextTokenCell(one, 'rPrecision', published) : shareCell(speltOf(one), published);
}

/** State variables in which the nearest state of fine-tuning differs from that of a question; null where not known. */
export function distanceOf({ runs }: SplatConfiguration, { assessment: of, answer }: Member): number | null {
  return runs.find(({ index }) => index === of)!.assessment.answers[answer].distance;
}

/** What the second share is above the first, in percent; where both were asked the same, by the differences of each. */
export function differenceCell(before: Counted, after: Counted, published: number | null): Cell {
  const [first, second] = [byQuestion(before), byQuestion(after)];
  if (first.size === 0 || second.size === 0) return publishedCell(published);
  const both = [...first.keys()].filter((question) => second.has(question));
  const same = both.length === first.size && both.length === second.size;
  const each = same ? both.map((question) => second.get(question)! - first.get(question)!) : [];
  const value = same ? meanOf(each) : meanOf([...second.values()]) - meanOf([...first.values()]);
  return {
    ...plainCell(100 * value, (percent) => `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)}`, published),
    ci95: each.length > 1 ? percentOf(meanEstimate(each).ci95) : null,
  };
}

import { meanEstimate, proportion } from '../../../base/statistics.ts';
import { countsDiffer, speltPrecision } from '../asking/spelt-count.ts';
import type { LegalVerbsAnswer, SplatAnswer } from '../splat-assessment.ts';
import { publishedCell, recordedCell } from '../../testbed/report/measures.ts';
import type { Cell, Member } from '../../../report/table.ts';
import type { SplatConfiguration } from './configurations.ts';

/** In a Member, `set` says which of an assessment's two lists `answer` counts in, and of Legal Verbs by which count. */
export const ANSWERS = 0;
/** By the tokens that may come next. */
export const LEGAL_VERBS = 1;
/** By all tokens that legal verbs are spelt with, in games where that is another count. */
export const SPELT = 2;

/** One number that an answer gives, with what was asked (to know it again in another run) and its place. */
export interface Value {
  value: number;
  question: string;
  member: Member;
}

/** Values run by run; runs without any are left out. */
export type Counted = Value[][];

/** Answers to questions of one form, as a number each. */
export function answersOf(
  { runs }: SplatConfiguration,
  form: string,
  valueOf: (answer: SplatAnswer) => number,
): Counted {
  return withoutEmpty(
    runs.map(({ index, assessment: { answers, lines } }) =>
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
    ),
  );
}

/** Legal Verbs answers as a number each; those without one (null) are left out. */
export function legalVerbsOf(
  { runs }: SplatConfiguration,
  valueOf: (answer: LegalVerbsAnswer) => number | null,
  set: typeof LEGAL_VERBS | typeof SPELT = LEGAL_VERBS,
): Counted {
  return withoutEmpty(
    runs.map(({ index, assessment: { legalVerbs, prefixes } }) =>
      legalVerbs.flatMap((answer, at) => {
        const value = valueOf(answer);
        const question = prefixes?.[at] ?? `${at}`;
        return value === null ? [] : [{ value, question, member: { assessment: index, set, answer: at } }];
      }),
    ),
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
  if (recorded) return recordedCell(recorded[score], score === 'rPrecision' ? recorded.ci95 : null, published);
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

const withoutEmpty = (counted: Counted): Counted => counted.filter((values) => values.length > 0);

/**
 * A share in percent: the mean over runs of their means. Its 95% interval is of the questions, answers of several runs to
 * one taken as one, which is the careful side: Wilson's where all values are 0 or 1, else the normal one cut at the ends.
 */
export function shareCell(counted: Counted, published: number | null): Cell {
  if (counted.length === 0) return publishedCell(published);
  const means = counted.map((values) => meanOf(values.map(({ value }) => value)));
  const mean = meanOf(means);
  return {
    text: (100 * mean).toFixed(1),
    value: 100 * mean,
    ci95: percentOf(intervalOf(counted, mean)),
    spread: means.length > 1 ? [100 * Math.min(...means), 100 * Math.max(...means)] : null,
    published,
    members: () => counted.flatMap((values) => values.map(({ member }) => member)),
  };
}

/** What the second share is above the first, in percent; where both were asked the same, by the differences of each. */
export function differenceCell(before: Counted, after: Counted, published: number | null): Cell {
  if (before.length === 0 || after.length === 0) return publishedCell(published);
  const [first, second] = [byQuestion(before), byQuestion(after)];
  const both = [...first.keys()].filter((question) => second.has(question));
  const same = both.length === first.size && both.length === second.size;
  const value = same
    ? meanOf(both.map((question) => second.get(question)! - first.get(question)!))
    : meanOf([...second.values()]) - meanOf([...first.values()]);
  const estimate = same ? meanEstimate(both.map((question) => second.get(question)! - first.get(question)!)) : null;
  return {
    text: `${value < 0 ? '−' : '+'}${Math.abs(100 * value).toFixed(1)}`,
    value: 100 * value,
    ci95: estimate !== null && estimate.n > 1 ? percentOf(estimate.ci95) : null,
    spread: null,
    published,
    members: null,
  };
}

function intervalOf(counted: Counted, mean: number): [number, number] | null {
  const each = [...byQuestion(counted).values()];
  const yesOrNo = counted.every((values) => values.every(({ value }) => value === 0 || value === 1));
  if (yesOrNo) return proportion(mean * each.length, each.length).ci95;
  const { ci95, n } = meanEstimate(each);
  if (ci95 === null || n < 2) return null;
  const half = (ci95[1] - ci95[0]) / 2;
  return [Math.max(0, mean - half), Math.min(1, mean + half)];
}

/** One value a question: the mean of its answers, of several runs or of a question that was asked twice. */
function byQuestion(counted: Counted): Map<string, number> {
  const held = new Map<string, number[]>();
  for (const values of counted)
    for (const { question, value } of values) held.set(question, [...(held.get(question) ?? []), value]);
  return new Map([...held].map(([question, values]) => [question, meanOf(values)]));
}

const percentOf = (pair: [number, number] | null): [number, number] | null => pair && [100 * pair[0], 100 * pair[1]];

/** The mean; NaN of no values. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

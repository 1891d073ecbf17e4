import { meanEstimate, proportion } from '../../../base/statistics.ts';
import type { Answer, AssessedSet } from '../assessment.ts';
import { answersOf } from '../breakdown.ts';
import type { TaskName } from '../tasks.ts';
import { isProbed, type Configuration, type Probed } from './configurations.ts';
import { count } from '../../../report/labels.ts';
import type { Cell, Member } from '../../../report/table.ts';

/** Answers of one probed run that a number counts, each with its place; none where nothing of it is counted. */
export interface Counted {
  picked: { answer: Answer; member: Member; prefix: string }[];
}

/** Indices into a set's answers: the functions of src/studies/testbed/breakdown.ts make these. */
export type Select = (set: AssessedSet) => readonly number[];

/** The selected answers, run by run; runs that were not probed so, or whose answers are not here, are left out. */
export function countedOf({ runs }: Configuration, probed: Probed, select: Select): Counted[] {
  const counted: Counted[] = [];
  for (const { index, assessment } of runs) {
    const sets = assessment.sets
      .map((set, at) => ({ set, at }))
      .filter(({ set }) => isProbed(set, probed) && !set.recorded);
    if (sets.length === 0) continue;
    const picked = sets.flatMap(({ set, at }) =>
      select(set).map((chosen) => {
        const answer = set.answers[chosen];
        return {
          answer,
          member: { assessment: index, set: at, answer: chosen },
          prefix: set.instances[answer.instance].prefix,
        };
      }),
    );
    counted.push({ picked });
  }
  return counted;
}

export interface Measured {
  mean: number;
  /** Null where one question alone was counted and its value is no yes or no. */
  ci95: [number, number] | null;
  /** Least and greatest mean of several runs. */
  spread: [number, number] | null;
}

/**
 * Mean of any value over the answers, every run weighing the same. Its 95% interval is of the questions: answers of
 * several runs to one question are taken as one, which is the careful side. Null where nothing was counted.
 */
export function measuredMean(all: readonly Counted[], valueOf: (answer: Answer) => number): Measured | null {
  const counted = all.filter(({ picked }) => picked.length > 0);
  if (counted.length === 0) return null;
  const means = counted.map(({ picked }) => picked.reduce((sum, one) => sum + valueOf(one.answer), 0) / picked.length);
  const mean = means.reduce((sum, value) => sum + value, 0) / means.length;
  const { ci95, n } = meanEstimate(perQuestion(counted, valueOf));
  const half = (ci95![1] - ci95![0]) / 2;
  return {
    mean,
    ci95: n > 1 ? [mean - half, mean + half] : null,
    spread: means.length > 1 ? [Math.min(...means), Math.max(...means)] : null,
  };
}

/** The same for values from 0 to 1: Wilson's interval where all are 0 or 1, else the normal one cut at both ends. */
export function measured(counted: readonly Counted[], valueOf: (answer: Answer) => number): Measured | null {
  const found = measuredMean(counted, valueOf);
  if (found === null) return null;
  const yesOrNo = counted.every(({ picked }) => picked.every(({ answer }) => Number.isInteger(valueOf(answer))));
  const n = perQuestion(counted, valueOf).length;
  const { mean, ci95 } = found;
  if (yesOrNo) return { ...found, ci95: proportion(mean * n, n).ci95 };
  return { ...found, ci95: ci95 && [Math.max(0, ci95[0]), Math.min(1, ci95[1])] };
}

/** One value a question: the mean of its answers in several runs. One run asks each question once. */
function perQuestion(counted: readonly Counted[], valueOf: (answer: Answer) => number): number[] {
  if (counted.length === 1) return counted[0].picked.map(({ answer }) => valueOf(answer));
  const questions = new Map<string, { sum: number; n: number }>();
  for (const { picked } of counted)
    for (const { answer, prefix } of picked) {
      const question = `${answer.task} ${answer.prompt} ${prefix}`;
      const held = questions.get(question) ?? { sum: 0, n: 0 };
      questions.set(question, { sum: held.sum + valueOf(answer), n: held.n + 1 });
    }
  return [...questions.values()].map(({ sum, n }) => sum / n);
}

export const DASH = '–';

/** A cell of nothing of the user's: the published value alone, or a dash. */
export function publishedCell(published: number | null, text = DASH): Cell {
  return { text, value: null, ci95: null, spread: null, published, members: null };
}

/** A share in percent of the answers that `hit`, of all that were counted. */
export function percentCell(
  counted: readonly Counted[],
  valueOf: (answer: Answer) => number | boolean,
  published: number | null,
): Cell {
  const found = measured(counted, (answer) => Number(valueOf(answer)));
  if (found === null) return publishedCell(published);
  const percent = (pair: [number, number]): [number, number] => [pair[0] * 100, pair[1] * 100];
  return {
    text: (found.mean * 100).toFixed(1),
    value: found.mean * 100,
    ci95: found.ci95 && percent(found.ci95),
    spread: found.spread && percent(found.spread),
    published,
    members: () => membersOf(counted),
  };
}

/** What a task's answers are scored by, and what a record calls it. */
const SCORES = {
  legal: { valueOf: ({ legal }: Answer): boolean => legal, recorded: 'lgm' },
  rPrecision: { valueOf: ({ rPrecision }: Answer): number => rPrecision, recorded: 'rprec' },
  exact: { valueOf: ({ exact }: Answer): boolean => exact === true, recorded: 'exm' },
} as const;

/** A score of a task, of its answers or as the record of the model tells it. */
export function taskCell(
  one: Configuration,
  probed: Probed,
  task: TaskName,
  score: keyof typeof SCORES,
  published: number | null,
): Cell {
  const { valueOf, recorded } = SCORES[score];
  const told = one.runs[0].assessment.sets.find((set) => isProbed(set, probed))?.recorded?.tasks[task];
  if (told) return recordedCell(told[recorded], told.ci95[recorded], published);
  const counted = countedOf(one, probed, (set) => answersOf(set, task));
  return percentCell(counted, valueOf, published);
}

/** A share that a record tells, in percent; no answers are behind it. */
export function recordedCell(share: number | null, ci95: [number, number] | null, published: number | null): Cell {
  if (share === null) return publishedCell(published);
  return {
    ...publishedCell(published, (100 * share).toFixed(1)),
    value: 100 * share,
    ci95: ci95 && [100 * ci95[0], 100 * ci95[1]],
  };
}

/**
 * How many of the counted answers satisfy `hit`, the mean over runs; with `per`, scaled to so many answers. The
 * interval is the share's, in the same unit; members are the answers that hit.
 */
export function countCell(
  counted: readonly Counted[],
  hit: (answer: Answer) => boolean,
  published: number | null,
  per: number | null = null,
): Cell {
  const found = measured(counted, (answer) => Number(hit(answer)));
  if (counted.length === 0 || (per !== null && found === null)) return publishedCell(published);
  const answers = counted.reduce((sum, { picked }) => sum + picked.length, 0) / counted.length;
  const scale = per ?? answers;
  const counts = counted.map(({ picked }) => {
    const hits = picked.filter(({ answer }) => hit(answer)).length;
    return per === null ? hits : picked.length === 0 ? 0 : (hits / picked.length) * per;
  });
  const value = counts.reduce((sum, hits) => sum + hits, 0) / counts.length;
  return {
    text: per !== null && answers !== per ? value.toFixed(1) : countText(value),
    value,
    ci95: found?.ci95 ? [found.ci95[0] * scale, found.ci95[1] * scale] : null,
    spread: counts.length > 1 ? [Math.min(...counts), Math.max(...counts)] : null,
    published,
    members: () => membersOf(counted, hit),
  };
}

/** A count in full, a mean of counts with one decimal. */
export function countText(value: number): string {
  const rounded = Number(value.toFixed(9));
  return Number.isInteger(rounded) ? count(rounded) : value.toFixed(1);
}

export function membersOf(counted: readonly Counted[], of: (answer: Answer) => boolean = () => true): Member[] {
  return counted.flatMap(({ picked }) => picked.filter(({ answer }) => of(answer)).map(({ member }) => member));
}

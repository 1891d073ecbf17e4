import type { Answer, AssessedSet } from '../assessment.ts';
import { answersOf } from '../breakdown.ts';
import type { TaskName } from '../tasks.ts';
import { isProbed, type Configuration, type Probed } from './configurations.ts';
import {
  countText,
  meanOf,
  measured,
  membersOf,
  oneDecimal,
  plainCell,
  publishedCell,
  shareCell,
  toldCell,
  type Counted,
  type Value,
} from '../../cells.ts';
import type { Cell } from '../../../report/table.ts';

/** Indices into a set's answers: the functions of src/studies/testbed/breakdown.ts make these. */
export type Select = (set: AssessedSet) => readonly number[];

/**
 * What the selected answers give, run by run; runs that were not probed so, or whose answers are not here, are left out,
 * and those of which nothing is selected stay.
 */
export function countedOf(
  { runs }: Pick<Configuration, 'runs'>,
  probed: Probed,
  select: Select,
  valueOf: (answer: Answer) => number | boolean,
): Counted {
  const alone = runs.length === 1;
  return runs.flatMap(({ index, assessment }) => {
    const sets = assessment.sets
      .map((set, at) => ({ set, at }))
      .filter(({ set }) => isProbed(set, probed) && !set.recorded);
    if (sets.length === 0) return [];
    const values = sets.flatMap(({ set, at }) =>
      select(set).map((chosen): Value => {
        const answer = set.answers[chosen];
        return {
          value: Number(valueOf(answer)),
          // One run asks each question once, so that the place is enough to know it; prefixes are long to compare.
          question: alone
            ? `${at} ${chosen}`
            : `${answer.task} ${answer.prompt} ${set.instances[answer.instance].prefix}`,
          member: { assessment: index, set: at, answer: chosen },
        };
      }),
    );
    return [values];
  });
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
  if (told) return toldCell(told[recorded], told.ci95[recorded], published);
  return shareCell(
    countedOf(one, probed, (set) => answersOf(set, task), valueOf),
    published,
  );
}

/**
 * How many of the counted answers hit (their value is 1 and not 0), the mean over runs; with `per`, scaled to so many
 * answers. The interval is the share's, in the same unit; members are the answers that hit.
 */
export function countCell(counted: Counted, published: number | null, per: number | null = null): Cell {
  const found = measured(counted, { share: true });
  if (counted.length === 0 || (per !== null && found === null)) return publishedCell(published);
  const answers = meanOf(counted.map((values) => values.length));
  const scale = per ?? answers;
  const hits = counted.map((values) => values.filter(({ value }) => value === 1));
  const counts = hits.map(({ length }, run) => {
    if (per === null) return length;
    return length === 0 ? 0 : (length / counted[run].length) * per;
  });
  const textOf = per !== null && answers !== per ? oneDecimal : countText;
  return {
    ...plainCell(meanOf(counts), textOf, published, () => membersOf(hits)),
    ci95: found?.ci95 ? [found.ci95[0] * scale, found.ci95[1] * scale] : null,
    spread: counts.length > 1 ? [Math.min(...counts), Math.max(...counts)] : null,
  };
}

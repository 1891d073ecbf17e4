import type { AssessedModel, AssessedSet, Assessment } from '../assessment.ts';
import type { PrefixRange } from '../prefix-ranges.ts';
import { trainingSizes, type NotationFamily, type PaperModel, type TrainingSize } from '../published/tables.ts';

/** One assessed run of a configuration; `index` is its place in the list that the report is made of. */
export interface Run {
  index: number;
  assessment: Assessment;
}

/** Runs that differ in nothing the tables know but their seeds: one row, averaged. */
export interface Configuration {
  runs: Run[];
  /** Of the first run. */
  subject: AssessedModel;
  /** The paper's training set of about as many games; null where none is. */
  size: TrainingSize | null;
  notation: { family: NotationFamily; percent: number };
  /** "tiny 2", "tiny 2 and 2 more seeds". */
  name: string;
}

/** Games within this share of the paper's number count as its training set. */
const CLOSE = 0.1;

export function trainingSizeOf(games: number | null): TrainingSize | null {
  const sizes = Object.keys(trainingSizes) as TrainingSize[];
  return (
    sizes.find((size) => games !== null && Math.abs(games - trainingSizes[size]) <= CLOSE * trainingSizes[size]) ?? null
  );
}

/** "rap:15" is the family RAP with 15 percent; RAP 0 has never seen a piece name and is UCI (paper, Figure 2). */
export function notationOf(name: string): Configuration['notation'] {
  const percent = Number(/^rap:(\d+)$/.exec(name)?.[1] ?? 0);
  if (name === 'ap') return { family: 'ap', percent: 100 };
  return percent > 0 ? { family: 'rap', percent } : { family: 'uci', percent: 0 };
}

/**
 * Runs grouped into configurations, in the order of their first runs. A second run with a seed that its group has
 * already starts a group of its own: settings that assessments do not tell may differ, so it is no repetition.
 */
export function configurationsOf(assessments: readonly Assessment[]): Configuration[] {
  const groups: { key: string; runs: Run[] }[] = [];
  for (const [index, assessment] of assessments.entries()) {
    const { subject } = assessment;
    const { kind, layers, width, parameters, heads, dropout, window, notation, objective } = subject;
    const { games, trainGames, steps, planned } = subject;
    const key = JSON.stringify([
      kind,
      layers,
      width,
      parameters,
      heads,
      dropout,
      window,
      notation,
      objective,
      games,
      trainGames,
      // Seeds that may end early by their scores are alike before they end.
      planned == null ? { steps } : { planned },
      // Of a record there are no answers to average.
      isRecorded(assessment) && index,
    ]);
    const fits = (run: Run): boolean => run.assessment.subject.seed !== subject.seed;
    const group = groups.find((one) => one.key === key && one.runs.every(fits));
    if (group) group.runs.push({ index, assessment });
    else groups.push({ key, runs: [{ index, assessment }] });
  }
  return groups.map(({ runs }) => {
    const { subject } = runs[0].assessment;
    const more = runs.length - 1;
    return {
      runs,
      subject,
      size: trainingSizeOf(subject.trainGames),
      notation: notationOf(subject.notation),
      name: more === 0 ? subject.name : `${subject.name} and ${more} more seed${more === 1 ? '' : 's'}`,
    };
  });
}

/**
 * Whether a configuration is the paper's, model size left aside unless the row is about it. The paper's window of 50
 * is the 50 tokens before; ours counts the token itself, so that 51 is the same and 50 is let pass.
 */
export function isLike(
  {
    subject,
    size,
    notation,
  }: Pick<Configuration, 'size' | 'notation'> & {
    subject: Pick<AssessedModel, 'kind' | 'objective' | 'layers' | 'width' | 'window'>;
  },
  paper: PaperModel,
): boolean {
  const window = subject.window === 50 || subject.window === 51 ? 50 : subject.window;
  return (
    size === paper.size &&
    subject.kind === paper.kind &&
    subject.objective === 'next' &&
    notation.family === paper.notation &&
    window === paper.window &&
    (paper.shape === null || (subject.layers === paper.shape.layers && subject.width === paper.shape.width))
  );
}

/** Whether a model's record tells its scores, and no answers are here. */
export function isRecorded({ sets }: Assessment): boolean {
  return sets.some(({ recorded }) => recorded !== undefined);
}

export interface Probed {
  range: PrefixRange;
  source: AssessedSet['source'];
}

/** What the paper probes: prefixes of real games, 51 to 100 plies long. */
export const asThePaper: Probed = { range: 'long', source: 'games' };

export function isProbed(set: AssessedSet, { range, source }: Probed): boolean {
  return set.range === range && set.source === source && set.recorded?.of === undefined;
}

/** Whether some run of some configuration was probed so. */
export function wasProbed(configurations: readonly Configuration[], probed: Probed): boolean {
  return configurations.some(({ runs }) =>
    runs.some(({ assessment }) => assessment.sets.some((set) => isProbed(set, probed))),
  );
}

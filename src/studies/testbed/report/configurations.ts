import { alikeRuns, type AlikeRuns } from '../../alike-runs.ts';
import type { AssessedModel } from '../../subject-schema.ts';
import type { AssessedSet, Assessment } from '../assessment.ts';
import { trainingSizes, type NotationFamily, type PaperModel, type TrainingSize } from '../published/tables.ts';

/** Runs that differ in nothing the tables know but their seeds. */
export interface Configuration extends AlikeRuns<Assessment> {
  /** The paper's training set of about as many games; null where none is. */
  size: TrainingSize | null;
  notation: { family: NotationFamily; percent: number };
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

/** Runs grouped into configurations, in the order of their first ones. Of a record there are no answers to average. */
export function configurationsOf(assessments: readonly Assessment[]): Configuration[] {
  return alikeRuns(assessments, (one, index) => (isRecorded(one) ? index : null)).map((alike) => ({
    ...alike,
    size: trainingSizeOf(alike.subject.trainGames),
    notation: notationOf(alike.subject.notation),
  }));
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

export type Probed = Pick<AssessedSet, 'range' | 'source'>;

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

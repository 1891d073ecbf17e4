import type { PerplexityFigure, TaskReport } from './testbed/assessment.ts';
import type { TaskName } from './testbed/tasks.ts';

/** What studies read of the record of a shipped model; src/interchange/records/training-record.ts has all of it. */
export interface RecordedModel {
  config: { domain: string };
  scores: SquareScores | EventScores;
}

/** Of a model that can be asked for squares. */
interface SquareScores {
  perplexity: PerplexityFigure;
  short: RecordedRange;
  long: RecordedRange;
  /** Long prefixes of other games; `words` says which. */
  splits?: readonly (RecordedRange & { words: string })[];
  /** Whole games, played alone and against opponents; older records have none. */
  soundness?: RecordedGames;
}

/** Games that begin with `warmUp` plies of a held-out game and end after `plies` more at the latest. */
export interface RecordedGames {
  /** Games alone, and for each opponent. */
  games: number;
  warmUp: number;
  plies: number;
  /** As legalGames has them; older records lack the last two. */
  alone: { fullyLegal: number; ci95: [number, number]; legalPlies?: number; legalGamePlies?: number | null };
  attacks: readonly { adversary: string; attackSuccess: number; ci95: [number, number] }[];
}

/** Questions after prefixes of one range of lengths. */
export interface RecordedRange {
  tasks: Readonly<Record<TaskName, TaskReport>>;
  /** The commands that give these scores again, the first of which makes the questions. */
  computedBy: readonly string[];
}

/** Of a model that reads an event a token. */
interface EventScores {
  perplexity: { games: number; tokens: number; perplexity: number };
  legal: { rprec: number; n: number; ci95: [number, number]; random: number };
  legalMass: number;
}

import { fail } from '../../base/result.ts';
import type { Pace } from './cancellation.ts';

export interface Progress {
  /** What is happening, for people: "End and Start squares, long prefixes". */
  label: string;
  /** 0 to 1. */
  share: number;
}

/** How a long measurement shares its thread and tells how far it is. */
export interface Measuring extends Pace {
  onProgress?: (progress: Progress) => void;
  /** Milliseconds, for answers that tell how long they took. */
  clock?: () => number;
  /** Reads a file that ships with the lab, by its path in public. Rejects where there is none. */
  readShipped?: (path: string) => Promise<string>;
}

/** For measures in which the model writes moves by itself: an oracle model is told every piece's name beforehand. */
export function notForOracle(): ReturnType<typeof fail> {
  return fail(
    'not-for-oracle',
    'This model is always told which piece moves (UCI+AP), so it never writes a move by itself; measure a UCI or RAP model.',
  );
}

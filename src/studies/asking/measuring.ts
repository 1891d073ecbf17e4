import { fail } from '../../base/result.ts';
import type { Pace } from './cancellation.ts';

/** How a long measurement shares its thread and tells how far it is. */
export interface Measuring extends Pace {
  onProgress?: (progress: { words: string; share: number }) => void;
}

/** For measures in which the model writes moves by itself: an oracle model is told every piece's name beforehand. */
export function notForOracle(): ReturnType<typeof fail> {
  return fail(
    'not-for-oracle',
    'This model is always told which piece moves (UCI+AP), so it never writes a move by itself; measure a UCI or RAP model.',
  );
}

import type { PieceLetter } from '../../domains/chess/rules/pieces.ts';
import type { Answer, AssessedSet } from './assessment.ts';
import type { TaskName } from './tasks.ts';

/**
 * How the testbed's tables and figures split the questions of one set: by task, by piece, by the plies before them.
 * Lists of answers are indices into the set's.
 */

/** The testbed never asks about pawns; these are the columns of Table 10, in its order. */
export const askedPieces = ['R', 'N', 'B', 'Q', 'K'] as const satisfies readonly PieceLetter[];

/** Pieces whose moves have different lengths (Figure 8). */
export const slidingPieces = ['R', 'B', 'Q'] as const satisfies readonly PieceLetter[];

/** The tasks whose wrong answers have an error class: the piece moved in the game, then another one. */
export const endTasks = ['end-actual', 'end-other'] as const satisfies readonly TaskName[];

/** Indices of a task's answers that a condition holds for, in order. */
export function answersOf(
  { answers }: AssessedSet,
  task: TaskName,
  where: (answer: Answer) => boolean = () => true,
): number[] {
  return answers.flatMap((answer, i) => (answer.task === task && where(answer) ? [i] : []));
}

/** Whether an answer belongs in a row of Table 13: was the king in check, and is it the king that moves? Null lets both pass. */
export function isOfRow({ inCheck, piece }: Answer, row: { inCheck: boolean | null; king: boolean | null }): boolean {
  return (row.inCheck ?? inCheck) === inCheck && (row.king ?? piece === 'K') === (piece === 'K');
}

/** One column of a histogram over plies: lengths from `from` to `to`, both included. */
export interface LengthBin {
  from: number;
  to: number;
}

/** Columns from `from` to `to`, the last one narrower where the width does not divide the range. */
export function lengthBins({ from, to, width }: { from: number; to: number; width: number }): LengthBin[] {
  if (!(width >= 1)) throw new RangeError(`columns ${width} plies wide`);
  const bins: LengthBin[] = [];
  for (let at = from; at <= to; at += width) bins.push({ from: at, to: Math.min(at + width - 1, to) });
  return bins;
}

/** A task's answers after as many plies as a column is of. */
export function answersIn(set: AssessedSet, task: TaskName, { from, to }: LengthBin): number[] {
  return answersOf(set, task, ({ plies }) => plies >= from && plies <= to);
}

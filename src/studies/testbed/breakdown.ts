import type { Estimate } from '../../base/statistics.ts';
import type { PieceLetter } from '../../domains/chess/rules/pieces.ts';
import type { Answer, AssessedSet } from './assessment.ts';
import type { TaskName } from './tasks.ts';

/**
 * The numbers of the testbed's tables and figures that count questions, as pure functions of one set.
 * Wherever a result says `answers`, they are indices into the set's answers: the ones the number is computed from.
 * Those that count errors are in breakdown-errors.ts.
 */

/** A count and what it counts. */
export interface Count {
  n: number;
  answers: number[];
}

/** A mean, and the answers it is taken over. */
export interface Measured extends Estimate {
  answers: number[];
}

/** The testbed never asks about pawns; these are the columns of Table 10, in its order. */
export const askedPieces = ['R', 'N', 'B', 'Q', 'K'] as const satisfies readonly PieceLetter[];
export type AskedPiece = (typeof askedPieces)[number];

/** Indices of a task's answers that a condition holds for, in order. */
export function answersOf(
  { answers }: AssessedSet,
  task: TaskName,
  where: (answer: Answer) => boolean = () => true,
): number[] {
  return answers.flatMap((answer, i) => (answer.task === task && where(answer) ? [i] : []));
}

/** One column of a histogram over plies: lengths from `from` to `to`, both included. */
export interface LengthBin {
  from: number;
  to: number;
}

/** Questions by the plies before them, in columns `width` plies wide that begin at the range's least (Figure 4). */
export function prefixLengths(
  set: AssessedSet,
  task: TaskName,
  options: { from: number; to: number; width: number },
): (LengthBin & Count)[] {
  return lengthBins(options).map((bin) => ({ ...bin, ...counted(inBin(set, task, bin)) }));
}

/** Columns from `from` to `to`, the last one narrower where the width does not divide the range. */
export function lengthBins({ from, to, width }: { from: number; to: number; width: number }): LengthBin[] {
  if (!(width >= 1)) throw new RangeError(`columns ${width} plies wide`);
  const bins: LengthBin[] = [];
  for (let at = from; at <= to; at += width) bins.push({ from: at, to: Math.min(at + width - 1, to) });
  return bins;
}

function inBin(set: AssessedSet, task: TaskName, { from, to }: LengthBin): number[] {
  return answersOf(set, task, ({ plies }) => plies >= from && plies <= to);
}

export function byPiece<T>(of: (piece: AskedPiece) => T): Record<AskedPiece, T> {
  return Object.fromEntries(askedPieces.map((piece) => [piece, of(piece)])) as Record<AskedPiece, T>;
}

export function counted(answers: number[]): Count {
  return { n: answers.length, answers };
}

import { proportion, shareEstimate, type Estimate } from '../../base/statistics.ts';
import type { PieceLetter } from '../../domains/chess/pieces.ts';
import type { Answer, AssessedSet } from './assessment.ts';
import { randomLegalExact, taskReport, type TaskName, type TaskReport } from './tasks.ts';

/**
 * The numbers of the testbed's tables and figures that count questions and accuracies, as pure functions of one set.
 * Wherever a result says `answers`, they are indices into the set's answers: the ones the number is computed from.
 * Those that count errors are in breakdown-errors.ts.
 */

/** A count and what it counts. */
export interface Count {
  n: number;
  answers: number[];
}

/** An accuracy or a mean, and the answers it is taken over. */
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

/** One task's accuracies with 95% intervals (Tables 5 to 8). */
export interface Accuracy extends TaskReport {
  answers: number[];
  /** Expected exact-move accuracy of a uniformly random legal answer, for Actual tasks with answers; else null. */
  random: number | null;
}

export function accuracy(set: AssessedSet, task: TaskName): Accuracy {
  const answers = answersOf(set, task);
  const actual = task === 'end-actual' || task === 'start-actual';
  return {
    ...taskReport(set.answers, task),
    answers,
    random: actual && answers.length > 0 ? randomLegalExact(set.instances, task) : null,
  };
}

/** Questions by the piece they ask about (Table 10). */
export function pieceCounts(set: AssessedSet, task: TaskName): Record<AskedPiece, Count> {
  return byPiece((piece) => counted(answersOf(set, task, (answer) => answer.piece === piece)));
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

/** One task's accuracies in each column of prefix lengths; columns without answers have null means. */
export function accuracyByLength(
  set: AssessedSet,
  task: TaskName,
  options: { from: number; to: number; width: number },
): (LengthBin & { exm: Measured; lgm: Measured; rprec: Measured; n: number; answers: number[] })[] {
  return lengthBins(options).map((bin) => {
    const answers = inBin(set, task, bin);
    const chosen = answers.map((i) => set.answers[i]);
    const exact = chosen.filter(({ exact }) => exact !== null);
    return {
      ...bin,
      n: answers.length,
      answers,
      exm: { ...proportion(exact.filter((answer) => answer.exact).length, exact.length), answers },
      lgm: { ...proportion(chosen.filter((answer) => answer.legal).length, chosen.length), answers },
      rprec: { ...shareEstimate(chosen.map((answer) => answer.rPrecision)), answers },
    };
  });
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

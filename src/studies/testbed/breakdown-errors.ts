import { meanEstimate } from '../../base/statistics.ts';
import type { AssessedSet } from './assessment.ts';
import { answersOf, byPiece, counted, type AskedPiece, type Count, type Measured } from './breakdown.ts';
import type { ErrorClass, PseudoLegalCell } from './error-taxonomy.ts';

/**
 * The numbers of the testbed's tables and figures that count wrong answers (Toshniwal et al. 2022, appendix E), as pure
 * functions of one set. Indices are into the set's answers, as in breakdown.ts.
 */

export type EndTask = 'end-actual' | 'end-other';
export const endTasks = ['end-actual', 'end-other'] as const satisfies readonly EndTask[];

/** Wrong answers of one class among those that have no error of another ("errors / total"). */
export interface ErrorShare {
  errors: Count;
  /** The errors and the legal answers; answers with errors of other classes are left out (captions of Tables 13, 14). */
  total: Count;
}

/** Table 13: pseudo-legal errors by whether the king was in check before the move and whether it is the king's. */
export interface PseudoLegalSplit {
  /** In the table's order: check and king, check and another piece, no check and king, no check and another. */
  cells: (PseudoLegalCell & ErrorShare)[];
  all: ErrorShare;
}

export function pseudoLegalSplit(set: AssessedSet, task: EndTask): PseudoLegalSplit {
  const cells = [true, false].flatMap((inCheck) =>
    [true, false].map((kingMoves) => ({
      inCheck,
      kingMoves,
      ...shareOf(
        set,
        task,
        'pseudo legal',
        (answer) => answer.inCheck === inCheck && (answer.piece === 'K') === kingMoves,
      ),
    })),
  );
  return { cells, all: shareOf(set, task, 'pseudo legal') };
}

/** Table 14: path obstructions by the piece that was asked about. */
export interface PathObstruction {
  pieces: Record<AskedPiece, ErrorShare>;
  all: ErrorShare;
}

export function pathObstructionByPiece(set: AssessedSet, task: EndTask): PathObstruction {
  return {
    pieces: byPiece((piece) => shareOf(set, task, 'path obstruction', (answer) => answer.piece === piece)),
    all: shareOf(set, task, 'path obstruction'),
  };
}

/** Pieces whose moves have different lengths (Figure 8). */
export const slidingPieces = ['R', 'B', 'Q'] as const;
export type SlidingPiece = (typeof slidingPieces)[number];

/**
 * Figure 8: how far the predicted moves go, in king moves, where they are legal and where something stands in the way.
 * Means with 95% intervals of the normal approximation.
 */
export function pathLengths(
  set: AssessedSet,
  task: EndTask,
): Record<SlidingPiece, { legal: Measured; obstructed: Measured }> {
  const meanOf = (answers: number[]): Measured => ({
    ...meanEstimate(answers.map((i) => set.answers[i].pathLength!)),
    answers,
  });
  return Object.fromEntries(
    slidingPieces.map((piece) => {
      const moves = (kind: 'legal' | 'path obstruction') =>
        meanOf(
          answersOf(
            set,
            task,
            (answer) => answer.piece === piece && (kind === 'legal' ? answer.legal : answer.error === kind),
          ),
        );
      return [piece, { legal: moves('legal'), obstructed: moves('path obstruction') }];
    }),
  ) as Record<SlidingPiece, { legal: Measured; obstructed: Measured }>;
}

function shareOf(
  set: AssessedSet,
  task: EndTask,
  error: ErrorClass,
  where: (answer: AssessedSet['answers'][number]) => boolean = () => true,
): ErrorShare {
  const total = answersOf(set, task, (answer) => where(answer) && (answer.legal || answer.error === error));
  return { errors: counted(total.filter((i) => set.answers[i].error === error)), total: counted(total) };
}

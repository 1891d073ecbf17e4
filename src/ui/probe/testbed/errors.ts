import { PIECE_NAMES } from '../../../domains/chess/pieces.ts';
import type { AssessedModel, AssessedSet } from '../../../studies/testbed/assessment.ts';
import { askedPieces, answersOf, type Count } from '../../../studies/testbed/breakdown.ts';
import {
  endTasks,
  errorBreakdown,
  pathLengths,
  pathObstructionByPiece,
  pseudoLegalSplit,
  slidingPieces,
  type ErrorShare,
} from '../../../studies/testbed/breakdown-errors.ts';
import { errorClasses, type ErrorClass } from '../../../studies/testbed/error-taxonomy.ts';
import { errorRows } from '../../../studies/testbed/report/published.ts';
import { obstructionRows, pseudoLegalRows } from '../../../studies/testbed/report/published-counts.ts';
import type { Cell, Row, Table } from '../../../report/table.ts';
import { notationOf } from '../../../studies/testbed/report/configurations.ts';
import { nearestSize } from '../../../studies/testbed/report/paper-row.ts';
import { capital, emptyCell, idOf, isThePapers, membersOf, scaled, taskWords } from './tables.ts';

/** The Probe page's tables of wrong answers; every number leads to its answers. */

export const errorWords: Record<ErrorClass, string> = {
  unreachable: 'no piece of any kind could go there from that square',
  syntax: 'some piece could go there, but not the kind that stands on the square',
  'path obstruction': 'the piece moves so, but something stands in its way',
  'pseudo legal': 'the move is right but for the king: it would stand in check',
};

const countCell = (at: number, { n, answers }: Count, published: number | null = null): Cell => ({
  ...emptyCell(String(n)),
  value: n,
  published,
  members: n > 0 ? membersOf(at, answers) : null,
});

/** Wrong answers by class (Table 12). The paper's are of a GPT-2 of the same notation and the nearest training set. */
export function errorTable(set: AssessedSet, at: number, subject: AssessedModel): Table {
  const size = nearestSize(subject.trainGames);
  const { family } = notationOf(subject.notation);
  const paper = isThePapers(set)
    ? errorRows.find(({ model }) => model.kind === 'gpt2' && model.size === size && model.notation === family)
    : undefined;
  const columns = ['syntax', 'path obstruction', 'pseudo legal'] as const;
  const rows = endTasks.map((task, t): Row => {
    const errors = errorBreakdown(set, task);
    const asked = answersOf(set, task);
    const wrong = answersOf(set, task, (answer) => !answer.legal);
    const published = (error: ErrorClass): number | null => {
      const place = columns.findIndex((column) => column === error);
      return paper === undefined || place < 0 ? null : scaled(paper.values[t * 3 + place], asked.length);
    };
    return {
      labels: [taskWords[task]],
      publishedOnly: false,
      cells: [
        ...errorClasses.map((error) => countCell(at, errors[error], published(error))),
        countCell(at, { n: wrong.length, answers: wrong }),
        countCell(at, { n: asked.length, answers: asked }),
      ],
    };
  });
  return {
    id: `errors-${idOf(set)}`,
    title: 'What kind of mistake',
    words: errorClasses.map((error) => `${capital(error)}: ${errorWords[error]}`).join('. ') + '.',
    headings: { labels: ['Wrong answers'], groups: [], cells: [...errorClasses.map(capital), 'All wrong', 'Asked'] },
    rows,
    notes: paper
      ? [
          "The paper's counts are of 1,000 positions, here scaled to as many as these; it leaves out unreachable ones, which were fewer than five.",
        ]
      : [],
  };
}

/** Errors and the answers they are counted among, for both End tasks. */
const pair = (at: number, share: ErrorShare, published: readonly (number | null)[]): Cell[] => [
  countCell(at, share.errors, published[0] ?? null),
  countCell(at, share.total, published[1] ?? null),
];

const pairHeadings = {
  groups: endTasks.map((task) => ({ title: taskWords[task], span: 2 })),
  cells: endTasks.flatMap(() => ['Errors', 'Of']),
};

/** Pseudo-legal errors by check and by whether the king moves (Table 13). */
export function pseudoLegalTable(set: AssessedSet, at: number): Table {
  const splits = endTasks.map((task) => pseudoLegalSplit(set, task));
  const paper = isThePapers(set);
  const rows = pseudoLegalRows.map((row): Row => {
    const of = splits.map((split) =>
      row.inCheck === null
        ? split.all
        : split.cells.find((cell) => cell.inCheck === row.inCheck && cell.kingMoves === row.king)!,
    );
    return {
      labels: [row.name],
      publishedOnly: false,
      cells: of.flatMap((share, t) => pair(at, share, paper ? row.values.slice(t * 2, t * 2 + 2) : [])),
    };
  });
  return {
    id: `pseudo-legal-${idOf(set)}`,
    title: 'When the king forbids the move',
    words:
      'Moves that are right for the piece and would leave its king in check. They are counted among these errors and the legal answers; answers that are wrong in another way are left out.',
    headings: { labels: ['Pseudo legal'], ...pairHeadings },
    rows,
    notes: paper ? ["The paper's counts are of 1,000 positions and its best model (UCI, 200,000 games)."] : [],
  };
}

/** Obstructed paths by the piece asked about (Table 14). */
export function obstructionTable(set: AssessedSet, at: number): Table {
  const splits = endTasks.map((task) => pathObstructionByPiece(set, task));
  const paper = isThePapers(set);
  const rows = [...askedPieces, null].map((piece): Row => {
    const published = obstructionRows.find((row) => row.piece === piece)!;
    return {
      labels: [piece === null ? 'Total' : capital(PIECE_NAMES[piece])],
      publishedOnly: false,
      cells: splits.flatMap((split, t) =>
        pair(
          at,
          piece === null ? split.all : split.pieces[piece],
          paper ? published.values.slice(t * 2, t * 2 + 2) : [],
        ),
      ),
    };
  });
  return {
    id: `obstruction-${idOf(set)}`,
    title: 'When something stands in the way',
    words:
      'Obstructed answers by the piece asked about, among these errors and the legal answers. Landing on one’s own piece counts as obstructed.',
    headings: { labels: ['Path obstruction'], ...pairHeadings },
    rows,
    notes: paper ? ["The paper's counts are of 1,000 positions and its best model (UCI, 200,000 games)."] : [],
  };
}

/** How far predicted moves go, legal and obstructed (Figure 8). */
export function pathLengthTable(set: AssessedSet, at: number): Table {
  const lengths = endTasks.map((task) => pathLengths(set, task));
  const rows = slidingPieces.map((piece): Row => ({
    labels: [capital(PIECE_NAMES[piece])],
    publishedOnly: false,
    cells: lengths.flatMap((of) =>
      (['legal', 'obstructed'] as const).map((kind): Cell => {
        const { mean, ci95, answers } = of[piece][kind];
        if (mean === null) return emptyCell();
        return { ...emptyCell(mean.toFixed(2)), value: mean, ci95, members: membersOf(at, answers) };
      }),
    ),
  }));
  return {
    id: `path-lengths-${idOf(set)}`,
    title: 'How far the answers go',
    words:
      "Mean length of the predicted moves in king's steps, with 95% intervals. Longer paths cross more squares, of each of which the model must know whether it is empty; the paper found obstructed ones longer.",
    headings: {
      labels: ['Squares'],
      groups: endTasks.map((task) => ({ title: taskWords[task], span: 2 })),
      cells: endTasks.flatMap(() => ['Legal', 'Obstructed']),
    },
    rows,
    notes: [],
  };
}

import type { AssessedSet } from '../../assessment.ts';
import { askedPieces } from '../../breakdown.ts';
import { questionOf } from '../../tasks.ts';
import { asThePaper, isProbed, trainingSizeOf, type Configuration } from '../configurations.ts';
import { pieceNames } from '../labels.ts';
import { countText, paperAlone, plainCell, publishedCell } from '../../../cells.ts';
import { instanceNotes } from '../notes.ts';
import { dataRows, pieceRows } from '../../published/counts.ts';
import type { GamesFacts, ReportInput } from '../report-input.ts';
import type { Cell, Member, Row, Table } from '../../../../report/table.ts';

function counted(value: number, published: number | null, members: Cell['members'] = null): Cell {
  return plainCell(value, countText, published, members);
}

/** Table 9: games and moves of each split, the user's from the games themselves where they are at hand. */
export function dataTable(games: GamesFacts | null): Table {
  const measured = (games?.splits ?? []).map((split) => ({ ...split, paper: paperSplitOf(split) }));
  const rowOf = (
    label: string,
    split: GamesFacts['splits'][number],
    paper: { games: number; moves: number } | null,
  ): Row => ({
    labels: [label, `${games!.name}: ${split.name}`],
    cells: [counted(split.games, paper?.games ?? null), counted(split.plies, paper?.moves ?? null)],
  });
  const paper = dataRows.flatMap((row): Row[] => {
    const mine = measured.filter((split) => split.paper === row.split);
    if (mine.length === 0) return [paperAlone([row.split, 'the paper alone'], [row.games, row.moves])];
    return mine.map((split) => rowOf(row.split, split, row));
  });
  const alone = measured.filter((split) => split.paper === null).map((split) => rowOf(split.name, split, null));
  return {
    id: 'table-9',
    title: 'Table 9: the games',
    description:
      'How many games the models learn from and are examined on, and how many moves they have. A move is one side’s.',
    headings: { labels: ['Split', 'Your games'], groups: [], cells: ['Games', 'Moves'] },
    rows: [...paper, ...alone],
    notes: [
      'The paper gives games in thousands and moves in tenths of a million; a game has about 75 moves on average in each of its splits.',
    ],
  };
}

function paperSplitOf({ name, games }: { name: string; games: number }): string | null {
  if (name === 'dev') return 'Dev';
  if (name === 'test') return 'Test';
  const size = name === 'train' ? trainingSizeOf(games) : null;
  return size && `Train-${size}`;
}

/** The sets of instances that answer as the paper's do, each with its place; the largest first. */
function instanceSets({ assessments }: ReportInput): { set: AssessedSet; assessment: number; at: number }[] {
  return assessments
    .flatMap(({ sets }, assessment) => sets.map((set, at) => ({ set, assessment, at })))
    .filter(({ set }) => isProbed(set, asThePaper) && set.instances.length > 0)
    .sort((a, b) => b.set.instances.length - a.set.instances.length || b.set.answers.length - a.set.answers.length);
}

/** Table 10: prompts of each piece, counted on the instances (the largest set, where models were asked different ones). */
export function pieceTable(input: ReportInput, configurations: readonly Configuration[]): Table {
  const found = instanceSets(input)[0];
  const tasks = ['end-actual', 'end-other', 'start-other'] as const;
  const rowOf = (piece: (typeof askedPieces)[number] | null): Row => {
    const published = tasks.map((_, at) => (piece === null ? 1000 : pieceRows[piece][at]));
    const cells = tasks.map((task, at) => {
      if (!found) return publishedCell(published[at]);
      const { set, assessment, at: place } = found;
      const value = set.instances.filter((one) => piece === null || questionOf(one, task).piece === piece).length;
      const members = (): Member[] =>
        set.answers.flatMap((answer, i) =>
          answer.task === task && (piece === null || answer.piece === piece)
            ? [{ assessment, set: place, answer: i }]
            : [],
        );
      const answered = set.answers.some((answer) => answer.task === task);
      return counted(value, published[at], answered ? members : null);
    });
    return { labels: [piece === null ? 'Total' : pieceNames[piece]], cells, publishedOnly: !found };
  };
  return {
    id: 'table-10',
    title: 'Table 10: the pieces asked about',
    description:
      'How many questions are about each kind of piece. Pawns are never asked about. The other piece, or the other kind, is drawn from those that could move, which makes kings common.',
    headings: {
      labels: ['Piece'],
      groups: [],
      cells: ['End and Start, moved piece', 'End, another piece', 'Start, another kind'],
    },
    rows: [...askedPieces.map(rowOf), rowOf(null)],
    notes: instanceNotes(configurations),
  };
}

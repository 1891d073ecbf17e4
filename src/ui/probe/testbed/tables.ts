import { PIECE_NAMES } from '../../../domains/chess/pieces.ts';
import type { AssessedModel, AssessedSet } from '../../../studies/testbed/assessment.ts';
import { accuracy, askedPieces, pieceCounts, type Accuracy } from '../../../studies/testbed/breakdown.ts';
import { prefixRanges } from '../../../studies/testbed/prefix-ranges.ts';
import type { TaskName } from '../../../studies/testbed/tasks.ts';
import { notationOf } from '../../../studies/testbed/report/configurations.ts';
import { nearestSize } from '../../../studies/testbed/report/paper-row.ts';
import {
  architectureRows,
  endRows,
  randomLegal,
  startRows,
  trainingSizes,
  type PaperRow,
  type TrainingSize,
} from '../../../studies/testbed/report/published.ts';
import { pieceRows } from '../../../studies/testbed/report/published-counts.ts';
import type { Cell, Member, Row, Table } from '../../../report/table.ts';

/** The Probe page's tables of one model on one set of instances, in the forms that tables are drawn and saved from. */

export const taskWords: Record<TaskName, string> = {
  'end-actual': 'End, the piece that moved',
  'end-other': 'End, another piece',
  'start-actual': 'Start, the kind that moved',
  'start-other': 'Start, another kind',
};

/** "After 51 to 100 plies", "After 5 to 50 plies of random play". */
export function setTitle({ range, source }: Pick<AssessedSet, 'range' | 'source'>): string {
  const [least, most] = prefixRanges[range];
  return `After ${least} to ${most} plies${source === 'games' ? '' : ' of random play'}`;
}

/** Whether the paper probed such prefixes; only then do its numbers stand beside. */
export function isThePapers({ range, source }: Pick<AssessedSet, 'range' | 'source'>): boolean {
  return range === 'long' && source === 'games';
}

/** The tasks that the set has answers to, in their order. */
export function tasksOf(set: AssessedSet): TaskName[] {
  return (Object.keys(taskWords) as TaskName[]).filter((task) => set.answers.some((answer) => answer.task === task));
}

/** Leads from a number to its answers. `at` is the set's place in the assessment. */
export function membersOf(at: number, answers: readonly number[]): () => Member[] {
  return () => answers.map((answer) => ({ assessment: 0, set: at, answer }));
}

export function emptyCell(text = '–'): Cell {
  return { text, value: null, ci95: null, spread: null, published: null, members: null };
}

/** The paper's rows to set a model beside: the same notation and kind, the training set nearest in size. */
export function paperRows(subject: AssessedModel): {
  start: PaperRow | null;
  end: PaperRow | null;
  size: TrainingSize;
} {
  const size = nearestSize(subject.trainGames);
  const { family } = notationOf(subject.notation);
  const same = ({ model }: PaperRow): boolean => model.size === size && model.notation === family;
  const end =
    subject.kind === 'lstm' && family !== 'ap'
      ? architectureRows.find((row) => same(row) && row.model.kind === 'lstm')
      : endRows.find(same);
  return { start: startRows.find(same) ?? null, end: end ?? null, size };
}

const percents = (share: number | null, ci95: [number, number] | null, published: number | null): Cell =>
  share === null
    ? { ...emptyCell(), published }
    : {
        ...emptyCell((share * 100).toFixed(1)),
        value: share * 100,
        ci95: ci95 && [ci95[0] * 100, ci95[1] * 100],
        published,
      };

/** The four tasks: exact move, legal move, R-precision, and what a random legal answer would score (Tables 5 and 6). */
export function scoresTable(set: AssessedSet, at: number, subject: AssessedModel): Table {
  const paper = isThePapers(set) ? paperRows(subject) : null;
  const rows = tasksOf(set).map((task): Row => {
    const scores: Accuracy = accuracy(set, task);
    const start = task.startsWith('start');
    const published = (start ? paper?.start : paper?.end)?.values ?? null;
    const [legal, precision, exact] = task.endsWith('actual') ? [0, 1, 4] : [2, 3, null];
    const value = (place: number | null): number | null => (place === null ? null : (published?.[place] ?? null));
    const members = membersOf(at, scores.answers);
    return {
      labels: [taskWords[task]],
      publishedOnly: false,
      cells: [
        { ...percents(scores.lgm, scores.ci95.lgm, value(legal)), members },
        { ...percents(scores.rprec, scores.ci95.rprec, value(precision)), members },
        exact === null ? emptyCell() : { ...percents(scores.exm, scores.ci95.exm, value(exact)), members },
        scores.random === null
          ? emptyCell()
          : percents(scores.random, null, published === null ? null : start ? randomLegal.start : randomLegal.end),
        { ...emptyCell(String(scores.n)), value: scores.n, members },
      ],
    };
  });
  return {
    id: `scores-${idOf(set)}`,
    title: setTitle(set),
    words:
      'Each row asks about every position once. End: where does this piece go? Start: from which square does a piece of this kind move? Legal: the likeliest answer is allowed by the rules. R-precision: of as many likeliest answers as there are legal ones, the share that is legal. Exact: the likeliest answer is the move really played.',
    headings: {
      labels: ['Percent'],
      groups: [],
      cells: ['Legal', 'R-precision', 'Exact', 'Exact by random legal move', 'Positions'],
    },
    rows,
    notes: [
      ...(rows.some(({ labels }) => labels[0].startsWith('Start'))
        ? []
        : ['This model has never seen piece names, so it cannot be asked where a piece stands.']),
      ...(paper === null ? [] : paperNote(paper, subject)),
    ],
  };
}

function paperNote({ size, end }: ReturnType<typeof paperRows>, subject: AssessedModel): string[] {
  if (end === null) return [];
  const model = end.model.kind === 'lstm' ? 'its LSTM' : 'its GPT-2 of 85 million parameters';
  return [
    `The paper's numbers are of ${model}, ${end.name}, trained on ${trainingSizes[size].toLocaleString('en-GB')} games between people (Toshniwal et al. 2022, Tables 5 to 7), which is the nearest it has to ${subject.trainGames === null ? 'this model' : `${subject.trainGames.toLocaleString('en-GB')} games`}.`,
  ];
}

/** How often each kind of piece is asked about (Table 10). */
export function piecesTable(set: AssessedSet, at: number): Table {
  const paper = isThePapers(set);
  const rows = tasksOf(set).map((task): Row => {
    const counts = pieceCounts(set, task);
    const column = task.endsWith('actual') ? 0 : task === 'end-other' ? 1 : 2;
    const total = Object.values(counts).reduce((sum, { n }) => sum + n, 0);
    return {
      labels: [taskWords[task]],
      publishedOnly: false,
      cells: askedPieces.map((piece) => ({
        ...emptyCell(String(counts[piece].n)),
        value: counts[piece].n,
        published: paper ? scaled(pieceRows[piece][column], total) : null,
        members: counts[piece].n > 0 ? membersOf(at, counts[piece].answers) : null,
      })),
    };
  });
  return {
    id: `pieces-${idOf(set)}`,
    title: 'Which pieces are asked about',
    words: 'Positions by the piece in question. Pawns are never asked about: where they go is too easy to guess.',
    headings: { labels: ['Positions'], groups: [], cells: askedPieces.map((piece) => capital(PIECE_NAMES[piece])) },
    rows,
    notes: paper ? ["The paper's counts are of 1,000 positions, here scaled to as many as these."] : [],
  };
}

/** A count of the paper's 1,000 as it would be of `total`, to one decimal. */
export function scaled(count: number | null, total: number): number | null {
  return count === null ? null : Math.round((count * total) / 100) / 10;
}

export function idOf({ range, source }: Pick<AssessedSet, 'range' | 'source'>): string {
  return `${range}-${source.replace(' ', '-')}`;
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

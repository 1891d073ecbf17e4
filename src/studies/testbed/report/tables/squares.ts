import type { AssessedSet } from '../../assessment.ts';
import { answersOf } from '../../breakdown.ts';
import type { TaskName } from '../../tasks.ts';
import { asThePaper, wasProbed, type Configuration, type Probed } from '../configurations.ts';
import { rangeLabel } from '../labels.ts';
import { MODEL_LABELS, matchedRows, type Column } from '../matched-rows.ts';
import { countedOf, taskCell } from '../measures.ts';
import { modelNotes, seedNotes } from '../notes.ts';
import {
  architectureRows,
  endRows,
  modelSizeRows,
  randomLegal,
  startRows,
  type PaperRow,
} from '../../published/tables.ts';
import { INTERVALS, publishedCell, shareCell, toldCell } from '../../../cells.ts';
import type { Row, Table } from '../../../../report/table.ts';

type Asked = 'start' | 'end';

/** The five columns of Tables 5 to 8. */
function columnsOf(asked: Asked): Column[] {
  const column = (title: string, task: TaskName, score: Parameters<typeof taskCell>[3]): Column => ({
    title,
    measure: (configuration, probed, published) => taskCell(configuration, probed, task, score, published),
  });
  return [
    column('legal, %', `${asked}-actual`, 'legal'),
    column('R-precision, %', `${asked}-actual`, 'rPrecision'),
    column('legal, %', `${asked}-other`, 'legal'),
    column('R-precision, %', `${asked}-other`, 'rPrecision'),
    column('exact, %', `${asked}-actual`, 'exact'),
  ];
}

const GROUPS = [
  { title: 'Piece moved in the game', span: 2 },
  { title: 'Another piece', span: 2 },
  { title: "The game's own move", span: 1 },
];

const METRICS =
  'Legal: the likeliest answer is a legal one. R-precision: where n answers are legal, the share of them among the n likeliest. Exact: the likeliest answer is the move of the game.';

function squaresTable(
  configurations: readonly Configuration[],
  asked: Asked,
  paper: readonly PaperRow[],
  about: {
    id: string;
    title: string;
    description: string;
    named: 'notation' | 'model';
    notes?: string[];
  },
): Table {
  const columns = columnsOf(asked);
  const rows = matchedRows(configurations, paper, columns, { short: true, named: about.named });
  return {
    id: about.id,
    title: about.title,
    description: `${about.description} ${METRICS}`,
    headings: { labels: MODEL_LABELS, groups: GROUPS, cells: columns.map(({ title }) => title) },
    // The paper has random answers in its main tables alone.
    rows: about.named === 'notation' ? [...rows, randomRow(configurations, asked)] : rows,
    notes: [...(about.notes ?? []), ...modelNotes(configurations), INTERVALS],
  };
}

/** What a random legal answer expects of the exact move: the mean of 1 / (legal answers) over the Actual prompts. */
function randomRow(configurations: readonly Configuration[], asked: Asked): Row {
  const runs = configurations.flatMap((one) => one.runs);
  const actual = (set: AssessedSet): number[] => answersOf(set, `${asked}-actual`);
  const own = shareCell(
    countedOf({ runs }, asThePaper, actual, ({ legalCount }) => 1 / legalCount),
    randomLegal[asked],
  );
  // Every model is asked the same questions, so the runs' spread would tell nothing.
  const cells = [...Array.from({ length: 4 }, () => publishedCell(null)), { ...own, spread: null }];
  return { labels: ['', 'A random legal answer', ''], cells, publishedOnly: own.value === null };
}

/** Table 5: from which square does a piece of this kind start? */
export function startTable(configurations: readonly Configuration[]): Table {
  return squaresTable(configurations, 'start', startRows, {
    id: 'table-5',
    title: 'Table 5: starting squares',
    description:
      'The model reads a game and the name of a piece, and says from which square such a piece moves next: does it know where the pieces are? Only models that have met piece names in training can be asked.',
    named: 'notation',
  });
}

/** Table 6: to which square does the piece on this square go? */
export function endTable(configurations: readonly Configuration[]): Table {
  return squaresTable(configurations, 'end', endRows, {
    id: 'table-6',
    title: 'Table 6: ending squares',
    description:
      'The model reads a game and the square a piece stands on, and says where the piece goes: does it know what the piece is, how it moves, and what is in its way?',
    named: 'notation',
  });
}

/** Table 7: ending squares by architecture. */
export function architectureTable(configurations: readonly Configuration[]): Table {
  return squaresTable(configurations, 'end', architectureRows, {
    id: 'table-7',
    title: 'Table 7: architectures',
    description:
      'The questions of Table 6, asked of other kinds of model: those that see only the last 50 tokens, those whose attention is approximate, and recurrent ones.',
    named: 'model',
    notes: [
      "GPT2 (w=50) of Train-L is left out: the paper prints the very numbers of the Performer there, and its own error counts show that they are the Performer's.",
    ],
  });
}

/** Table 8: ending squares by size of the model. */
export function modelSizeTable(configurations: readonly Configuration[]): Table {
  const bySize = [...configurations].sort((a, b) => a.subject.parameters - b.subject.parameters);
  return squaresTable(bySize, 'end', modelSizeRows, {
    id: 'table-8',
    title: 'Table 8: size of the model',
    description:
      'The questions of Table 6, asked of larger and smaller models. In the paper, more games are what lets larger models win.',
    named: 'model',
    notes: ["Rows are the paper's only where layers and width are the same too."],
  });
}

const squareTasks = ['end-actual', 'end-other', 'start-actual', 'start-other'] as const;

/** What a record tells of games of another kind; none of the usual kind, which the other tables have. */
function recordedRow({ name }: Configuration, { range, recorded }: AssessedSet): Row[] {
  if (recorded?.of === undefined) return [];
  const cells = squareTasks.map((task) => {
    const { lgm, ci95 } = recorded.tasks[task];
    return toldCell(lgm, ci95.lgm, null);
  });
  return [{ labels: [name, rangeLabel(range), recorded.of], cells }];
}

/** Accuracy on prefixes of games beside prefixes of uniformly random legal play, which no player would reach. */
export function randomPlayTable(configurations: readonly Configuration[]): Table {
  const ranges = ['long', 'short'] as const;
  const sources = [
    ['games', 'games'],
    ['random play', 'random legal play'],
  ] as const;
  const rowOf = (one: Configuration, probed: Probed, name: string): Row[] => {
    const cells = squareTasks.map((task) => taskCell(one, probed, task, 'legal', null));
    if (cells.every(({ value }) => value === null)) return [];
    return [{ labels: [one.name, rangeLabel(probed.range), name], cells }];
  };
  return {
    id: 'random-play',
    title: 'Games against random play',
    description:
      'The share of legal answers after moves that people or engines played, and after moves drawn at random from the legal ones. A model that knows the rules does as well on both; one that knows only what players do falls behind. Not in the paper.',
    headings: {
      labels: ['Measured model', 'Prefixes', 'Moves of'],
      groups: [
        { title: 'Ending squares, legal %', span: 2 },
        { title: 'Starting squares, legal %', span: 2 },
      ],
      cells: ['moved piece', 'another piece', 'moved piece', 'another piece'],
    },
    rows: configurations.flatMap((one) => [
      // Rows of games alone would repeat the other tables.
      ...ranges
        .filter((range) => wasProbed([one], { range, source: 'random play' }))
        .flatMap((range) => sources.flatMap(([source, name]) => rowOf(one, { range, source }, name))),
      ...one.runs.flatMap(({ assessment }) => assessment.sets.flatMap((set) => recordedRow(one, set))),
    ]),
    notes: [...seedNotes(configurations), INTERVALS],
  };
}

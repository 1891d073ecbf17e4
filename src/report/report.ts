import type { Board } from './board.ts';
import type { Figure, Gallery, Member, Table } from './table.ts';

/**
 * A report as data: what a study makes of its assessments. page.ts draws it as HTML; the page draws the same tables,
 * figures and answers one by one.
 */
export interface Report {
  title: string;
  introduction: string;
  /** A row a run: what it is and what it was asked. The first column is the run's name. */
  runs: { headings: readonly string[]; rows: readonly (readonly string[])[] };
  /** Sentences that stand under the list of runs. */
  facts: readonly string[];
  /** In the order in which they are drawn. */
  parts: readonly Part[];
  /** What a page that cannot show all at once shows together: parts by their ids. Left out where there is one topic. */
  topics?: readonly { title: string; ids: RegExp }[];
  /** The answer that a number counts; members come from the report's own tables and galleries. */
  answer: (member: Member) => AnswerView;
  /** The same as the answer's `right`, without the cost of a board. */
  isRight: (member: Member) => boolean;
  /** What a right answer is: "legal", "right". */
  right: string;
  /** Whether answers have boards, so that the page brings the pieces. */
  boards: boolean;
  /** What must be said wherever the games are used; '' where there is nothing. */
  notice: string;
}

/** A table, a figure or a gallery. */
export type Part =
  | { kind: 'table'; table: Table }
  | { kind: 'figure'; figure: Figure }
  | { kind: 'gallery'; gallery: Gallery };

/** Tables, then figures. */
export const chartsOf = (tables: readonly Table[], figures: readonly Figure[]): Part[] => [
  ...tables.map((table) => ({ kind: 'table' as const, table })),
  ...figures.map((figure) => ({ kind: 'figure' as const, figure })),
];

/** One answer as a person looks at it. */
export interface AnswerView {
  model: string;
  /** "Where does the knight on f3 go?" */
  question: string;
  /** "g6: the knight on f3 does not move like that". */
  verdict: string;
  right: boolean;
  /** What else is known: what would have been right, how sure the model is; '' where there is nothing. */
  more: string;
  /** What was asked, to be pasted as a prompt or read as a game; '' where the assessment does not tell it. */
  prompt: string;
  /** The position that the question is about; null where it cannot be drawn. */
  board: Board | null;
  /** The state that the question is about, in games whose states are drawn by their variables; without it, `prompt` is one of chess. */
  state?: StateView | null;
}

/** The state of a game of any domain. */
export interface StateView {
  domain: string;
  /** Value of each state variable, by name. */
  values: Readonly<Record<string, string>>;
  /** The variable that was asked for, where it was one. */
  asked: string | null;
  /** The events that lead to it, in the game's own text. */
  line: string;
}

/** How a report came to be, as far as its maker knows; lines are printed as they are. */
export interface ReportAbout {
  /** "WebGPU (NVIDIA ...)": where the models were asked. */
  device: string | null;
  /** The command that makes it again. */
  command: string | null;
  /** Day of making, as people write it. */
  date: string | null;
}

export const tablesOf = ({ parts }: Pick<Report, 'parts'>): Table[] =>
  parts.flatMap((part) => (part.kind === 'table' ? [part.table] : []));
export const figuresOf = ({ parts }: Pick<Report, 'parts'>): Figure[] =>
  parts.flatMap((part) => (part.kind === 'figure' ? [part.figure] : []));

/** What all kinds of parts have: a name, a title and words. */
export function contentOf(part: Part): Table | Figure | Gallery {
  return part.kind === 'table' ? part.table : part.kind === 'figure' ? part.figure : part.gallery;
}

/** A title as what it tells, with the paper's number apart: "ending squares" of "Table 6: ending squares". */
export function headingOf(title: string): { meaning: string; number: string } {
  const [, number, rest] = /^(.*\b(?:Table|Figure) \d+): (.*)$/.exec(title) ?? [null, '', title];
  return { meaning: rest[0].toUpperCase() + rest.slice(1), number };
}

/** Whether a table has a number of the user's. */
export function hasMeasured({ rows }: Table): boolean {
  return rows.some(({ publishedOnly, cells }) => !publishedOnly && cells.some(({ value }) => value !== null));
}

/** Whether a part has anything of the user's. */
export function isMeasured(part: Part): boolean {
  if (part.kind === 'table') return hasMeasured(part.table);
  if (part.kind === 'figure')
    return part.figure.series.some(({ published, points }) => !published && points.length > 0);
  return part.gallery.classes.some(({ members }) => members.length > 0);
}

/** The same table without the rows that are the paper's alone. */
export function measuredRows(table: Table): Table {
  return { ...table, rows: table.rows.filter(({ publishedOnly }) => !publishedOnly) };
}

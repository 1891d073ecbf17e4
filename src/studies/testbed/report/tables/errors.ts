import type { Answer, AssessedSet } from '../../assessment.ts';
import { answersOf, askedPieces, endTasks, isOfRow } from '../../breakdown.ts';
import type { ErrorClass } from '../../error-taxonomy.ts';
import { asThePaper, isLike, type Configuration } from '../configurations.ts';
import { gamesLabel, modelLabel, notationLabel, pieceNames } from '../labels.ts';
import { MODEL_LABELS, matchedRows, type Column } from '../matched-rows.ts';
import { countCell, countedOf } from '../measures.ts';
import { modelNotes } from '../notes.ts';
import { INTERVALS, paperAlone } from '../../../cells.ts';
import { analysedModel, errorRows } from '../../published/tables.ts';
import { obstructionRows, pseudoLegalRows } from '../../published/counts.ts';
import type { Row, Table } from '../../../../report/table.ts';

/** Kinds of wrong answers in the order of the table; the paper leaves unreachable ones out, fewer than 5 in each row. */
const classes: readonly ErrorClass[] = ['syntax', 'path obstruction', 'pseudo legal', 'unreachable'];

/** Table 12: kinds of wrong ending squares in 1,000 prompts. */
export function errorTable(configurations: readonly Configuration[]): Table {
  const columns = endTasks.flatMap((task) =>
    classes.map((error): Column => ({
      title: error,
      measure: (one, probed, published) =>
        countCell(
          countedOf(
            one,
            probed,
            (set) => answersOf(set, task),
            (answer) => answer.error === error,
          ),
          published,
          1000,
        ),
    })),
  );
  const paper = errorRows.map((row) => ({
    ...row,
    values: [...row.values.slice(0, 3), null, ...row.values.slice(3), null],
  }));
  return {
    id: 'table-12',
    title: 'Table 12: kinds of wrong answers',
    description:
      'Wrong ending squares in 1,000 questions. Syntax: such a piece never moves like that. Path obstruction: something stands in the way. Pseudo legal: the king would be in check afterwards. Unreachable: no piece at all moves like that.',
    headings: {
      labels: MODEL_LABELS,
      groups: [
        { title: 'Piece moved in the game', span: 4 },
        { title: 'Another piece', span: 4 },
      ],
      cells: columns.map(({ title }) => title),
    },
    rows: matchedRows(configurations, paper, columns, { short: true, named: 'notation' }),
    notes: [
      'Your counts are scaled to 1,000 prompts, so that they stand beside the paper’s. The paper leaves unreachable answers out: fewer than 5 in each row.',
      ...modelNotes(configurations),
      INTERVALS,
    ],
  };
}

/** The name of a row, which answers it is of, and what the paper has: errors and prompts, Actual then Other. */
interface Split {
  name: string;
  where: (answer: Answer) => boolean;
  values: readonly (number | null)[];
}

/**
 * Tables 13 and 14: errors of one class and the prompts they are of, by some split of the prompts. Answers with an error
 * of another class are left out (the tables' captions).
 */
function splitTable(
  configurations: readonly Configuration[],
  splits: readonly Split[],
  about: { id: string; title: string; description: string; label: string; error: ErrorClass; notes?: string[] },
): Table {
  const rowsOf = (one: Configuration): Row[] => {
    const like = isLike(one, analysedModel);
    return splits.flatMap(({ name, where, values }) => {
      const cells = endTasks.flatMap((task, at) => {
        const asked = (set: AssessedSet): number[] =>
          answersOf(set, task, (answer) => where(answer) && (answer.legal || answer.error === about.error));
        const errors = countedOf(one, asThePaper, asked, ({ error }) => error === about.error);
        const all = countedOf(one, asThePaper, asked, () => true);
        return [
          countCell(errors, like ? values[2 * at] : null),
          { ...countCell(all, like ? values[2 * at + 1] : null), ci95: null },
        ];
      });
      if (cells.every(({ value }) => value === null)) return [];
      return [{ labels: [`${one.name}: ${modelLabel(one)}`, modelOf(one), name], cells }];
    });
  };
  const measured = configurations.map(rowsOf);
  const likened = configurations.some((one, at) => measured[at].length > 0 && isLike(one, analysedModel));
  const paper = splits.map(({ name, values }) => paperAlone(['the paper alone', 'Train-L, UCI', name], values));
  return {
    id: about.id,
    title: about.title,
    description: about.description,
    headings: {
      labels: ['Measured model', 'Training games and notation', about.label],
      groups: [
        { title: 'Piece moved in the game', span: 2 },
        { title: 'Another piece', span: 2 },
      ],
      cells: ['Errors', 'Questions', 'Errors', 'Questions'],
    },
    rows: [...(likened ? [] : paper), ...measured.flat()],
    notes: [
      ...(about.notes ?? []),
      'Questions whose answer is wrong in another way are in neither column.',
      'The paper has this table for one model alone, GPT2 with UCI on Train-L; rows of other models have no published values.',
      ...modelNotes(configurations),
    ],
  };
}

const modelOf = (one: Configuration): string => `${gamesLabel(one)}, ${notationLabel(one)}`;

/** Table 13: which questions lead to moves that leave the king in check. */
export function pseudoLegalTable(configurations: readonly Configuration[]): Table {
  const splits = pseudoLegalRows.map((row): Split => ({ ...row, where: (answer) => isOfRow(answer, row) }));
  return splitTable(configurations, splits, {
    id: 'table-13',
    title: 'Table 13: leaving the king in check',
    description:
      'Answers that the piece could play if only the king were safe afterwards (pseudo legal), by whether the king was in check already and whether it is the king that moves.',
    label: 'Question',
    error: 'pseudo legal',
  });
}

/** Table 14: which pieces run into others. */
export function obstructionTable(configurations: readonly Configuration[]): Table {
  const pieces = askedPieces.map((piece) => pieceNames[piece]);
  const splits = obstructionRows.map((row): Split => ({
    ...row,
    where: ({ piece }) => row.piece === null || row.piece === piece,
  }));
  return splitTable(configurations, splits, {
    id: 'table-14',
    title: 'Table 14: things in the way',
    description: `Answers that would be right if nothing stood in the way (path obstruction), by the piece that was asked about: ${pieces.join(', ').toLowerCase()}.`,
    label: 'Piece',
    error: 'path obstruction',
    notes: [
      'The copy of the paper that these numbers come from prints stray digits; the errors of rook, bishop and queen asked about as another piece cannot be told from it and are left out.',
    ],
  });
}

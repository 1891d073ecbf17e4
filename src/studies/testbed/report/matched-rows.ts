import type { Configuration, Probed } from './configurations.ts';
import { asThePaper, isLike, isRecorded, wasProbed } from './configurations.ts';
import { gamesLabel, modelLabel, notationLabel, rangeLabel } from './labels.ts';
import { paperAlone } from '../../cells.ts';
import type { PaperRow } from '../published/tables.ts';
import type { Cell, Row } from '../../../report/table.ts';

/** One column of a table whose rows are models. */
export interface Column {
  title: string;
  /** The user's number with the published one beside it; its value is null where the user has none. */
  measure: (configuration: Configuration, probed: Probed, published: number | null) => Cell;
}

/** Headings of the labels that `matchedRows` gives. */
export const MODEL_LABELS = ['Training games', 'Model', 'Measured model'];
const PAPER_ONLY = 'the paper alone';

/**
 * The paper's rows in the paper's order, each filled with the user's configurations that are like it (a row for each);
 * a row that none is like keeps its published values alone. Then the user's other configurations, by training games.
 * Where `short`, the rows of short prefixes follow, which the paper has none of.
 */
export function matchedRows(
  configurations: readonly Configuration[],
  paper: readonly PaperRow[],
  columns: readonly Column[],
  options: { short: boolean; named: 'notation' | 'model' },
): Row[] {
  const rowOf = (configuration: Configuration, row: PaperRow | null, probed: Probed): Row | null => {
    const cells = columns.map(({ measure }, at) => measure(configuration, probed, row?.values[at] ?? null));
    if (cells.every(({ value }) => value === null)) return null;
    const made = configuration.runs.some(({ assessment }) => isRecorded(assessment));
    const run = `${configuration.name}: ${modelLabel(configuration)}${made ? ', measured when the model was made' : ''}`;
    return {
      labels: [
        gamesLabel(configuration),
        labelOf(configuration, row, options.named),
        probed.range === 'short' ? `${run}, prefixes of ${rangeLabel('short')}` : run,
      ],
      cells,
    };
  };
  const used = new Set<Configuration>();
  const rows = paper.flatMap((row) => {
    const filled = configurations.flatMap((configuration) => {
      if (!isLike(configuration, row.model)) return [];
      const measured = rowOf(configuration, row, asThePaper);
      if (measured === null) return [];
      used.add(configuration);
      return [measured];
    });
    return filled.length > 0 ? filled : [paperAlone([`Train-${row.model.size}`, row.name, PAPER_ONLY], row.values)];
  });
  const byGames = [...configurations].sort((a, b) => (a.subject.trainGames ?? 0) - (b.subject.trainGames ?? 0));
  const alone = byGames.filter((one) => !used.has(one)).map((one) => rowOf(one, null, asThePaper));
  const short: Probed = { range: 'short', source: 'games' };
  const shorter =
    options.short && wasProbed(configurations, short) ? byGames.map((one) => rowOf(one, null, short)) : [];
  return [...rows, ...[...alone, ...shorter].filter((row) => row !== null)];
}

/** By notation as in Tables 4 to 6, or by model as in Tables 7 and 8, whose models have no piece names unless said. */
function labelOf(configuration: Configuration, row: PaperRow | null, named: 'notation' | 'model'): string {
  const notation = notationLabel(configuration);
  if (row === null) return named === 'notation' ? notation : `${kindOf(configuration)}, ${notation}`;
  if (configuration.notation.family !== 'rap') return row.name;
  return `${row.name} ${configuration.notation.percent}`;
}

const kindOf = (configuration: Configuration): string => modelLabel(configuration).split(' ')[0];

import type { Configuration } from '../configurations.ts';
import { MODEL_LABELS, matchedRows } from '../matched-rows.ts';
import { differences, seedNotes } from '../notes.ts';
import { perplexityRows } from '../../published/tables.ts';
import { perplexityCell as cellOf } from '../../../cells.ts';
import type { Cell, Table } from '../../../../report/table.ts';

/** Table 4: canonical perplexity on dev and test games. */
export function perplexityTable(configurations: readonly Configuration[]): Table {
  const column = (title: string, split: 'dev' | 'test') => ({
    title,
    measure: (configuration: Configuration, _: unknown, published: number | null): Cell =>
      perplexityCell(configuration, split, published),
  });
  return {
    id: 'table-4',
    title: 'Table 4: perplexity',
    description:
      'How many moves the model wavers between, on average, at each move of games it has never seen. One move, such as f1b5, counts as one word; the end of the game counts as a move. Lower is better.',
    headings: {
      labels: MODEL_LABELS,
      groups: [{ title: 'Perplexity a move', span: 2 }],
      cells: ['Dev games', 'Test games'],
    },
    rows: matchedRows(configurations, perplexityRows, [column('Dev games', 'dev'), column('Test games', 'test')], {
      short: false,
      named: 'notation',
    }),
    notes: [
      ...differences(configurations),
      ...heldOutNotes(configurations),
      ...seedNotes(configurations),
      'Perplexities have no interval here: an assessment keeps the figure of all games together.',
    ],
  };
}

/** The mean over the runs that have one. */
export function perplexityCell({ runs }: Configuration, split: 'dev' | 'test', published: number | null): Cell {
  return cellOf(
    runs.flatMap(({ assessment }) => assessment.perplexity[split]?.perplexity ?? []),
    published,
  );
}

function heldOutNotes(configurations: readonly Configuration[]): string[] {
  const games = configurations.flatMap(({ runs }) =>
    runs.flatMap(({ assessment: { perplexity } }) =>
      [perplexity.dev, perplexity.test].flatMap((one) => one?.games ?? []),
    ),
  );
  if (games.length === 0) return [];
  const [least, most] = [Math.min(...games), Math.max(...games)];
  const range = least === most ? `${least}` : `${least} to ${most}`;
  return [`Held-out games: 15,000 in each of the paper's sets; ${range} in yours.`];
}

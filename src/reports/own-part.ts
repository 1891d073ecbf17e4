import { DASH } from './measures.ts';
import type { Table } from './table.ts';

/**
 * What a table tells of the user's: rows of the paper alone are left out, and so are groups of columns in which nothing
 * of the user's is left, as those of a game that no model was assessed in.
 */
export function ownPart(table: Table): Table {
  const rows = table.rows.filter(({ publishedOnly }) => !publishedOnly);
  const { groups } = table.headings;
  const starts = groups.map((_, at) => groups.slice(0, at).reduce((sum, { span }) => sum + span, 0));
  const told = groups.map(({ span }, at) =>
    rows.some(({ cells }) =>
      cells.slice(starts[at], starts[at] + span).some(({ text, value }) => value !== null || text !== DASH),
    ),
  );
  if (told.every(Boolean)) return { ...table, rows };
  const of = <T>(columns: readonly T[]): T[] =>
    groups.flatMap(({ span }, at) => (told[at] ? columns.slice(starts[at], starts[at] + span) : []));
  const { labels, cells } = table.headings;
  return {
    ...table,
    headings: { labels, groups: groups.filter((_, at) => told[at]), cells: of(cells) },
    rows: rows.map((row) => ({ ...row, cells: of(row.cells) })),
  };
}

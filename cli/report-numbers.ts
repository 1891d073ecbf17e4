import { hasMeasured, tablesOf, type Report } from '../src/report/report.ts';
import type { Table } from '../src/report/table.ts';

/** The user's numbers of one row: what it is of, the values as the table has them (percent under "%"), and intervals. */
interface NumbersOfRow {
  of: Record<string, string>;
  values: Record<string, number | null>;
  ci95: Record<string, [number, number]>;
}

/** What the user's own rows say, by the table's id; tables of published values alone are left out. */
export function measuredNumbers(report: Report): { tables: Record<string, NumbersOfRow[]> } {
  const tables = tablesOf(report).filter(hasMeasured);
  return { tables: Object.fromEntries(tables.map((table) => [table.id, rowsOf(table)])) };
}

function rowsOf(table: Table): NumbersOfRow[] {
  const { labels } = table.headings;
  const names = columnNames(table);
  return table.rows
    .filter(({ publishedOnly }) => !publishedOnly)
    .map((row) => {
      const cells = row.cells.map((cell, at) => ({ ...cell, name: names[at] }));
      return {
        of: Object.fromEntries(row.labels.map((label, at) => [labels[at], label])),
        values: Object.fromEntries(cells.map(({ name, value }) => [name, value])),
        ci95: Object.fromEntries(cells.flatMap(({ name, ci95 }) => (ci95 === null ? [] : [[name, ci95]]))),
      };
    });
}

/** Headings with the group that they stand under, where there are groups. */
function columnNames({ headings: { groups, cells } }: Table): string[] {
  const above = groups.flatMap(({ title, span }) => Array.from({ length: span }, () => title));
  return cells.map((heading, at) => (above[at] ? `${above[at]}: ${heading}` : heading));
}

import { count } from './labels.ts';
import type { Table } from './table.ts';

/**
 * Published values as printed, [rows][cells], '' where there is none. A column of whole numbers is counts; in any other
 * every value has one decimal, as in the paper.
 */
export function publishedTexts({ rows, headings }: Table): string[][] {
  const whole = headings.cells.map((_, at) => rows.every(({ cells }) => Number.isInteger(cells[at].published ?? 0)));
  return rows.map(({ cells }) =>
    cells.map(({ published }, at) => (published === null ? '' : whole[at] ? count(published) : published.toFixed(1))),
  );
}

/** "71.2 to 76.6" of an interval, with the decimals of the number that it belongs to. */
export function intervalText([low, high]: readonly [number, number], like: string): string {
  const decimals = like.split('.')[1]?.length ?? (high < 20 ? 1 : 0);
  return `${low.toFixed(decimals)} to ${high.toFixed(decimals)}`;
}

/** "Piece moved in the game: legal, %" for each column. */
export function fullHeadings({ headings }: Table): string[] {
  const groups = headings.groups.flatMap(({ title, span }) => Array.from({ length: span }, () => title));
  return headings.cells.map((cell, at) => (groups[at] ? `${groups[at]}: ${cell}` : cell));
}

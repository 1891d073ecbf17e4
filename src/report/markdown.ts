import { fullHeadings, intervalText, publishedTexts } from './published-text.ts';
import type { Table } from './table.ts';

/**
 * A table as GitHub-flavoured Markdown: title, words, the table, notes. A number of the user's is followed by its
 * interval and "(paper 97.7)"; rows of the paper alone are in italics. Names are escaped, so that nothing in them is
 * read as markup.
 */
export function markdownOf(table: Table): string {
  const published = publishedTexts(table);
  const rows = table.rows.map(({ labels, cells, publishedOnly }, r) => [
    ...labels.map(escaped),
    ...cells.map(({ text, ci95 }, c) => {
      if (publishedOnly) return published[r][c] === '' ? escaped(text) : `_${published[r][c]}_`;
      const interval = ci95 ? ` [${intervalText(ci95, text)}]` : '';
      const paper = published[r][c] === '' ? '' : ` (paper ${published[r][c]})`;
      return `${escaped(text)}${interval}${paper}`;
    }),
  ]);
  const headings = [...table.headings.labels, ...fullHeadings(table)].map(escaped);
  const aligned = [...table.headings.labels.map(() => '---'), ...table.headings.cells.map(() => '---:')];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    `### ${escaped(table.title)}`,
    '',
    escaped(table.description),
    '',
    ...[headings, aligned, ...rows].map(line),
    ...(table.notes.length === 0 ? [] : ['', ...table.notes.map((note) => `- ${escaped(note)}`)]),
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]<>|~]/g, '\\$&')
    .replace(/^(\s*)([#+-])/, '$1\\$2')
    .replace(/&/g, '&amp;')
    .replace(/[\r\n]+/g, ' ');
}

import { fullHeadings } from './published-text.ts';
import type { AnswerView } from './report.ts';
import type { Figure, Table } from './table.ts';

/**
 * A table as CSV (RFC 4180, lines end in CRLF): the labels, then for each column the number, both ends of its 95%
 * interval, and the published one. Numbers are in full and empty where there is none; a cell without a number gives its
 * text.
 */
export function csvOf(table: Table): string {
  const headings = fullHeadings(table).flatMap((title) => [
    title,
    `${title}, 95% from`,
    `${title}, 95% to`,
    `${title}, paper`,
  ]);
  return csvLines([
    [...table.headings.labels, ...headings],
    ...table.rows.map(({ labels, cells }) => [
      ...labels,
      ...cells.flatMap(({ text, value, ci95, published }) => [
        value ?? (text === DASH || published !== null ? '' : text),
        ...(ci95 ?? ['', '']),
        published ?? '',
      ]),
    ]),
  ]);
}

/** A figure's points as CSV, one a line; a level line has its value alone. */
export function figureCsv(figure: Figure): string {
  const { categories } = figure.x;
  return csvLines([
    ['series', figure.x.title, figure.y.title, '95% from', '95% to', 'published'],
    ...figure.series.flatMap(({ name, published, points }) =>
      points.map(({ x, y, ci95 }) => [
        ...[name, categories?.[x] ?? x, y, ...(ci95 ?? ['', '']), published ? 'yes' : 'no'],
      ]),
    ),
    ...(figure.references ?? []).map(({ label, value }) => [label, '', value, '', '', '']),
  ]);
}

/** Answers as CSV, one a line: what was asked, what the model said, and whether that is right. */
export function answersCsv(answers: readonly AnswerView[]): string {
  return csvLines([
    ['model', 'prompt', 'question', 'verdict', 'right', 'more'],
    ...answers.map(({ model, prompt, question, verdict, right, more }) => [
      ...[model, prompt, question, verdict, right ? 'yes' : 'no', more],
    ]),
  ]);
}

const DASH = '–';

/** Rows as CSV; what a table of numbers is written with. */
export function csvLines(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.map(field).join(',') + '\r\n').join('');
}

/** Quoted where it must be. Text that a spreadsheet would run as a formula gets the apostrophe that stops it. */
function field(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

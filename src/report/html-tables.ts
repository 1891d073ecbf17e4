import { escaped } from './escape.ts';
import { fullHeadings, intervalText, publishedTexts } from './published-text.ts';
import type { Cell, Member, Table } from './table.ts';

/** Gives the anchor of the list of answers behind a number. */
export type LinkTo = (text: string, members: readonly Member[]) => string;

/** A table of the page; its numbers link to the answers behind them. */
export function tableHtml(table: Table, linkTo: LinkTo): string {
  const published = publishedTexts(table);
  const { labels, groups, cells } = table.headings;
  const whole = fullHeadings(table);
  const textual = cells.map(
    (_, at) =>
      table.rows.every(({ cells: row }) => row[at].value === null) &&
      table.rows.some(({ cells: row }) => !isNumber(row[at])),
  );
  const groupRow =
    groups.length === 0
      ? ''
      : `<tr><td colspan="${labels.length}"></td>${groups
          .map(({ title, span }) => `<th class="group" scope="colgroup" colspan="${span}">${escaped(title)}</th>`)
          .join('')}</tr>`;
  const headings = [
    ...labels.map((label) => `<th class="label" scope="col">${escaped(label)}</th>`),
    ...cells.map((cell, at) => `<th scope="col"${textual[at] ? ' class="label"' : ''}>${escaped(cell)}</th>`),
  ];
  const rows = table.rows.map((row, r) => {
    const starts = r > 0 && row.labels[0] !== table.rows[r - 1].labels[0];
    const classes = [starts ? 'new' : '', row.publishedOnly ? 'paper-only' : 'own'].filter(Boolean).join(' ');
    const heads = row.labels.map(
      (label, at) => `<th class="label${at === 0 ? ' first' : ''}" scope="row">${escaped(label)}</th>`,
    );
    const tds = row.cells.map((cell, c) => {
      const text = [table.title, ...row.labels, whole[c]].filter((word) => word !== '').join(' / ');
      const kind = textual[c] ? ' class="text"' : '';
      return `<td${kind}>${cellHtml(cell, published[r][c], row.publishedOnly, (members) => linkTo(text, members))}</td>`;
    });
    return `<tr class="${classes}">${heads.join('')}${tds.join('')}</tr>`;
  });
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(table.title)}"><table><thead>${groupRow}<tr>${headings.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function cellHtml(
  { text, value, ci95, spread, members }: Cell,
  published: string,
  publishedOnly: boolean | undefined,
  linkTo: (members: readonly Member[]) => string,
): string {
  if (publishedOnly) return escaped(published === '' ? text : published);
  const behind = value === null ? null : (members?.() ?? null);
  const number =
    behind && behind.length > 0
      ? `<a href="#${linkTo(behind)}">${escaped(text)}</a>`
      : value === null
        ? escaped(text)
        : `<b>${escaped(text)}</b>`;
  return [
    number,
    ci95 ? `<span class="ci">${intervalText(ci95, text)}</span>` : '',
    spread && spread[0] !== spread[1] ? `<span class="ci">seeds ${intervalText(spread, text)}</span>` : '',
    published === '' ? '' : `<span class="paper">paper ${published}</span>`,
  ].join('');
}

function isNumber({ text, published }: Cell): boolean {
  return published !== null || /^[\d.,–]*$/.test(text);
}

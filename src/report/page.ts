import { boardSvg, PIECE_SYMBOLS } from './board-svg.ts';
import { escaped } from './escape.ts';
import { answerLists } from './html-answers.ts';
import { PAGE_STYLE } from './html-style.ts';
import { tableHtml, type LinkTo } from './html-tables.ts';
import { NARROW_SIZE } from './figure-layout.ts';
import { count } from './labels.ts';
import { isMeasured, type Part, type Report, type ReportAbout } from './report.ts';
import { svgOf } from './svg.ts';
import type { Gallery, Member } from './table.ts';

export const UNKNOWN: ReportAbout = { device: null, command: null, date: null };
/** Boards in a class of each gallery. */
const BOARDS = 4;
/** A note that so many tables and figures have is said once for all. */
const COMMON = 3;

/**
 * A whole report as one HTML page that needs no network: contents, what was measured, every table and figure that has
 * data of the user's, wrong answers as boards, and the answers behind the numbers. Same input, same page.
 */
export function htmlPage(report: Report, about: ReportAbout = UNKNOWN): string {
  const parts = report.parts.filter(isMeasured);
  const { common, notesOf } = sharedNotes(parts);
  const lists = answerLists(report);
  const sections = parts.map((part) => sectionOf(part, report, { linkTo: lists.linkTo, notesOf }));
  const measured = { id: 'measured', title: 'What was measured', html: measuredHtml(report, about, common) };
  const all = [measured, ...sections];
  const contents = [...all, { id: 'answers', title: 'The answers behind the numbers' }];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>Blindfold: ${escaped(report.title[0].toLowerCase() + report.title.slice(1))}</title><style>${PAGE_STYLE}</style></head><body>${report.boards ? PIECE_SYMBOLS : ''}`,
    `<header><h1>${escaped(report.title)}</h1>`,
    paragraph(report.introduction),
    `<nav aria-label="Contents"><ol>${contents.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join('')}</ol></nav></header><main>`,
    ...all.map(({ id, title, html }) => `<section id="${id}"><h2>${escaped(title)}</h2>${html}</section>`),
    `<section id="answers" class="behind"><h2>The answers behind the numbers</h2>${lists.html()}</section>`,
    `</main><footer>${paragraph(report.notice)}<p>Made by Blindfold.</p></footer></body></html>\n`,
  ].join('\n');
}

function sectionOf(
  part: Part,
  report: Report,
  { linkTo, notesOf }: { linkTo: LinkTo; notesOf: (notes: readonly string[]) => string[] },
): { id: string; title: string; html: string } {
  if (part.kind === 'table') {
    const { id, title, description, notes } = part.table;
    return { id, title, html: `${paragraph(description)}${tableHtml(part.table, linkTo)}${noteList(notesOf(notes))}` };
  }
  if (part.kind === 'figure') {
    const { id, title, description, notes } = part.figure;
    // The page has no script to lay a figure out anew, so one for narrow screens is there too (html-style.ts).
    const wide = svgOf(part.figure, { embedded: true, name: 'wide' });
    const narrow = svgOf(part.figure, { embedded: true, name: 'narrow', size: NARROW_SIZE });
    return { id, title, html: `${paragraph(description)}<figure>${wide}${narrow}</figure>${noteList(notesOf(notes))}` };
  }
  return { id: part.gallery.id, title: part.gallery.title, html: galleryHtml(part.gallery, report) };
}

/** Notes that most tables would repeat, said once, and what is left of each table's. */
function sharedNotes(parts: readonly Part[]): { common: string[]; notesOf: (notes: readonly string[]) => string[] } {
  const times = new Map<string, number>();
  const all = parts.flatMap((part) =>
    part.kind === 'table' ? part.table.notes : part.kind === 'figure' ? part.figure.notes : [],
  );
  for (const note of all) times.set(note, (times.get(note) ?? 0) + 1);
  const common = [...times].filter(([, many]) => many >= COMMON).map(([note]) => note);
  return { common, notesOf: (own) => own.filter((note) => !common.includes(note)) };
}

const paragraph = (text: string): string => (text === '' ? '' : `<p>${escaped(text)}</p>`);

function noteList(each: readonly string[]): string {
  return each.length === 0 ? '' : `<ul class="notes">${each.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>`;
}

function measuredHtml({ runs, facts }: Report, about: ReportAbout, common: readonly string[]): string {
  const rows = runs.rows.map(
    ([name, ...cells]) =>
      `<tr><th class="label first" scope="row">${escaped(name)}</th>${cells.map((cell) => `<td class="text">${escaped(cell)}</td>`).join('')}</tr>`,
  );
  const headings = runs.headings.map((heading) => `<th class="label" scope="col">${escaped(heading)}</th>`).join('');
  const told = [
    ...facts,
    ...(about.device === null ? [] : [`The models were asked on ${about.device}.`]),
    ...(about.date === null ? [] : [`Made on ${about.date}.`]),
  ];
  return [
    `<div class="scroll" tabindex="0" role="region" aria-label="What was measured"><table class="key"><thead><tr>${headings}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    paragraph(told.join(' ')),
    about.command === null ? '' : `<p>Made by: <code class="prompt">${escaped(about.command)}</code></p>`,
    '<h3>How to read the tables</h3>',
    paragraph(
      'Tinted rows are yours; the small figures under a number are its 95% interval and, where the paper has the same kind of row, the paper’s value. Grey rows are the paper’s alone. An underlined number leads to the answers that it counts.',
    ),
    common.length === 0 ? '' : `<h3>What differs from the paper</h3>${noteList(common)}`,
  ].join('');
}

function galleryHtml({ description: about, classes }: Gallery, { answer }: Report): string {
  const shown = classes.filter(({ members }) => members.length > 0);
  return [
    paragraph(
      `${about} Framed: the piece asked about. Rings: where it may go. Arrow: where the model sends it. A click on a prompt selects the whole of it.`,
    ),
    ...shown.map(({ name, description: meaning, members }) => {
      const first = differentOnes(members, answer);
      const counted =
        first.length < members.length ? `${first.length} of ${count(members.length)}` : `all ${first.length}`;
      const boards = first.map((member) => {
        const { question, model, verdict, prompt, board } = answer(member);
        return `<figure>${board === null ? '' : boardSvg(board)}<figcaption>${escaped(question)} ${escaped(model)} says <b>${escaped(verdict)}</b>.<code class="prompt" tabindex="0">${escaped(prompt)}</code></figcaption></figure>`;
      });
      return `<h3>${escaped(name)} <small>(${counted})</small></h3>${paragraph(meaning)}<div class="boards">${boards.join('')}</div>`;
    }),
  ].join('');
}

/** The first answers to different prompts, so that boards differ; where prompts are few, others follow. */
function differentOnes(members: readonly Member[], answer: Report['answer']): Member[] {
  const seen = new Set<string>();
  const different: Member[] = [];
  for (const member of members) {
    if (different.length === BOARDS) return different;
    const { prompt } = answer(member);
    if (!seen.has(prompt)) different.push(member);
    seen.add(prompt);
  }
  return [...different, ...members.filter((member) => !different.includes(member))].slice(0, BOARDS);
}

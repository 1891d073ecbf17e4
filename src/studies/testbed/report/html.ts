import type { Assessment } from '../assessment.ts';
import { answerBoard, toldAnswer } from './answer-description.ts';
import { boardSvg, PIECE_SYMBOLS } from '../../../report/board-svg.ts';
import { escaped } from '../../../report/escape.ts';
import { linkTargets } from './html-answers.ts';
import { PAGE_STYLE } from '../../../report/html-style.ts';
import { tableHtml } from '../../../report/html-tables.ts';
import { configurationsOf } from './configurations.ts';
import { count, millions } from '../../../report/labels.ts';
import { gamesLabel, modelLabel, notationLabel, rangeLabel } from './labels.ts';
import { hasOwn } from './matched-rows.ts';
import type { ReportInput } from './report-input.ts';
import { drawsOwn, figuresOf, galleriesOf, tablesOf } from './report.ts';
import { svgOf } from '../../../report/svg.ts';
import type { Figure, Gallery, Member, Table } from '../../../report/table.ts';

/** How the report came to be, as far as its maker knows; lines are printed as they are. */
export interface ReportAbout {
  /** "WebGPU (NVIDIA ...)": where the models were asked. */
  device: string | null;
  /** The command that makes it again. */
  command: string | null;
  /** Day of making, as people write it. */
  date: string | null;
}

const UNKNOWN: ReportAbout = { device: null, command: null, date: null };
/** Boards in a class of each gallery. */
const BOARDS = 4;
/** A note that so many tables have is said once for all. */
const COMMON = 3;

/**
 * The whole report as one page that needs no network: contents, what was measured, every table and figure that has data
 * of the user's, wrong answers as boards, and the answers behind the numbers. Same input, same page.
 */
export function htmlReport(input: ReportInput, about: ReportAbout = UNKNOWN): string {
  const tables = tablesOf(input).filter(hasOwn);
  const figures = figuresOf(input).filter(drawsOwn);
  const galleries = galleriesOf(input).filter(({ classes }) => classes.some(({ members }) => members.length > 0));
  const { common, notesOf } = sharedNotes(tables, figures);
  const targets = linkTargets(input.assessments);
  const sections = [
    ...tables.map((table) => ({
      id: table.id,
      title: table.title,
      html: `${words(table.words)}${tableHtml(table, targets.linkTo)}${notes(notesOf(table.notes))}`,
    })),
    ...figures.map((figure) => ({
      id: figure.id,
      title: figure.title,
      html: `${words(figure.words)}<figure>${svgOf(figure, { embedded: true })}</figure>${notes(notesOf(figure.notes))}`,
    })),
  ].sort((a, b) => order(a.id) - order(b.id));
  const boards = galleries.map((gallery) => ({
    id: gallery.id,
    title: gallery.title,
    html: galleryHtml(gallery, input.assessments),
  }));
  const measured = { id: 'measured', title: 'What was measured', html: measuredHtml(input, about, common) };
  const all = [measured, ...sections, ...boards, { id: 'answers', title: 'The answers behind the numbers', html: '' }];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>Blindfold: what the models know of the board</title><style>${PAGE_STYLE}</style></head><body>${PIECE_SYMBOLS}`,
    '<header><h1>What the models know of the board</h1>',
    words(
      'Small language models that have read nothing but the moves of chess games, examined as in “Chess as a Testbed for Language Model State Tracking” (Toshniwal, Wiseman, Livescu and Gimpel, AAAI 2022), with the numbers of that paper beside them.',
    ),
    `<nav aria-label="Contents"><ol>${all.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join('')}</ol></nav></header><main>`,
    ...[measured, ...sections, ...boards].map(
      ({ id, title, html }) => `<section id="${id}"><h2>${escaped(title)}</h2>${html}</section>`,
    ),
    `<section id="answers" class="behind"><h2>The answers behind the numbers</h2>${targets.html()}</section>`,
    '</main><footer><p>Made by Blindfold.</p></footer></body></html>\n',
  ].join('\n');
}

/** Tables and figures in the paper's order of subjects; what is beyond the paper comes last. */
function order(id: string): number {
  const paper = ['table-4', 'figure-2', 'table-5', 'table-6', 'table-7', 'table-8', 'table-9', 'figure-3', 'table-10'];
  const appendix = ['figure-4', 'figure-4-short', 'table-11', 'table-12', 'table-13', 'table-14'];
  const known = [...paper, ...appendix].indexOf(id);
  return known >= 0 ? known : id.startsWith('figure-8') ? 50 : 100;
}

/** Notes that most tables would repeat, said once, and what is left of each table's. */
function sharedNotes(
  tables: readonly Table[],
  figures: readonly Figure[],
): { common: string[]; notesOf: (notes: readonly string[]) => string[] } {
  const times = new Map<string, number>();
  for (const note of [...tables, ...figures].flatMap(({ notes }) => notes)) times.set(note, (times.get(note) ?? 0) + 1);
  const common = [...times].filter(([, many]) => many >= COMMON).map(([note]) => note);
  return { common, notesOf: (own) => own.filter((note) => !common.includes(note)) };
}

const words = (text: string): string => (text === '' ? '' : `<p>${escaped(text)}</p>`);

function notes(each: readonly string[]): string {
  return each.length === 0 ? '' : `<ul class="notes">${each.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>`;
}

function measuredHtml({ assessments, games }: ReportInput, about: ReportAbout, common: readonly string[]): string {
  const rows = configurationsOf(assessments).flatMap((one) =>
    one.runs.map(({ assessment: { subject, sets } }) => {
      const asked = (['games', 'random play'] as const).flatMap((source) => {
        const each = sets
          .filter((set) => set.source === source)
          .map(({ range, instances }) => `${count(instances.length)} ${range}`);
        return each.length === 0 ? [] : [`${source}: ${each.join(', ')}`];
      });
      const cells = [
        modelLabel(one),
        millions(subject.parameters),
        notationLabel(one),
        `${subject.games || 'unknown'} (${gamesLabel(one)}${one.size === null ? '' : `: ${count(subject.trainGames!)}`})`,
        `${count(subject.steps)}${subject.tokens === null ? '' : `, ${millions(subject.tokens)} tokens`}`,
        String(subject.seed),
        asked.join('; ') || 'nothing',
      ];
      return `<tr><th class="label first" scope="row">${escaped(subject.name)}</th>${cells.map((cell) => `<td class="text">${escaped(cell)}</td>`).join('')}</tr>`;
    }),
  );
  const headings = ['Run', 'Model', 'Parameters', 'Notation', 'Trained on', 'Steps', 'Seed', 'Questions'];
  const facts = [
    ...(games === null ? [] : [`Games for the examination: ${games.name}.`]),
    ...(about.device === null ? [] : [`The models were asked on ${about.device}.`]),
    ...(about.date === null ? [] : [`Made on ${about.date}.`]),
  ];
  return [
    `<div class="scroll" tabindex="0" role="region" aria-label="What was measured"><table class="key"><thead><tr>${headings.map((heading) => `<th class="label" scope="col">${heading}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    words(
      [
        `Questions come after long prefixes (${rangeLabel('long')}) or short ones (${rangeLabel('short')}).`,
        ...facts,
      ].join(' '),
    ),
    about.command === null ? '' : `<p>Made by: <code class="prompt">${escaped(about.command)}</code></p>`,
    '<h3>How to read the tables</h3>',
    words(
      'Tinted rows are yours; the small figures under a number are its 95% interval and, where the paper has the same kind of row, the paper’s value. Grey rows are the paper’s alone. An underlined number leads to the answers that it counts.',
    ),
    common.length === 0 ? '' : `<h3>What differs from the paper</h3>${notes(common)}`,
  ].join('');
}

function galleryHtml({ words: about, classes }: Gallery, assessments: readonly Assessment[]): string {
  const shown = classes.filter(({ members }) => members.length > 0);
  return [
    words(
      `${about} Framed: the piece asked about. Dots: where it may go. Arrow: where the model sends it. A click on a prompt selects the whole of it.`,
    ),
    ...shown.map(({ name, words: meaning, members }) => {
      const first = differentOnes(members, assessments).slice(0, BOARDS);
      const counted =
        first.length < members.length ? `${first.length} of ${count(members.length)}` : `all ${first.length}`;
      const boards = first.map((member) => {
        const told = toldAnswer(assessments, member);
        const board = answerBoard(told);
        return `<figure>${board === null ? '' : boardSvg(board)}<figcaption>${escaped(told.question)} ${escaped(told.model.name)} says <b>${escaped(told.verdict)}</b>.<code class="prompt" tabindex="0">${escaped(told.prompt)}</code></figcaption></figure>`;
      });
      return `<h3>${escaped(name)} <small>(${counted})</small></h3>${words(meaning)}<div class="boards">${boards.join('')}</div>`;
    }),
  ].join('');
}

/** The first answer to each question, so that boards differ; the rest come after them. */
function differentOnes(members: readonly Member[], assessments: readonly Assessment[]): Member[] {
  const seen = new Set<string>();
  const isNew = ({ assessment, set, answer }: Member): boolean => {
    const { instances, answers } = assessments[assessment].sets[set];
    const { instance, task } = answers[answer];
    const key = `${task} ${instances[instance].prefix}`;
    return !seen.has(key) && seen.add(key) !== null;
  };
  const first = members.filter(isNew);
  return [...first, ...members.filter((member) => !first.includes(member))];
}

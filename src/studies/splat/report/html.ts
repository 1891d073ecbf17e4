import { noticeOf } from '../../../config/notice.ts';
import { answerLists } from '../../testbed/report/html-answers.ts';
import { escaped } from '../../../report/escape.ts';
import { PAGE_STYLE } from '../../../report/html-style.ts';
import { tableHtml } from '../../../report/html-tables.ts';
import type { ReportAbout } from '../../testbed/report/html.ts';
import { count, millions } from '../../../report/labels.ts';
import { hasOwn } from '../../testbed/report/matched-rows.ts';
import { drawsOwn } from '../../testbed/report/report.ts';
import { svgOf } from '../../../report/svg.ts';
import { toldSplatAnswer } from './answer-description.ts';
import { gameTitle, gamesWords, modelWords, splatConfigurations } from './configurations.ts';
import type { SplatReportInput } from './report-input.ts';
import { splatFigures, splatTables } from './report.ts';

/** A note that so many tables have is said once for all. */
const COMMON = 2;

/** The notice of all games that a report tells of; empty where none has any. */
export function splatNotice({ assessments, data }: SplatReportInput): { notice?: string } {
  return noticeOf(...[...assessments, ...data].map(({ notice }) => notice));
}

/**
 * The report on SPLAT as one page that needs no network: what was measured, every table and figure that has data of the
 * user's, and the answers behind the numbers. Same input, same page.
 */
export function splatHtml(input: SplatReportInput, about: ReportAbout): string {
  const tables = splatTables(input).filter(hasOwn);
  const figures = splatFigures(input).filter(drawsOwn);
  const times = new Map<string, number>();
  for (const note of tables.flatMap(({ notes }) => notes)) times.set(note, (times.get(note) ?? 0) + 1);
  const common = [...times].filter(([, many]) => many >= COMMON).map(([note]) => note);
  const lists = answerLists({
    isRight: (member) => toldSplatAnswer(input.assessments, member).right,
    right: 'fully right',
    item: (member) => {
      const { question, model, verdict, line } = toldSplatAnswer(input.assessments, member);
      const asked = line === '' ? '' : `<code class="prompt">${escaped(line)}</code>`;
      return `${escaped(question)} ${escaped(model)}: <b>${escaped(verdict)}</b>.${asked}`;
    },
  });
  const sections = [
    { id: 'measured', title: 'What was measured', html: measuredHtml(input, about, common) },
    ...tables.map((table) => ({
      id: table.id,
      title: table.title,
      html: `${words(table.words)}${tableHtml(table, lists.linkTo)}${notes(table.notes.filter((note) => !common.includes(note)))}`,
    })),
    ...figures.map((figure) => ({
      id: figure.id,
      title: figure.title,
      html: `${words(figure.words)}<figure>${svgOf(figure, { embedded: true })}</figure>${notes(figure.notes)}`,
    })),
  ];
  const contents = [...sections, { id: 'answers', title: 'The answers behind the numbers' }];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>Blindfold: what the models know of the game</title><style>${PAGE_STYLE}</style></head><body>`,
    '<header><h1>What the models know of the game</h1>',
    words(
      'Small language models that have read nothing but games, told verb by verb, and were then asked about them, as in “Who’s on First?” (Demeter and Downey, CoNLL 2021), with the numbers of that paper beside them.',
    ),
    `<nav aria-label="Contents"><ol>${contents.map(({ id, title }) => `<li><a href="#${id}">${escaped(title)}</a></li>`).join('')}</ol></nav></header><main>`,
    ...sections.map(({ id, title, html }) => `<section id="${id}"><h2>${escaped(title)}</h2>${html}</section>`),
    `<section id="answers" class="behind"><h2>The answers behind the numbers</h2>${lists.html()}</section>`,
    `</main><footer>${noticeHtml(input)}<p>Made by Blindfold.</p></footer></body></html>\n`,
  ].join('\n');
}

const words = (text: string): string => `<p>${escaped(text)}</p>`;

/** What the games' sources want said. */
function noticeHtml(input: SplatReportInput): string {
  const { notice } = splatNotice(input);
  return notice === undefined ? '' : words(notice);
}

function notes(each: readonly string[]): string {
  return each.length === 0 ? '' : `<ul class="notes">${each.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>`;
}

function measuredHtml({ assessments }: SplatReportInput, about: ReportAbout, common: readonly string[]): string {
  const rows = splatConfigurations(assessments).flatMap((one) =>
    one.runs.map(({ assessment: { subject, perplexity, legalVerbs, answers } }) => {
      const cells = [
        gameTitle(one.domain),
        modelWords(one),
        gamesWords(one),
        `${count(subject.steps)}${subject.tokens === null ? '' : `, ${millions(subject.tokens)} tokens`}`,
        String(subject.seed),
        perplexity === null
          ? 'not measured'
          : `${perplexity.perplexity.toFixed(2)} on ${count(perplexity.games)} games`,
        `${count(legalVerbs.length)} beginnings, ${count(answers.length)} questions`,
      ];
      return `<tr><th class="label first" scope="row">${escaped(subject.name)}</th>${cells.map((cell) => `<td class="text">${escaped(cell)}</td>`).join('')}</tr>`;
    }),
  );
  const headings = ['Run', 'Game', 'Model', 'Trained on', 'Steps', 'Seed', 'Perplexity a token', 'Asked'];
  const facts = [
    ...(about.device === null ? [] : [`The models were asked on ${about.device}.`]),
    ...(about.date === null ? [] : [`Made on ${about.date}.`]),
  ];
  return [
    `<div class="scroll" tabindex="0" role="region" aria-label="What was measured"><table class="key"><thead><tr>${headings.map((heading) => `<th class="label" scope="col">${heading}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    facts.length === 0 ? '' : words(facts.join(' ')),
    about.command === null ? '' : `<p>Made by: <code class="prompt">${escaped(about.command)}</code></p>`,
    '<h3>How to read the tables</h3>',
    words(
      'Tinted rows are yours; the small figures under a number are its 95% interval and, where the paper has the same kind of row, the paper’s value. Grey rows are the paper’s alone. An underlined number leads to the answers that it counts.',
    ),
    common.length === 0 ? '' : `<h3>What differs from the paper</h3>${notes(common)}`,
  ].join('');
}

import { intervalText } from './published-text.ts';
import type { Cell, Figure } from './table.ts';

/** The one score by which a study compares models, of each model that has it; higher is better. */
export interface Headline {
  /** Names the score, over the chart and before the sentence: "pieces found after 51 to 100 plies". */
  title: string;
  /** What the better model does, after its name: "finds more of the pieces after 51 to 100 plies". */
  better: string;
  scores: readonly HeadlineScore[];
  /** Models that have no such score, and why: "it has never read piece names". */
  leftOut: readonly { name: string; why: string }[];
  /** Whether all were asked the same questions. */
  sameQuestions: boolean;
}

export interface HeadlineScore {
  name: string;
  /** In percent, as are its interval over the questions and its least and greatest value of several seeds. */
  value: number;
  ci95: [number, number] | null;
  spread: [number, number] | null;
}

/** Scores that the sentence names one by one; the chart has all of them. */
const NAMED = 3;

/** The score of a table's cell; none where it was not measured. */
export function headlineScore(
  name: string,
  { value, ci95, spread }: Pick<Cell, 'value' | 'ci95' | 'spread'>,
): HeadlineScore[] {
  return value === null ? [] : [{ name, value, ci95, spread }];
}

/** A headline of what a study scored of models: the cell of each, who is left out, and what the others were asked. */
export function scoredHeadline<Model extends { name: string }>(
  { title, better }: Pick<Headline, 'title' | 'better'>,
  models: readonly Model[],
  told: {
    cellOf: (model: Model) => Cell | null;
    leftOut: (model: Model) => Headline['leftOut'][number];
    questionsOf: (model: Model) => string;
  },
): Headline {
  const all = models.map((model) => {
    const cell = told.cellOf(model);
    return { model, scores: cell === null ? [] : headlineScore(model.name, cell) };
  });
  const [scored, others] = [true, false].map((has) => all.filter(({ scores }) => scores.length > 0 === has));
  return {
    ...{ title, better },
    scores: scored.flatMap(({ scores }) => scores),
    leftOut: others.map(({ model }) => told.leftOut(model)),
    sameQuestions: new Set(scored.map(({ model }) => told.questionsOf(model))).size <= 1,
  };
}

/** What the scores say, and of which models they say nothing. */
export function headlineSentence(headline: Headline): string {
  const { scores, leftOut, sameQuestions } = headline;
  const which = leftOut.map(({ name, why }) => `${capital(name)} is left out: ${why}.`);
  const others = sameQuestions || scores.length < 2 ? [] : ['Not all of them were asked the same questions.'];
  return [`${capital(headline.title)}: ${comparison(headline)}`, ...others, ...which].join(' ');
}

/**
 * The scores, best first. One model is called better only where its interval over the questions, and its worst seed, lie
 * above those of all others.
 */
function comparison({ better, scores }: Headline): string {
  const sorted = scores.toSorted((a, b) => b.value - a.value);
  const [best, ...others] = sorted;
  const left = sorted.length - NAMED;
  const listed = sorted.slice(0, NAMED).map(scoreText).join(', ') + (left > 0 ? ` and ${left} more` : '');
  if (others.length === 0) return `${listed}. Add another model to compare it with.`;
  const close = others.filter((one) => !isAbove(best, one));
  if (close.length === 0)
    return `${listed}. ${capital(best.name)} ${better}${others.length > 1 ? ' than any of the others' : ''}.`;
  const who = others.length === 1 ? 'They' : andList([best, ...close].map(({ name }) => name));
  return `${listed}. ${capital(who)} cannot be told apart yet; ask more questions or train more seeds.`;
}

/** The scores side by side, with their intervals. */
export function headlineFigure({ title, scores }: Headline): Figure {
  return {
    id: 'headline',
    title: 'The answer in one chart',
    description: `${capital(title)}: each model’s score with its 95% interval over the questions.`,
    kind: 'bars',
    x: { title: '', categories: [''] },
    y: { title: 'score', logarithmic: false, unit: 'percent' },
    series: scores.map(({ name, value, ci95 }) => ({ name, points: [{ x: 0, y: value, ci95 }] })),
    notes: [],
  };
}

/** The score that all models have, the first of several; else the one that most have. Null where none has any. */
export function firstShared(headlines: readonly Headline[]): Headline | null {
  const most = Math.max(0, ...headlines.map(({ scores }) => scores.length));
  return most === 0 ? null : headlines.find(({ scores }) => scores.length === most)!;
}

function scoreText({ name, value, ci95, spread }: HeadlineScore, at: number): string {
  const first = at === 0 ? '95% interval over the questions ' : '';
  const interval = ci95 === null ? 'no interval' : `${first}${intervalText(ci95, '0')}`;
  const seeds = spread === null ? '' : `; its seeds ${intervalText(spread, '0')}`;
  return `${name} ${value.toFixed(1)}% (${interval}${seeds})`;
}

function isAbove(a: HeadlineScore, b: HeadlineScore): boolean {
  if (a.ci95 === null || b.ci95 === null) return false;
  return Math.min(a.ci95[0], ...(a.spread ?? [])) > Math.max(b.ci95[1], ...(b.spread ?? []));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function andList(names: readonly string[]): string {
  return names.length > NAMED + 1
    ? `${names[0]} and ${names.length - 1} others`
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

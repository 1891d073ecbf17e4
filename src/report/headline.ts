import { intervalText } from './published-text.ts';
import type { Cell, Figure } from './table.ts';

/** The one score by which a study compares models, of each model that has it; higher is better. */
export interface Headline {
  /** Names the score in the chart: "pieces found, legal %". */
  title: string;
  /** What the better model does, after its name: "finds more of the pieces after 51 to 100 plies". */
  better: string;
  scores: readonly HeadlineScore[];
}

export interface HeadlineScore {
  name: string;
  /** In percent, as is its interval. */
  value: number;
  ci95: [number, number] | null;
}

/** Scores that the sentence names one by one; the chart has all of them. */
const NAMED = 3;

/** The score of a table's cell; none where it was not measured. */
export function headlineScore(name: string, { value, ci95 }: Pick<Cell, 'value' | 'ci95'>): HeadlineScore[] {
  return value === null ? [] : [{ name, value, ci95 }];
}

/** What the scores say, best first. One model is called better only where its interval lies above all others. */
export function headlineSentence({ title, better, scores }: Headline): string {
  const sorted = scores.toSorted((a, b) => b.value - a.value);
  const [best, ...others] = sorted;
  const left = sorted.length - NAMED;
  const listed = sorted.slice(0, NAMED).map(scoreText).join(', ') + (left > 0 ? ` and ${left} more` : '');
  if (others.length === 0) return `${listed} (${title}). Measure another model to compare them.`;
  const close = others.filter((one) => !isAbove(best, one));
  if (close.length === 0)
    return `${listed}: ${best.name} ${better}${others.length > 1 ? ' than any of the others' : ''}.`;
  const who = others.length === 1 ? 'they' : andList([best, ...close].map(({ name }) => name));
  return `${listed}: ${who} cannot be told apart yet; ask more questions or train more seeds.`;
}

/** The scores side by side, with their intervals. */
export function headlineFigure({ title, scores }: Headline): Figure {
  return {
    id: 'headline',
    title: 'The answer in one chart',
    words: 'Each model’s score with its 95% interval.',
    kind: 'bars',
    x: { title: '', categories: [''] },
    y: { title, logarithmic: false, unit: 'percent' },
    series: scores.map(({ name, value, ci95 }) => ({ name, published: false, points: [{ x: 0, y: value, ci95 }] })),
    notes: [],
  };
}

/** The score that all models have, the first of several; else the one that most have. Null where none has any. */
export function firstShared(headlines: readonly Headline[]): Headline | null {
  const most = Math.max(0, ...headlines.map(({ scores }) => scores.length));
  return most === 0 ? null : headlines.find(({ scores }) => scores.length === most)!;
}

function scoreText({ name, value, ci95 }: HeadlineScore, at: number): string {
  const interval = ci95 === null ? 'no interval' : `${at === 0 ? '95% interval ' : ''}${intervalText(ci95, '0')}`;
  return `${name} ${value.toFixed(1)}% (${interval})`;
}

function isAbove(a: HeadlineScore, b: HeadlineScore): boolean {
  return a.ci95 !== null && b.ci95 !== null && a.ci95[0] > b.ci95[1];
}

function andList(names: readonly string[]): string {
  return names.length > NAMED + 1
    ? `${names[0]} and ${names.length - 1} others`
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

import { meanEstimate, proportion } from '../base/statistics.ts';
import { count } from '../report/labels.ts';
import type { Cell, Member, Row } from '../report/table.ts';

/** One number that an answer gives, with what was asked (to know it again in another run) and its place. */
export interface Value {
  value: number;
  question: string;
  member: Member;
}

/** Values run by run. */
export type Counted = readonly (readonly Value[])[];

export interface Measured {
  mean: number;
  /** Null where one question alone was counted and its value is no yes or no. */
  ci95: [number, number] | null;
  /** Least and greatest mean of several runs. */
  spread: [number, number] | null;
}

/**
 * The mean over runs of their means, every run weighing the same. Its 95% interval is of the questions, answers of several
 * runs to one taken as one, which is the careful side: for shares (values from 0 to 1) Wilson's where all are 0 or 1, else
 * the normal one cut at both ends; for other values the normal one. Null where nothing was counted.
 */
export function measured(all: Counted, { share }: { share: boolean }): Measured | null {
  const counted = all.filter((values) => values.length > 0);
  if (counted.length === 0) return null;
  const means = counted.map((values) => meanOf(values.map(({ value }) => value)));
  const mean = meanOf(means);
  return {
    mean,
    ci95: share ? shareInterval(counted, mean) : normalInterval(counted, mean),
    spread: means.length > 1 ? [Math.min(...means), Math.max(...means)] : null,
  };
}

function shareInterval(counted: Counted, mean: number): [number, number] | null {
  const yesOrNo = counted.every((values) => values.every(({ value }) => value === 0 || value === 1));
  if (yesOrNo) {
    const { size } = byQuestion(counted);
    return proportion(mean * size, size).ci95;
  }
  const interval = normalInterval(counted, mean);
  return interval && [Math.max(0, interval[0]), Math.min(1, interval[1])];
}

/** As wide as the questions' values say, around the mean over runs. */
function normalInterval(counted: Counted, mean: number): [number, number] | null {
  const { ci95, n } = meanEstimate([...byQuestion(counted).values()]);
  if (ci95 === null || n < 2) return null;
  const half = (ci95[1] - ci95[0]) / 2;
  return [mean - half, mean + half];
}

/** One value a question: the mean of its answers, of several runs or of a question that was asked twice. */
export function byQuestion(counted: Counted): Map<string, number> {
  const held = new Map<string, { sum: number; n: number }>();
  for (const values of counted)
    for (const { question, value } of values) {
      const { sum, n } = held.get(question) ?? { sum: 0, n: 0 };
      held.set(question, { sum: sum + value, n: n + 1 });
    }
  return new Map([...held].map(([question, { sum, n }]) => [question, sum / n]));
}

/** The mean; NaN of no values. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export const DASH = '–';

/** A cell of nothing of the user's: the published value alone, or a dash. */
export function publishedCell(published: number | null, text = DASH): Cell {
  return { text, value: null, ci95: null, spread: null, published, members: null };
}

/** A row of published values alone. */
export function paperAlone(labels: string[], values: readonly (number | null)[]): Row {
  return { labels, cells: values.map((value) => publishedCell(value)), publishedOnly: true };
}

/** A number by itself, with no interval; the published value alone where there is none. */
export function plainCell(
  value: number | null,
  textOf: (value: number) => string,
  published: number | null = null,
  members: Cell['members'] = null,
): Cell {
  return value === null ? publishedCell(published) : { ...publishedCell(published, textOf(value)), value, members };
}

/** A share that is known with its interval, in percent, as a record tells it. */
export function toldCell(
  share: number | null,
  ci95: [number, number] | null,
  published: number | null,
  members: Cell['members'] = null,
): Cell {
  if (share === null) return publishedCell(published);
  return { ...plainCell(100 * share, oneDecimal, published, members), ci95: percentOf(ci95) };
}

/** A share in percent, of values from 0 to 1. */
export function shareCell(counted: Counted, published: number | null): Cell {
  const found = measured(counted, { share: true });
  if (found === null) return publishedCell(published);
  return {
    ...toldCell(found.mean, found.ci95, published, () => membersOf(counted)),
    spread: percentOf(found.spread),
  };
}

/** A perplexity, the mean over the runs that have one; runs keep the figure of all games together, so it has no interval. */
export function perplexityCell(values: readonly number[], published: number | null): Cell {
  if (values.length === 0) return publishedCell(published);
  return {
    ...plainCell(meanOf(values), (mean) => mean.toFixed(mean < 100 ? 1 : 0), published),
    spread: values.length > 1 ? [Math.min(...values), Math.max(...values)] : null,
  };
}

export function membersOf(counted: Counted): Member[] {
  return counted.flatMap((values) => values.map(({ member }) => member));
}

export function percentOf(pair: [number, number] | null): [number, number] | null {
  return pair && [100 * pair[0], 100 * pair[1]];
}

export const oneDecimal = (value: number): string => value.toFixed(1);

/** A note for tables of shares. */
export const INTERVALS =
  'Behind each of your numbers stands its 95% interval: the range that holds the true value unless the questions drawn were unusually easy or hard.';

/** A count in full, a mean of counts with one decimal. */
export function countText(value: number): string {
  const rounded = Number(value.toFixed(9));
  return Number.isInteger(rounded) ? count(rounded) : oneDecimal(value);
}

import { COLOURS } from './figure-style.ts';
import { valueText } from './labels.ts';
import type { Figure, FigurePoint } from './table.ts';

export interface DrawnSeries {
  name: string;
  /** The name cut to a length that can be drawn, with the newest value where the figure is live. */
  label: string;
  colour: number;
  published: boolean;
  raw: boolean;
  /** In the order of x; only what can be drawn. */
  points: readonly FigurePoint[];
  /** Of those, as many as a line of this width can show. */
  shown: readonly FigurePoint[];
  /** Pixels that its points stand aside of their x, so that bars and whiskers at one place can be told apart. */
  aside: number;
}

const LONGEST_NAME = 34;

/** Series with the points that can be drawn. A live figure names all of its series from the start. */
export function drawable(figure: Figure): DrawnSeries[] {
  const { series, y, kind, live } = figure;
  // Own and published series count their colours apart, so that Train-S of both can look alike.
  const next = { own: 0, published: 0 };
  const drawn = series.map(({ name, published = false, raw = false, colour: fixed, points }): DrawnSeries => {
    const of = published ? 'published' : 'own';
    const colour = fixed ?? (raw ? next[of] : next[of]++) % COLOURS;
    const shown = pointsOf(figure, points);
    const newest = live && shown.length > 0 ? ` ${valueText(shown.at(-1)!.y, y.unit)}` : '';
    return { name, label: short(name) + newest, colour, published, raw, points: shown, shown, aside: 0 };
  });
  return drawn.filter(({ points }) => points.length > 0 || kind === 'bars' || live);
}

/**
 * In the order of x, the points that are finite, above 0 on a logarithmic axis, and of a category that exists. Where
 * all are, as in a run that goes on, that is the list itself: copies of thousands of points would cost more than the
 * drawing.
 */
function pointsOf(
  { x: { categories }, y: { logarithmic } }: Figure,
  points: readonly FigurePoint[],
): readonly FigurePoint[] {
  const bottom = logarithmic ? 0 : -Infinity;
  const within = (value: number): boolean => value > bottom && value < Infinity;
  const exists = (place: number): boolean =>
    categories === null ? Number.isFinite(place) : Number.isInteger(place) && place >= 0 && place < categories.length;
  const fits = ({ x, y, ci95 }: FigurePoint): boolean =>
    exists(x) && within(y) && (ci95 === null || (within(ci95[0]) && within(ci95[1])));
  if (points.every((point, i) => fits(point) && (i === 0 || points[i - 1].x <= point.x))) return points;
  return points
    .filter(({ x, y }) => exists(x) && within(y))
    .map((point) => (fits(point) ? point : { ...point, ci95: null }))
    .sort((a, b) => a.x - b.x);
}

export function short(name: string): string {
  const letters = [...name];
  return letters.length <= LONGEST_NAME ? name : `${letters.slice(0, LONGEST_NAME - 1).join('')}…`;
}

/** Least and greatest value that the axis has to reach; of nothing 0 to 1, or 1 to 10 on a logarithmic axis. */
export function heights({ kind, y }: Figure, series: readonly DrawnSeries[]): [number, number] {
  const reached = extent(y.includes ?? [], kind === 'bars' ? [0, 0] : EMPTY);
  for (const { points } of series)
    for (const { y: value, ci95 } of points) {
      widen(reached, value);
      if (ci95 !== null) for (const end of ci95) widen(reached, end);
    }
  if (reached[0] > reached[1] || (reached[0] === 0 && reached[1] === 0)) return y.logarithmic ? [1, 10] : [0, 1];
  return reached;
}

export function widths({ x }: Figure, series: readonly DrawnSeries[]): [number, number] {
  const ends = series.flatMap(({ points }) => (points.length === 0 ? [] : [points[0].x, points.at(-1)!.x]));
  const reached = extent([...ends, ...(x.includes ?? [])], EMPTY);
  return reached[0] > reached[1] ? [0, 1] : reached;
}

const EMPTY = [Infinity, -Infinity] as const;

function extent(values: readonly number[], [low, high]: readonly [number, number]): [number, number] {
  return [Math.min(low, ...values), Math.max(high, ...values)];
}

function widen(reached: [number, number], value: number): void {
  if (value < reached[0]) reached[0] = value;
  if (value > reached[1]) reached[1] = value;
}

import { linearScale, logScale, type Scale } from './scales.ts';
import type { Figure } from './table.ts';

export const WIDTH = 720;
export const HEIGHT = 340;

export interface Point {
  x: number;
  y: number;
  ci95: [number, number] | null;
}
export interface Drawn {
  name: string;
  published: boolean;
  /** In the order of x; only what can be drawn. */
  points: Point[];
}
export interface Layout {
  left: number;
  right: number;
  top: number;
  base: number;
  x: Scale;
  y: Scale;
  series: Drawn[];
}

/** Series with the points that can be drawn: finite, above 0 on a logarithmic axis, and of a category that exists. */
export function drawable({ series, x, y, kind }: Figure): Drawn[] {
  const bottom = y.logarithmic ? 0 : -Infinity;
  const shown = (point: Point): boolean =>
    Number.isFinite(point.x) &&
    Number.isFinite(point.y) &&
    point.y > bottom &&
    (x.categories === null || (Number.isInteger(point.x) && point.x >= 0 && point.x < x.categories.length));
  return series
    .map(({ name, published, points }) => ({
      name,
      published,
      points: points
        .filter(shown)
        .map((point) => ({
          ...point,
          ci95: point.ci95?.every((end) => Number.isFinite(end) && end > bottom) ? point.ci95 : null,
        }))
        .sort((a, b) => a.x - b.x),
    }))
    .filter(({ points }) => points.length > 0 || kind === 'bars');
}

/** Where everything goes; `labels` is the room at the right, in pixels. */
export function layoutOf(figure: Figure, labels: number): Layout {
  const series = drawable(figure);
  const points = series.flatMap((one) => one.points);
  const left = 56;
  const right = WIDTH - 16 - labels;
  const top = figure.kind === 'bars' && series.length > 1 ? 34 : 14;
  const base = HEIGHT - 48;
  const ends = points.flatMap(({ y, ci95 }) => [y, ...(ci95 ?? [])]);
  const floor = figure.kind === 'bars' ? 0 : Infinity;
  let low = ends.reduce((least, value) => Math.min(least, value), floor);
  let high = ends.reduce((most, value) => Math.max(most, value), figure.kind === 'bars' ? 0 : -Infinity);
  if (points.length === 0) [low, high] = figure.y.logarithmic ? [1, 10] : [0, 1];
  const y = figure.y.logarithmic ? logScale(low, high, base, top) : linearScale(low, high, base, top);
  const x =
    figure.x.categories === null ? lineX(points, left, right) : linearScaleOf(figure.x.categories.length, left, right);
  return { left, right, top, base, x, y, series };
}

function lineX(points: readonly Point[], left: number, right: number): Scale {
  if (points.length === 0) return linearScale(0, 1, left, right);
  const values = points.map(({ x }) => x);
  return linearScale(Math.min(...values), Math.max(...values), left, right, 8);
}

/** The middle of each category's place. */
function linearScaleOf(count: number, left: number, right: number): Scale {
  const each = (right - left) / Math.max(1, count);
  return Object.assign((at: number): number => left + (at + 0.5) * each, {
    ticks: Array.from({ length: count }, (_, at) => at),
  });
}

/** Heights for labels that want the given ones: at least `gap` apart, within the plot where there is room. */
export function spreadOut(wanted: readonly number[], gap: number, top: number, base: number): number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a] - wanted[b]);
  const placed = [...wanted];
  let last = -Infinity;
  for (const at of order) last = placed[at] = Math.max(wanted[at], last + gap, top);
  let next = Math.max(base, top + gap * (order.length - 1)) + gap;
  for (const at of order.toReversed()) next = placed[at] = Math.min(placed[at], next - gap);
  return placed;
}

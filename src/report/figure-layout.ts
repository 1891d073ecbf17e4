import { categoryAxis, horizontalAxis, logAxis, valueAxis, type Axis } from './figure-axes.ts';
import {
  endLabels,
  legendOf,
  LETTER,
  markPlaces,
  nameWidth,
  referenceLabels,
  type Label,
  type LegendEntry,
  type Plot,
} from './figure-labels.ts';
import { drawable, heights, widths, type DrawnSeries } from './figure-series.ts';
import type { Figure, FigurePoint } from './table.ts';
import { thinPoints } from './thin-points.ts';

export interface Size {
  width: number;
  height: number;
}
/** Size of a figure in a file, and of one for narrow screens. */
export const FILE_SIZE: Size = { width: 720, height: 340 };
export const NARROW_SIZE: Size = { width: 360, height: 300 };

/** Everything of a figure in pixels. */
export interface Layout extends Size, Plot {
  /** Whether there is room for the titles of the axes. */
  titled: boolean;
  /** Of bars. */
  barWidth: number;
  references: Label[];
  /** Names at the ends of lines; empty where `legend` has them. */
  ends: (Label & { from: number })[];
  /** Names above the plot. */
  legend: LegendEntry[];
}

/**
 * Where everything of a figure goes. Names stand at the ends of lines if that leaves three quarters of the width to the
 * plot, else in a legend above it; the layout is higher than asked for by the rows of that beyond the first.
 */
export function layOut(figure: Figure, size: Size = FILE_SIZE): Layout {
  const { width } = size;
  const { categories } = figure.x;
  const titled = size.height >= 200;
  const series = drawable(figure);
  const reached = heights(figure, series);
  const vertical = (base: number, top: number): Axis =>
    (figure.y.logarithmic ? logAxis : valueAxis)(reached, [base, top], figure.y.unit);
  const widestTick = Math.max(...vertical(size.height - 40, 8).ticks.map(({ lines }) => tickWidth(lines[0])));
  const left = Math.ceil(8 + widestTick + (titled ? 17 : 0));

  const named = series.filter(({ raw }) => !raw);
  const column = Math.ceil(20 + Math.max(0, ...named.map((one) => nameWidth(one, figure.live))));
  const atEnds = figure.kind === 'lines' && left + column <= width / 4;
  const right = width - (atEnds ? column : 10);
  const inLegend = atEnds || (figure.kind === 'bars' && named.length < 2) ? [] : named;
  const legend = legendOf(inLegend, figure.live, { left, top: titled ? 14 : 7, right: width });
  const top = legend.length === 0 ? (titled ? 14 : 8) : legend.at(-1)!.y + 12;

  // Rows of names beyond the first make the drawing higher, not the plot lower.
  const height = size.height + Math.max(0, top - (titled ? 26 : 19));
  const x =
    categories === null
      ? horizontalAxis(widths(figure, series), [left, right])
      : categoryAxis(categories, [left, right], (name) => 4 + LETTER * name.length);
  const rows = Math.max(figure.x.title === '' ? 0 : 1, ...x.ticks.map(({ lines }) => lines.filter(Boolean).length));
  const base = height - (titled ? (figure.x.title === '' ? 16 : 30) + 12 * rows : 18);
  const y = vertical(base, top);
  const barWidth = Math.min(60, ((x(1) - x(0)) * 0.8) / Math.max(1, series.length));
  standAside(series, figure, barWidth);
  if (figure.kind === 'lines')
    for (const line of series) {
      const { points } = line;
      if (points.length <= 2 * (right - left)) continue;
      const column = (i: number): number => Math.round(x(points[i].x));
      line.shown = thinPoints(points.length, column, (i) => points[i].y).map((i) => points[i]);
    }
  const marks = markPlaces(figure, { x, y });
  const plot = { left, right, top, base, x, y, series, marks };
  const references = referenceLabels(figure, plot);
  const ends = atEnds ? endLabels(named, plot) : [];
  return { ...plot, width, height, titled, barWidth, references, ends, legend };
}

/** Of a value beside its axis; the sign for percent is wider than a digit. */
function tickWidth(text: string): number {
  return LETTER * (text.length + (text.endsWith('%') ? 0.6 : 0));
}

/** Pixels of a point. */
export function placeOf({ x, y }: Layout, { aside }: DrawnSeries, point: FigurePoint): { x: number; y: number } {
  return { x: x(point.x) + aside, y: y(point.y) };
}

/** Bars of a place stand side by side; so do whiskers. */
function standAside(series: DrawnSeries[], { kind, live }: Figure, barWidth: number): void {
  const apart = kind === 'bars' ? series : live ? [] : series.filter(({ points }) => points.some(({ ci95 }) => ci95));
  const step = kind === 'bars' ? barWidth : Math.min(5, 24 / Math.max(1, apart.length));
  for (const [i, one] of apart.entries()) one.aside = (i - (apart.length - 1) / 2) * step;
}

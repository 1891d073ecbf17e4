import type { Axis } from './figure-axes.ts';
import { short, type DrawnSeries } from './figure-series.ts';
import { spreadLabels } from './label-spread.ts';
import { valueText } from './labels.ts';
import type { Figure, FigureMark } from './table.ts';

/** Text beside something that is drawn: `y` is the height of that, `at` the height of the text's middle. */
export interface Label {
  text: string;
  title: string;
  colour: number | null;
  faint: boolean;
  anchor: 'start' | 'end';
  /** Where the text begins or ends. */
  x: number;
  y: number;
  at: number;
}
export interface LegendEntry {
  series: DrawnSeries;
  x: number;
  y: number;
}
/** What labels are placed among. */
export interface Plot {
  left: number;
  right: number;
  top: number;
  base: number;
  x: Axis;
  y: Axis;
  series: readonly DrawnSeries[];
  /** Where marks stand. */
  marks: readonly FigureMark[];
}

/** Radius of a mark. */
export const MARK = 7.5;

/** The places of marks: where two would overlap, the later one stands further right. */
export function markPlaces({ marks = [] }: Figure, { x, y }: Pick<Plot, 'x' | 'y'>): FigureMark[] {
  const placed: FigureMark[] = [];
  for (const mark of marks) {
    const at = { ...mark, x: x(mark.x), y: y(mark.y) };
    while (placed.some((other) => Math.hypot(other.x - at.x, other.y - at.y) < 2 * MARK)) at.x += MARK;
    placed.push(at);
  }
  return placed;
}

/** Width of a letter or digit of the drawing's text. */
export const LETTER = 6.1;
const LINE = 14;
/** Letters of the value that stands beside a name while a run goes on. */
const VALUE = 6;

/** Width of the name of a series, which does not change with the digits of its newest value. */
export function nameWidth({ name }: DrawnSeries, live = false): number {
  return LETTER * (short(name).length + (live ? VALUE : 0));
}

/** Names above the plot, in rows. */
export function legendOf(
  series: readonly DrawnSeries[],
  live: boolean | undefined,
  { left, top, right }: { left: number; top: number; right: number },
): LegendEntry[] {
  let [x, y] = [left, top];
  return series.map((one) => {
    const wide = 18 + nameWidth(one, live);
    if (x > left && x + wide > right) [x, y] = [left, y + LINE];
    const entry = { series: one, x, y };
    x += wide + 10;
    return entry;
  });
}

/** Names beside the plot, each as near the end of its line as the others let it. */
export function endLabels(
  named: readonly DrawnSeries[],
  { x, y, right, top, base }: Plot,
): (Label & { from: number })[] {
  const ended = named.filter(({ points }) => points.length > 0);
  const heights = ended.map(({ points }) => y(points.at(-1)!.y));
  const spread = spreadLabels(heights, LINE, top + 4, base - 2);
  return ended.map(({ name, label, colour, published, points, aside }, i) => ({
    text: label,
    title: name,
    colour,
    faint: published,
    anchor: 'start',
    x: right + LINE,
    from: x(points.at(-1)!.x) + aside,
    y: heights[i],
    at: spread[i],
  }));
}

/** Half the height of a label's letters, and how far its middle stands from the line that it names. */
const HALF = 5.5;
const BESIDE = 7;

/**
 * Labels of level lines, above or below their lines at the right or left edge of the plot: where the fewest curves,
 * lines and other labels are. Lines outside of the axis are left out.
 */
export function referenceLabels({ references = [], y: { unit } }: Figure, plot: Plot): Label[] {
  const { left, right, top, base, y } = plot;
  const inside = references
    .map((reference) => ({ ...reference, height: y(reference.value) }))
    .filter(({ height }) => height >= top - 1 && height <= base + 1)
    .sort((a, b) => a.height - b.height);
  const labels: Label[] = [];
  const widthOf = ({ text }: Label): number => LETTER * text.length;
  const longest = Math.max(0, ...inside.map(({ label }) => LETTER * (label.length + VALUE)));
  const sides = right - left > 2 * longest + 20 ? (['end', 'start'] as const) : (['end'] as const);
  for (const { label, value, height, series } of inside) {
    const text = `${label} ${valueText(value, unit)}`;
    const colour = plot.series.find(({ name }) => name === series)?.colour ?? null;
    const candidates = sides.flatMap((anchor) =>
      [height - BESIDE, height + BESIDE].map((at): Label => {
        const x = anchor === 'end' ? right - 4 : left + 4;
        return { text, title: text, colour, faint: false, anchor, x, y: height, at };
      }),
    );
    const cost = (one: Label): number => {
      const { at, anchor, x } = one;
      const near = (other: number, gap: number): boolean => Math.abs(other - at) < gap;
      const from = anchor === 'end' ? x - widthOf(one) : x;
      const crossed = plot.series.filter(
        (line) => !line.raw && crosses(line, plot, from, from + widthOf(one), at),
      ).length;
      const lines = inside.filter((line) => near(line.height, HALF)).length;
      const others = labels.filter((other) => other.anchor === anchor && near(other.at, 2 * HALF)).length;
      const marked = plot.marks.filter(
        (mark) => near(mark.y, MARK + HALF) && mark.x > from - MARK && mark.x < from + widthOf(one) + MARK,
      ).length;
      const outside = at - HALF < top || at + HALF > base;
      return 100 * Number(outside) + 10 * (others + marked) + 2 * crossed + lines;
    };
    labels.push(candidates.reduce((best, one) => (cost(one) < cost(best) ? one : best)));
  }
  return sides.flatMap((side) => {
    const beside = labels.filter(({ anchor }) => anchor === side);
    const spread = spreadLabels(
      beside.map(({ at }) => at),
      2 * HALF,
      top + HALF,
      base - HALF,
    );
    return beside.map((label, i) => ({ ...label, at: spread[i] }));
  });
}

/** Whether a curve runs through the place of a label. */
function crosses({ shown, aside }: DrawnSeries, { x, y }: Plot, from: number, to: number, at: number): boolean {
  for (let i = 1; i < shown.length; i++) {
    const [a, b] = [x(shown[i - 1].x) + aside, x(shown[i].x) + aside];
    if (b < from || a > to) continue;
    const [start, end] = [y(shown[i - 1].y), y(shown[i].y)];
    const heightAt = (place: number): number => (b > a ? start + ((place - a) / (b - a)) * (end - start) : start);
    const [enters, leaves] = [heightAt(Math.max(a, from)), heightAt(Math.min(b, to))];
    if (Math.min(enters, leaves) < at + HALF && Math.max(enters, leaves) > at - HALF) return true;
  }
  return false;
}

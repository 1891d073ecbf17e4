import { spreadLabels } from './chart-labels.ts';
import { linearScale, logScale, type Scale } from './chart-scales.ts';

export type Tone = 'accent' | 'ink';

export interface Point {
  x: number;
  y: number;
  /** The ends of its 95% interval. */
  low?: number;
  high?: number;
}

export interface Series {
  key: string;
  label: string;
  tone: Tone;
  points: Point[];
  /** Drawn thin and pale, without a label or a readout: the raw values behind a mean. */
  faint?: boolean;
}

export interface Reference {
  label: string;
  value: number;
  tone: Tone;
}

/** A label at the right edge: of the end of a curve, or (faint) of a reference line. */
export interface Mark {
  key: string;
  text: string;
  figure: string;
  tone: Tone;
  /** Height of what it names, and where the label stands so as to overlap no other. */
  y: number;
  at: number;
  faint: boolean;
}

/** What a chart is drawn from. */
export interface Drawn {
  series: readonly Series[];
  references: readonly Reference[];
  /** The right end of the x axis. */
  steps: number;
  range: readonly [number, number];
  logarithmic: boolean;
  width: number;
  height: number;
  /** Pixels kept free at the right for labels. */
  gutter: number;
  format: (value: number) => string;
}

/** Everything of a chart in pixels. */
export interface Layout {
  left: number;
  right: number;
  top: number;
  base: number;
  x: Scale;
  y: Scale;
  /** Curves that are labelled and read. */
  solid: Series[];
  references: Reference[];
  marks: Mark[];
}

const LEFT = 34;
const TOP = 8;
const BOTTOM = 18;
const LABEL_HEIGHT = 12.5;

export function layOut(drawn: Drawn): Layout {
  const { steps, range, logarithmic, width, height, gutter, format } = drawn;
  const right = Math.max(LEFT + 40, width - gutter);
  const base = height - BOTTOM;
  const x = linearScale([0, Math.max(steps, 1)], [LEFT, right], right - LEFT < 220 ? 2 : 4);
  const y = (logarithmic ? logScale : linearScale)(range, [base, TOP]);
  const solid = drawn.series.filter((line) => !line.faint && line.points.length > 0);
  const references = drawn.references.filter(({ value }) => value >= range[0] && value <= range[1]);
  const wanted = [
    ...solid.map(({ key, label: text, tone, points }) => ({ key, text, tone, value: points.at(-1)!.y, faint: false })),
    ...references.map(({ label: text, tone, value }) => ({ key: `ref ${text}`, text, tone, value, faint: true })),
  ].map(({ value, ...mark }) => ({ ...mark, figure: format(value), y: y(value) }));
  const placed = spreadLabels(
    wanted.map((mark) => mark.y),
    LABEL_HEIGHT,
    TOP + 2,
    base + 2,
  );
  const marks = wanted.map((mark, i) => ({ ...mark, at: placed[i] }));
  return { left: LEFT, right, top: TOP, base, x, y, solid, references, marks };
}

/** The curve through the points, as an SVG path. */
export function linePath({ x, y }: Layout, points: readonly Point[]): string {
  return points.map((point, i) => `${i ? 'L' : 'M'}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`).join('');
}

/** The band of the intervals; empty where fewer than two points have one. */
export function bandPath({ x, y }: Layout, points: readonly Point[]): string {
  const known = points.filter((point) => point.low !== undefined && point.high !== undefined);
  if (known.length < 2) return '';
  const upper = known.map((point) => `${x(point.x).toFixed(1)} ${y(point.high!).toFixed(1)}`);
  const lower = known.map((point) => `${x(point.x).toFixed(1)} ${y(point.low!).toFixed(1)}`).reverse();
  return `M${[...upper, ...lower].join('L')}Z`;
}

/** What a reader at a step is told: the nearest point of each curve. */
export interface Guide {
  x: number;
  rows: { label: string; tone: Tone; point: Point }[];
}

export function guideAt({ solid }: Layout, step: number): Guide | null {
  const rows = solid.map(({ label, tone, points }) => ({
    label,
    tone,
    point: points.reduce((best, point) => (Math.abs(point.x - step) < Math.abs(best.x - step) ? point : best)),
  }));
  return rows.length === 0 ? null : { x: rows[0].point.x, rows };
}

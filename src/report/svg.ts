import { escaped } from './escape.ts';
import { MARK, type Label } from './figure-labels.ts';
import { FILE_SIZE, layOut, placeOf, type Layout, type Size } from './figure-layout.ts';
import type { DrawnSeries } from './figure-series.ts';
import { figureStyle, type Palette } from './figure-style.ts';
import { valueText } from './labels.ts';
import type { Figure, FigurePoint } from './table.ts';

/**
 * A figure as one SVG that needs nothing else. Published series are faint and dashed, intervals are whiskers, or bands
 * in a run that goes on. Values that are no numbers are left out. With `embedded`, the style is left to the page
 * (figureStyle), and `name` is one more class.
 */
export function svgOf(
  figure: Figure,
  options: { palette?: Palette; embedded?: boolean; size?: Size; name?: string } = {},
): string {
  const layout = layOut(figure, options.size ?? FILE_SIZE);
  const style = options.embedded ? '' : `<style>${figureStyle(options.palette ?? 'auto')}</style>`;
  const text = `<title>${escaped(figure.title)}</title><desc>${escaped(description(figure, layout))}</desc>`;
  return drawing(figure, layout, { inside: text + style, name: options.name });
}

/** The drawing of a layout; `inside` is what stands before it in the SVG. */
export function drawing(
  figure: Figure,
  layout: Layout,
  { inside = '', name = '' }: { inside?: string; name?: string } = {},
): string {
  const { width, height, left, right, top, base, series, references, marks, ends, legend } = layout;
  const middle = n((left + right) / 2);
  const empty = series.every(({ points }) => points.length === 0);
  const nothing = figure.empty ?? 'Nothing has been measured for this yet';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="bf${name === '' ? '' : ` ${name}`}" viewBox="0 0 ${width} ${height}" role="img">${inside}`,
    `<rect class="bf-paper" width="${width}" height="${height}"/>`,
    axes(figure, layout),
    ...references.map(
      ({ colour, y }) =>
        `<line class="bf-reference ${stroke(colour)}" x1="${left}" x2="${right}" y1="${n(y)}" y2="${n(y)}"/>`,
    ),
    ...series.map((one) =>
      group(one.published, figure.kind === 'bars' ? bars(figure, layout, one) : lines(figure, layout, one)),
    ),
    ...marked(figure, layout),
    ...references.map((label) => text(label, 'bf-halo')),
    ...marks.map(
      ({ x, y, text }) =>
        `<circle class="bf-mark" cx="${n(x)}" cy="${n(y)}" r="${MARK}"/><text class="bf-newest" text-anchor="middle" x="${n(x)}" y="${n(y + 4)}">${escaped(text)}</text>`,
    ),
    ...ends.map((label) => group(label.faint, endLabel(figure, layout, label))),
    ...legend.map(({ series: one, x, y }) => group(one.published, key(figure, one, x, y))),
    empty
      ? `<text class="bf-empty" text-anchor="middle" x="${middle}" y="${n((top + base) / 2)}">${escaped(nothing)}</text>`
      : '',
    '</svg>',
  ].join('');
}

/** A line across the plot with a foot, at the place that the figure marks. */
function marked({ x: { marked = null } }: Figure, { x, top, base }: Layout): string[] {
  if (marked === null) return [];
  const at = n(x(marked));
  return [
    `<path class="bf-marked bf-s0" d="M${at} ${top}V${base}"/><circle class="bf-f0" cx="${at}" cy="${base}" r="4"/>`,
  ];
}

/** Series of more points are described by their ends. */
const DESCRIBED = 40;

/** What the drawing shows, in words, for those who do not see it. */
function description(figure: Figure, { series }: Layout): string {
  const { categories } = figure.x;
  const said = (point: FigurePoint): string =>
    `${categories?.[point.x] ?? point.x}: ${valueText(point.y, figure.y.unit)}${figure.y.unit === 'percent' ? ' percent' : ''}`;
  const texts = series
    .filter(({ points, raw }) => points.length > 0 && !raw)
    .map(({ name, points }) =>
      points.length <= DESCRIBED
        ? `${name}: ${points.map(said).join('; ')}`
        : `${name}: ${points.length} values from ${said(points[0])} to ${said(points.at(-1)!)}`,
    );
  return [figure.description, ...(texts.length === 0 ? ['Nothing has been measured for this yet'] : texts)].join('. ');
}

const group = (faint: boolean, inner: string): string => (faint ? `<g class="bf-faint">${inner}</g>` : inner);
const stroke = (colour: number | null): string => (colour === null ? 'bf-ink' : `bf-s${colour}`);
const fill = (colour: number | null): string => (colour === null ? '' : `bf-f${colour}`);

function text({ text, title, colour, anchor, x, at }: Label, kind: string): string {
  const whole = title === text ? '' : `<title>${escaped(title)}</title>`;
  return `<text class="${kind} ${fill(colour)}" text-anchor="${anchor}" x="${n(x)}" y="${n(at + 4)}">${escaped(text)}${whole}</text>`;
}

function axes(figure: Figure, { height, left, right, top, base, x, y, titled }: Layout): string {
  return [
    ...y.ticks.map(
      ({ at, lines: [text] }) =>
        `<line class="bf-grid" x1="${left}" x2="${right}" y1="${n(at)}" y2="${n(at)}"/><text class="bf-tick" text-anchor="end" x="${left - 6}" y="${n(at + 4)}">${text}</text>`,
    ),
    `<line class="bf-base" x1="${left}" x2="${right}" y1="${base}" y2="${base}"/>`,
    ...x.ticks.flatMap(({ at, lines }) =>
      lines.map(
        (text, row) =>
          `<text class="bf-tick" text-anchor="middle" x="${n(at)}" y="${base + 15 + 12 * row}">${escaped(text)}</text>`,
      ),
    ),
    titled
      ? `<text text-anchor="middle" x="${n((left + right) / 2)}" y="${height - 9}">${escaped(figure.x.title)}</text><text text-anchor="middle" transform="translate(12 ${n((top + base) / 2)}) rotate(-90)">${escaped(figure.y.title)}</text>`
      : '',
  ].join('');
}

function lines({ live }: Figure, layout: Layout, one: DrawnSeries): string {
  const { colour, raw, shown } = one;
  const places = shown.map((point) => ({ point, ...placeOf(layout, one, point) }));
  const path = places.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${n(x)} ${n(y)}`).join('');
  return [
    live ? band(layout, one) : '',
    shown.length > 1 ? `<path class="bf-line${raw ? ' bf-raw' : ''} bf-s${colour}" d="${path}"/>` : '',
    ...(live ? [] : places.map(({ point, x }) => whisker(x, point, layout.y, `bf-s${colour}`))),
    ...(live && shown.length > 1 ? [] : places.map(({ x, y }) => mark(x, y, one))),
  ].join('');
}

/** The band of the intervals; empty where fewer than two points have one. */
function band(layout: Layout, one: DrawnSeries): string {
  const known = one.shown.filter(({ ci95 }) => ci95 !== null);
  if (known.length < 2) return '';
  const edge = (end: 0 | 1): string[] =>
    known.map(({ x, ci95 }) => `${n(layout.x(x) + one.aside)} ${n(layout.y(ci95![end]))}`);
  return `<path class="bf-band bf-f${one.colour}" d="M${[...edge(1), ...edge(0).reverse()].join('L')}Z"/>`;
}

function bars(figure: Figure, layout: Layout, one: DrawnSeries): string {
  const { base, barWidth } = layout;
  return [
    ...one.points.map((point) => {
      const { x, y } = placeOf(layout, one, point);
      const said = `${figure.x.categories?.[point.x] ?? point.x}: ${valueText(point.y, figure.y.unit)}`;
      return `<rect class="bf-bar bf-f${one.colour}" x="${n(x - barWidth / 2 + 0.5)}" y="${n(Math.min(y, base))}" width="${n(Math.max(1, barWidth - 1))}" height="${n(Math.abs(base - y))}"><title>${escaped(said)}</title></rect>`;
    }),
    ...['bf-under', 'bf-ink'].flatMap((stroke) =>
      one.points.map((point) => whisker(placeOf(layout, one, point).x, point, layout.y, stroke)),
    ),
  ].join('');
}

/** The name beside the plot, with a thin line to it from the end of a curve that has stopped. */
function endLabel({ live }: Figure, { right }: Layout, label: Layout['ends'][number]): string {
  const from = label.from + 6;
  const path = `M${n(from)} ${n(label.y)}L${n(Math.max(from, right + 2))} ${n(label.y)}L${n(right + 10)} ${n(label.at)}`;
  return `${live ? '' : `<path class="bf-leader" fill="none" d="${path}"/>`}${text(label, live ? 'bf-newest' : '')}`;
}

function key({ kind, live }: Figure, one: DrawnSeries, x: number, y: number): string {
  const sign =
    kind === 'bars'
      ? `<rect class="bf-bar bf-f${one.colour}" x="${n(x)}" y="${n(y - 5)}" width="10" height="10"/>`
      : `<line class="bf-line bf-s${one.colour}" x1="${n(x)}" x2="${n(x + 12)}" y1="${n(y)}" y2="${n(y)}"/>${live ? '' : mark(x + 6, y, one)}`;
  const { label, name, colour, published } = one;
  const place = { text: label, title: name, colour: live ? colour : null, faint: published, x: x + 17, y, at: y };
  return sign + text({ ...place, anchor: 'start' }, live ? 'bf-newest' : '');
}

function whisker(x: number, { ci95 }: FigurePoint, y: (value: number) => number, stroke: string): string {
  if (ci95 === null) return '';
  const [low, high] = ci95.map(y);
  return `<path class="bf-whisker ${stroke}" fill="none" d="M${n(x)} ${n(low)}V${n(high)}M${n(x - 3)} ${n(low)}h6M${n(x - 3)} ${n(high)}h6"/>`;
}

/** Circle, square, diamond, triangle and so on: hollow for published values. */
function mark(x: number, y: number, { published, colour }: DrawnSeries): string {
  const paint = published ? `class="bf-hollow bf-s${colour}"` : `class="bf-f${colour}"`;
  const corners = [
    null,
    [-3.4, -3.4, 3.4, -3.4, 3.4, 3.4, -3.4, 3.4],
    [0, -4.6, 4.6, 0, 0, 4.6, -4.6, 0],
    [0, -4.4, 4.2, 3.2, -4.2, 3.2],
    [0, 4.4, 4.2, -3.2, -4.2, -3.2],
    [-1.5, -4, 1.5, -4, 1.5, 4, -1.5, 4],
  ][colour];
  if (!corners) return `<circle ${paint} cx="${n(x)}" cy="${n(y)}" r="3.6"/>`;
  const path = corners.map((value, i) => n(value + (i % 2 === 0 ? x : y)));
  return `<polygon ${paint} points="${path.join(' ')}"/>`;
}

/** A coordinate; those that are no numbers were left out before. */
function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

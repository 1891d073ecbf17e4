import { escaped } from './escape.ts';
import { HEIGHT, layoutOf, spreadOut, WIDTH, type Drawn, type Layout, type Point } from './figure-layout.ts';
import { COLOURS, figureStyle, type Palette } from './figure-style.ts';
import type { Figure } from './table.ts';

/**
 * A figure as one SVG that needs nothing else, 720 by 340 or as wide as its place. Published series are faint and
 * dashed, intervals are whiskers; lines are named at their ends, bars in a legend. Values that are no numbers are left
 * out. With `embedded`, the style is left to the page (figureStyle).
 */
export function svgOf(figure: Figure, options: { palette?: Palette; embedded?: boolean } = {}): string {
  const lines = figure.kind === 'lines';
  const names = figure.series.filter(({ points }) => points.length > 0).map(({ name }) => short(name));
  const labels = lines ? Math.min(230, 22 + 6 * Math.max(0, ...names.map(({ length }) => length))) : 0;
  const layout = layoutOf(figure, labels);
  const empty = layout.series.every(({ points }) => points.length === 0);
  const style = options.embedded ? '' : `<style>${figureStyle(options.palette ?? 'auto')}</style>`;
  const id = escaped(figure.id);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="bf" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">${escaped(figure.title)}</title><desc id="${id}-desc">${escaped(description(figure, layout))}</desc>`,
    style,
    `<rect class="bf-paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    axes(figure, layout),
    empty
      ? `<text class="bf-empty" text-anchor="middle" x="${n((layout.left + layout.right) / 2)}" y="${n((layout.top + layout.base) / 2)}">Nothing has been measured for this yet</text>`
      : lines
        ? linesOf(layout)
        : barsOf(figure, layout),
    '</svg>',
  ].join('');
}

/** What the drawing shows, in words, for those who do not see it. */
function description(figure: Figure, { series }: Layout): string {
  const unit = figure.y.unit === 'percent' ? ' percent' : '';
  const told = series
    .filter(({ points }) => points.length > 0)
    .map(({ name, points }) => {
      const each = points.map(({ x, y }) => `${figure.x.categories?.[x] ?? x}: ${Number(y.toPrecision(3))}${unit}`);
      return `${name}: ${each.join('; ')}`;
    });
  return [figure.words, ...(told.length === 0 ? ['Nothing has been measured for this yet'] : told)].join('. ');
}

function axes(figure: Figure, { left, right, top, base, x, y }: Layout): string {
  const percent = figure.y.unit === 'percent' ? '%' : '';
  const every = figure.x.categories === null ? 1 : Math.ceil(x.ticks.length / 16);
  return [
    ...y.ticks.map(
      (tick) =>
        `<line class="bf-grid" x1="${left}" x2="${n(right)}" y1="${n(y(tick))}" y2="${n(y(tick))}"/><text class="bf-tick" text-anchor="end" x="${left - 7}" y="${n(y(tick) + 4)}">${tick}${percent}</text>`,
    ),
    `<line class="bf-base" x1="${left}" x2="${n(right)}" y1="${base}" y2="${base}"/>`,
    ...x.ticks
      .filter((_, at) => at % every === 0)
      .map(
        (tick) =>
          `<text class="bf-tick" text-anchor="middle" x="${n(x(tick))}" y="${base + 16}">${escaped(figure.x.categories?.[tick] ?? String(tick))}</text>`,
      ),
    `<text text-anchor="middle" x="${n((left + right) / 2)}" y="${HEIGHT - 10}">${escaped(figure.x.title)}</text>`,
    `<text text-anchor="middle" transform="translate(13 ${n((top + base) / 2)}) rotate(-90)">${escaped(figure.y.title)}</text>`,
  ].join('');
}

function linesOf({ series, x: place, y, right, top, base }: Layout): string {
  const whiskered = series.filter(hasIntervals);
  const step = Math.min(5, 24 / Math.max(1, whiskered.length));
  const ends = series.map(({ points }) => y(points.at(-1)!.y));
  const heights = spreadOut(ends, 14, top + 4, base - 2);
  let own = 0;
  let published = 0;
  return series
    .map((line, at) => {
      // Own and published lines count their colours apart, so that Train-S of both can look alike.
      const colour = (line.published ? published++ : own++) % COLOURS;
      // Side by side, so that whiskers at one place can be told apart.
      const aside = hasIntervals(line) ? (whiskered.indexOf(line) - (whiskered.length - 1) / 2) * step : 0;
      const x = (value: number): number => place(value) + aside;
      const path = line.points.map((point, i) => `${i === 0 ? 'M' : 'L'}${n(x(point.x))} ${n(y(point.y))}`).join('');
      const last = x(line.points.at(-1)!.x);
      return [
        `<g${line.published ? ' class="bf-faint"' : ''}>`,
        line.points.length > 1 ? `<path class="bf-line bf-s${colour}" d="${path}"/>` : '',
        ...line.points.map((point) => whisker(x(point.x), point, y, `bf-s${colour}`)),
        ...line.points.map((point) => mark(x(point.x), y(point.y), colour, line)),
        `<path class="bf-leader" fill="none" d="M${n(last + 6)} ${n(ends[at])}L${n(Math.max(last + 6, right + 2))} ${n(ends[at])}L${n(right + 10)} ${n(heights[at])}"/>`,
        `<text class="bf-f${colour}" x="${n(right + 14)}" y="${n(heights[at] + 4)}">${escaped(short(line.name))}<title>${escaped(line.name)}</title></text>`,
        '</g>',
      ].join('');
    })
    .join('');
}

const hasIntervals = ({ points }: Drawn): boolean => points.some(({ ci95 }) => ci95 !== null);

function barsOf(figure: Figure, { series, x, y, left, right, base }: Layout): string {
  const place = (right - left) / Math.max(1, figure.x.categories?.length ?? 1);
  const bar = Math.min(60, (place * 0.8) / Math.max(1, series.length));
  const legend = series.length > 1;
  let at = left;
  return series
    .map((one, i) => {
      const colour = i % COLOURS;
      const middle = (point: Point): number => x(point.x) + (i - (series.length - 1) / 2) * bar;
      const key = legend
        ? `<rect class="bf-f${colour}" x="${n(at)}" y="10" width="11" height="11"/><text x="${n(at + 17)}" y="20">${escaped(short(one.name))}</text>`
        : '';
      at += 40 + short(one.name).length * 6.2;
      return [
        `<g${one.published ? ' class="bf-faint"' : ''}>${key}`,
        ...one.points.map(
          (point) =>
            `<rect class="bf-f${colour}" x="${n(middle(point) - bar / 2 + 0.5)}" y="${n(Math.min(y(point.y), base))}" width="${n(Math.max(1, bar - 1))}" height="${n(Math.abs(base - y(point.y)))}"><title>${escaped(`${figure.x.categories?.[point.x] ?? point.x}: ${Number(point.y.toPrecision(3))}`)}</title></rect>`,
        ),
        ...one.points.map((point) => whisker(middle(point), point, y, 'bf-ink')),
        '</g>',
      ].join('');
    })
    .join('');
}

function whisker(x: number, { ci95 }: Point, y: (value: number) => number, stroke: string): string {
  if (ci95 === null) return '';
  const [low, high] = ci95.map(y);
  return `<path class="bf-whisker ${stroke}" fill="none" d="M${n(x)} ${n(low)}V${n(high)}M${n(x - 3)} ${n(low)}h6M${n(x - 3)} ${n(high)}h6"/>`;
}

/** Circle, square, diamond, triangle and so on: hollow for published values. */
function mark(x: number, y: number, colour: number, { published }: Drawn): string {
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

const LONGEST_NAME = 34;

function short(name: string): string {
  const letters = [...name];
  return letters.length <= LONGEST_NAME ? name : `${letters.slice(0, LONGEST_NAME - 1).join('')}…`;
}

/** A coordinate; those that are no numbers were left out before. */
function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

import { placeOf, type Layout } from './figure-layout.ts';
import { count, valueText } from './labels.ts';
import type { Figure } from './table.ts';

/** What a reader at one place of a figure is told, and where the places that are read stand. */
export interface Guide {
  x: number;
  at: number;
  heading: string;
  rows: { name: string; colour: number; value: string; interval: string; x: number; y: number }[];
}

const isNamed = ({ raw }: { raw: boolean }): boolean => !raw;

/** The values of x that can be read, ascending. */
export function stopsOf({ series }: Layout): number[] {
  const values = series.filter(isNamed).flatMap(({ points }) => points.map(({ x }) => x));
  return [...new Set(values)].sort((a, b) => a - b);
}

/** The stop nearest to a value of x, and what each series has there; null where there is nothing to read. */
export function guideAt(figure: Figure, layout: Layout, wanted: number): Guide | null {
  const distance = (x: number): number => Math.abs(x - wanted);
  const named = layout.series.filter(isNamed);
  let x = Infinity;
  for (const { points } of named) for (const point of points) if (distance(point.x) < distance(x)) x = point.x;
  if (x === Infinity) return null;
  const { unit } = figure.y;
  const rows = named.flatMap((one) =>
    one.points
      .filter((point) => point.x === x)
      .map((point) => ({
        name: one.name,
        colour: one.colour,
        value: valueText(point.y, unit),
        interval: point.ci95 === null ? '' : point.ci95.map((end) => valueText(end, unit)).join(' to '),
        ...placeOf(layout, one, point),
      })),
  );
  const place = figure.x.categories?.[x] ?? (Number.isInteger(x) ? count(x) : String(x));
  return { x, at: layout.x(x), heading: `${figure.x.title}${figure.live ? ' ' : ': '}${place}`, rows };
}

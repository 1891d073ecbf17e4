import { describe, expect, it } from 'vitest';
import { guideAt, stopsOf } from './figure-guide.ts';
import type { Label } from './figure-labels.ts';
import { FILE_SIZE, layOut, placeOf, type Layout } from './figure-layout.ts';
import { drawing, svgOf } from './svg.ts';
import type { Figure, FigurePoint } from './table.ts';

const points = (...values: [x: number, y: number][]): FigurePoint[] => values.map(([x, y]) => ({ x, y, ci95: null }));

function figure(changes: Partial<Figure> = {}): Figure {
  return {
    id: 'one',
    title: 'One',
    description: '',
    kind: 'lines',
    x: { title: 'step', categories: null },
    y: { title: 'share', logarithmic: false, unit: 'plain' },
    series: [{ name: 'a', published: false, points: points([0, 1], [10, 4], [40, 3]) }],
    notes: [],
    ...changes,
  };
}
const y = (includes: readonly number[], changes: Partial<Figure['y']> = {}): Figure['y'] => ({
  title: 'y',
  logarithmic: false,
  unit: 'plain',
  includes,
  ...changes,
});
const live: Partial<Figure> = {
  live: true,
  x: { title: 'step', categories: null, includes: [0, 1000] },
  y: y([0, 100], { unit: 'percent' }),
  series: [
    { name: 'legal', published: false, points: points([20, 30], [200, 86.14]) },
    { name: 'exact', published: false, points: points([20, 10], [200, 44]) },
  ],
  references: [
    { label: 'Train-L', value: 97, series: 'legal' },
    { label: 'no board', value: 30.1, series: 'legal' },
    { label: 'no board, exact', value: 30, series: 'exact' },
    { label: 'random legal, exact', value: 27, series: 'exact' },
  ],
};
const texts = ({ ticks }: Layout['y']): string[] => ticks.map(({ lines }) => lines.join(' '));

describe('ticks', () => {
  it.each([
    ['linear, widened to round values', y([0.3, 9.7]), ['0', '2', '4', '6', '8', '10']],
    ['percent', y([0, 100], { unit: 'percent' }), ['0%', '20%', '40%', '60%', '80%', '100%']],
    ['one value', y([7]), ['7', '8', '9', '10', '11', '12', '13', '14']],
    ['thousands', y([0, 2500]), ['0', '500', '1k', '1.5k', '2k', '2.5k']],
    ['powers of ten', y([10, 1000], { logarithmic: true }), ['10', '20', '30', '100', '200', '300', '1k']],
    ['one factor of a power', y([14, 18], { logarithmic: true }), ['13', '14', '15', '16', '17', '18', '19']],
  ])('%s', (_, axis, expected) => {
    expect(texts(layOut(figure({ y: axis, series: [] })).y)).toEqual(expected);
  });

  it('stand at their values, in the plot', () => {
    for (const logarithmic of [false, true]) {
      const { y: axis, top, base } = layOut(figure({ y: y([2, 900], { logarithmic }) }));
      for (const { at, lines } of axis.ticks) {
        expect(axis(Number(lines[0].replace('k', 'e3')))).toBeCloseTo(at);
        expect(at).toBeGreaterThanOrEqual(top - 1e-9);
        expect(at).toBeLessThanOrEqual(base + 1e-9);
      }
    }
  });

  it('names of categories that have no room are left out at regular places', () => {
    const categories = Array.from({ length: 40 }, (_, i) => `${i} to ${i + 1}`);
    const { ticks } = layOut(figure({ kind: 'bars', x: { title: 'x', categories } })).x;
    const apart = ticks.slice(1).map(({ at }, i) => at - ticks[i].at);
    for (const gap of apart) expect(gap).toBeCloseTo(apart[0]);
    expect(apart[0]).toBeGreaterThan(6.1 * '39 to 40'.length);
  });
});

it('names of two words that are too wide stand in two lines', () => {
  const categories = ['Rook, moved', 'Queen, other', 'Bishop, moved'];
  const { ticks } = layOut(figure({ kind: 'bars', x: { title: 'x', categories } }), { width: 240, height: 280 }).x;
  expect(ticks.map(({ lines }) => lines)).toEqual(categories.map((name) => name.split(' ')));
});

it('longer names have up to three lines, so that every suite of four is named', () => {
  const categories = ['Castling through check', 'Castling rights lost', 'En passant only at once', 'Pins'];
  const { ticks } = layOut(figure({ kind: 'bars', x: { title: '', categories } }), { width: 400, height: 280 }).x;
  expect(ticks.map(({ lines }) => lines)).toEqual([
    ['Castling', 'through check'],
    ['Castling', 'rights lost'],
    ['En passant', 'only at once'],
    ['Pins'],
  ]);
});

/** The place that a label takes in the drawing. */
function boxOf({ text, anchor, x, at }: Label) {
  const wide = 6.1 * text.length;
  const from = anchor === 'end' ? x - wide : x;
  return { from, to: from + wide, above: at - 5.5, below: at + 5.5 };
}

describe('labels', () => {
  it.each([
    ['small', { width: 272, height: 152 }],
    ['phone', { width: 350, height: 152 }],
    ['file', FILE_SIZE],
  ])('of level lines do not collide and stay in the plot: %s', (_, size) => {
    const { references, top, base } = layOut(figure(live), size);
    expect(references.map(({ text }) => text).sort()).toEqual([
      'Train-L 97.0',
      'no board 30.1',
      'no board, exact 30.0',
      'random legal, exact 27.0',
    ]);
    const boxes = references.map(boxOf);
    for (const [i, one] of boxes.entries()) {
      expect(one.above).toBeGreaterThanOrEqual(top - 1);
      expect(one.below).toBeLessThanOrEqual(base + 1);
      for (const other of boxes.slice(0, i)) {
        const apart =
          one.from >= other.to || other.from >= one.to || one.above >= other.below || other.above >= one.below;
        expect([one, other, apart]).toEqual([one, other, true]);
      }
    }
  });

  it('of a level line keeps clear of a curve where it can', () => {
    const flat = { name: 'a', published: false, points: points([0, 54], [100, 54]) };
    const one = { label: 'paper', value: 50, series: null };
    const [label] = layOut(figure({ y: y([0, 100]), series: [flat], references: [one] })).references;
    expect(label.at).toBeGreaterThan(label.y);
  });

  it.each([
    ['small', { width: 272, height: 152 }],
    ['phone', { width: 350, height: 152 }],
    ['wide', { width: 600, height: 122 }],
    ['file', FILE_SIZE],
  ])('leave three quarters of the width and of the height to the plot: %s', (_, size) => {
    const { left, right, top, base, height } = layOut(figure(live), size);
    expect(height).toBe(size.height);
    expect((right - left) / size.width).toBeGreaterThanOrEqual(0.75);
    expect((base - top) / size.height).toBeGreaterThanOrEqual(0.75);
  });

  it('names are at the ends of lines where there is room, else in a legend above the plot', () => {
    const wide = layOut(figure(live), { width: 720, height: 340 });
    expect(wide.ends.map(({ text }) => text)).toEqual(['legal 86.1', 'exact 44.0']);
    expect(wide.legend).toEqual([]);
    const narrow = layOut(figure(live), { width: 272, height: 152 });
    expect(narrow.ends).toEqual([]);
    expect(narrow.legend.map(({ series }) => series.label)).toEqual(['legal 86.1', 'exact 44.0']);
    for (const { y } of narrow.legend) expect(y).toBeLessThan(narrow.top);
    const [first, second] = narrow.legend;
    expect(second.x).toBeGreaterThan(first.x + 17 + 6.1 * 'legal 86.1'.length);
  });
});

it('rows of names beyond the first make a figure higher', () => {
  const named = (count: number): Figure['series'] =>
    Array.from({ length: count }, (_, i) => ({
      name: `a model of ${i} layers`,
      published: false,
      points: points([0, i]),
    }));
  const [one, many] = [2, 6].map((count) => layOut(figure({ series: named(count) }), { width: 350, height: 280 }));
  expect(one.height).toBe(280);
  expect(many.legend).toHaveLength(6);
  expect(many.height).toBe(280 + many.top - one.top);
  expect(many.base - many.top).toBeCloseTo(one.base - one.top);
});

const noisy = Array.from({ length: 5000 }, (_, i): FigurePoint => ({ x: i + 1, y: 2 + Math.sin(i * i), ci95: null }));

it('draws as many of thousands of points as the width can show, and reads all of them', () => {
  const many = figure({ series: [{ name: 'a', published: false, points: noisy }] });
  const layout = layOut(many, { width: 600, height: 122 });
  const [{ points: all, shown }] = layout.series;
  expect(all).toHaveLength(5000);
  expect(shown.length).toBeLessThan(4 * 600);
  expect(Math.max(...shown.map((point) => point.y))).toBe(Math.max(...noisy.map((point) => point.y)));
  expect(guideAt(many, layout, 2345.4)).toMatchObject({ x: 2345, heading: 'step: 2,345' });
});

it('a page’s chart and the file place the points of a figure alike, and a reader’s marks stand on them', () => {
  const one = figure({ series: [{ name: 'a', published: false, points: points([0, 1], [10, 4], [40, 3]) }] });
  const shares = ({ left, right, top, base }: Layout, marks: { x: number; y: number }[]): string[] =>
    marks.map(({ x, y }) => `${((x - left) / (right - left)).toFixed(2)} ${((y - top) / (base - top)).toFixed(2)}`);
  const circles = (svg: string): { x: number; y: number }[] =>
    [...svg.matchAll(/<circle [^>]*cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
  const [file, page] = [layOut(one), layOut(one, { width: 350, height: 280 })];
  const inFile = circles(svgOf(one));
  const onPage = circles(drawing(one, page));
  expect(inFile).toHaveLength(3);
  expect(shares(page, onPage)).toEqual(shares(file, inFile));
  for (const [i, point] of one.series[0].points.entries()) {
    const place = placeOf(page, page.series[0], point);
    expect(onPage[i].x).toBeCloseTo(place.x, 1);
    expect(guideAt(one, page, point.x)!.rows[0]).toMatchObject(place);
  }
});

it('the place that a figure marks has a line across the plot and a foot', () => {
  const one = figure({
    x: { title: 'step', categories: null, marked: 20 },
    series: [{ name: 'a', published: false, points: points([0, 1], [10, 4], [40, 3]) }],
  });
  const layout = layOut(one);
  const at = layout.x(20);
  expect(layout.x(10)).toBeLessThan(at);
  expect(drawing(one, layout)).toContain(`M${Math.round(at * 100) / 100} ${layout.top}V${layout.base}`);
  expect(drawing({ ...one, x: { ...one.x, marked: null } }, layout)).not.toContain('bf-marked');
});

it('a reader is told what each series has at the nearest place, and nothing of raw values', () => {
  const two = figure({
    live: true,
    series: [
      { name: 'loss', published: false, raw: true, points: noisy },
      { name: 'train', published: false, points: points([0, 2], [10, 3]) },
      { name: 'dev', published: false, points: [{ x: 10, y: 4, ci95: [3.5, 4.5] }] },
    ],
  });
  const layout = layOut(two);
  expect(layout.series.map(({ colour }) => colour)).toEqual([0, 0, 1]);
  expect(stopsOf(layout)).toEqual([0, 10]);
  expect(guideAt(two, layout, 8)).toMatchObject({
    x: 10,
    heading: 'step 10',
    rows: [
      { name: 'train', value: '3', interval: '' },
      { name: 'dev', value: '4', interval: '3.50 to 4.50' },
    ],
  });
  expect(guideAt(figure({ series: [] }), layOut(figure({ series: [] })), 8)).toBeNull();
});

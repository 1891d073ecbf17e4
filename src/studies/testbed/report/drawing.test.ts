import { describe, expect, it } from 'vitest';
import { answersCsv, csvOf, figureCsv } from '../../../report/csv.ts';
import { answers, assessment, set } from '../../../../fixtures/hand-made.ts';
import { contentOf } from '../../../report/report.ts';
import { htmlPage } from '../../../report/page.ts';
import { testbedReport } from './html.ts';
import { markdownOf } from '../../../report/markdown.ts';
import type { ReportInput } from './report-input.ts';
import { figuresOf, tablesOf } from './report.ts';
import { svgOf } from '../../../report/svg.ts';
import type { Figure } from '../../../report/table.ts';

const hostile = 'a"b,c|d\n<script>alert(1)</script> & \u0007 \\| `x` </style>';
const input: ReportInput = {
  assessments: [assessment({ name: hostile, games: hostile }), assessment({ name: '=1+1', notation: 'rap:25' })],
  games: { name: hostile, splits: [{ name: 'train', games: 2, plies: 9 }], lengths: { width: 20, counts: [1, 1] } },
};

/** Fails where a text is no well-formed XML: a strict reader of tags, attributes and entities; gives its elements. */
function elementsOf(xml: string): { name: string; attributes: Map<string, string> }[] {
  const open: string[] = [];
  const elements: { name: string; attributes: Map<string, string> }[] = [];
  let at = 0;
  let roots = 0;
  const textAt = (end: number): void => {
    const text = xml.slice(at, end);
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) throw new Error('a control character');
    if (text.replace(/&(amp|lt|gt|quot|#39);/g, '').includes('&')) throw new Error(`a bare & in "${text}"`);
    if (open.length === 0 && text.trim() !== '') throw new Error(`text outside of the root: "${text}"`);
  };
  while (at < xml.length) {
    const tag = xml.indexOf('<', at);
    textAt(tag < 0 ? xml.length : tag);
    if (tag < 0) break;
    const match = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/.exec(xml.slice(tag));
    if (!match) throw new Error(`no tag: ${xml.slice(tag, tag + 60)}`);
    const [whole, closing, name, attributes, empty] = match;
    if (closing) {
      if (open.pop() !== name) throw new Error(`</${name}> closes something else`);
    } else {
      if (open.length === 0 && roots++ > 0) throw new Error('two roots');
      const pairs = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value] as const);
      if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`an attribute twice: ${whole}`);
      elements.push({ name, attributes: new Map(pairs) });
      if (!empty) open.push(name);
    }
    at = tag + whole.length;
  }
  if (open.length > 0) throw new Error(`left open: ${open.join()}`);
  return elements;
}

/** Every attribute that is a place or a size holds finite numbers. */
function expectFinite(svg: string): void {
  for (const { attributes } of elementsOf(svg))
    for (const [key, value] of attributes) {
      if (!['x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'width', 'height', 'd', 'points'].includes(key))
        continue;
      const rest = value.replace(/-?(\d+\.?\d*|\.\d+)/g, '').replace(/[MLVHCAhvlcaz\s,]/g, '');
      expect([key, value, rest]).toEqual([key, value, '']);
      if (key === 'width' || key === 'height') expect(Number(value)).toBeGreaterThanOrEqual(0);
    }
}

function figure(points: Figure['series'][number]['points'], changes: Partial<Figure> = {}): Figure {
  return {
    id: 'one',
    title: hostile,
    description: hostile,
    kind: 'lines',
    x: { title: hostile, categories: null },
    y: { title: hostile, logarithmic: false, unit: 'plain' },
    series: [{ name: hostile, published: false, points }],
    notes: [],
    ...changes,
  };
}
const log = { y: { title: 'y', logarithmic: true, unit: 'plain' } } as const;
const bars: Partial<Figure> = { kind: 'bars', x: { title: 'x', categories: ['a', hostile] } };

describe('figures as SVG', () => {
  it.each([
    ['every figure of a report', figuresOf(input)],
    ['of nothing', [figure([]), figure([], log), figure([], bars), figure([], { series: [] })]],
    ['of one point', [figure([{ x: 3, y: 7, ci95: null }]), figure([{ x: 0, y: 0, ci95: [0, 0] }], bars)]],
    ['of one point on a logarithmic axis', [figure([{ x: 3, y: 7, ci95: [0, 9] }], log)]],
    [
      'of values that are no numbers',
      [log, bars, {}].map((changes) =>
        figure(
          [
            { x: NaN, y: 1, ci95: null },
            { x: 0, y: NaN, ci95: null },
            { x: 1, y: Infinity, ci95: [NaN, 1] },
            { x: 1, y: 2, ci95: [NaN, Infinity] },
            { x: 0, y: -1, ci95: null },
          ],
          changes,
        ),
      ),
    ],
  ])('parses and has finite numbers: %s', (_, figures) => {
    expect(figures.length).toBeGreaterThan(0);
    for (const one of figures)
      for (const palette of ['auto', 'light', 'dark'] as const) {
        const svg = svgOf(one, { palette });
        expectFinite(svg);
        const names = elementsOf(svg).map(({ name }) => name);
        expect(names.slice(0, 3)).toEqual(['svg', 'title', 'desc']);
        if (palette !== 'auto') expect(svg).not.toContain('var(');
      }
  });

  it('draws every point, and a whisker for each interval', () => {
    const points: Figure['series'][number]['points'] = [
      { x: 1, y: 2, ci95: [1, 3] },
      { x: 2, y: 4, ci95: null },
    ];
    // A name so short that it stands at the end of its line: a legend would draw the mark once more.
    const svg = svgOf(figure([], { series: [{ name: 'a', published: false, points }] }));
    const drawn = elementsOf(svg);
    expect(drawn.filter(({ name }) => name === 'circle')).toHaveLength(2);
    expect(drawn.filter(({ attributes }) => attributes.get('class')?.includes('bf-whisker'))).toHaveLength(1);
    expect(svg).toContain('1: 2; 2: 4');
    // The higher value stands higher.
    const [low, high] = drawn
      .filter(({ name }) => name === 'circle')
      .map(({ attributes }) => Number(attributes.get('cy')));
    expect(high).toBeLessThan(low);
  });

  it('a bar’s height is its value’s share of the axis', () => {
    const svg = svgOf(
      figure(
        [
          { x: 0, y: 10, ci95: null },
          { x: 1, y: 5, ci95: null },
        ],
        bars,
      ),
    );
    const heights = elementsOf(svg)
      .filter(({ attributes }) => attributes.get('class') === 'bf-bar bf-f0')
      .map(({ attributes }) => Number(attributes.get('height')));
    expect(heights[0] / heights[1]).toBeCloseTo(2, 1);
  });
});

describe('tables as CSV and Markdown', () => {
  /** RFC 4180, read letter by letter. */
  function readCsv(text: string): string[][] {
    const rows: string[][] = [[]];
    let field = '';
    let quoted = false;
    for (let at = 0; at < text.length; at++) {
      const letter = text[at];
      if (quoted && letter === '"' && text[at + 1] === '"') field += text[++at];
      else if (letter === '"') quoted = !quoted;
      else if (!quoted && letter === ',') {
        rows.at(-1)!.push(field);
        field = '';
      } else if (!quoted && letter === '\r' && text[at + 1] === '\n') {
        rows.at(-1)!.push(field);
        rows.push([]);
        field = '';
        at++;
      } else field += letter;
    }
    return rows.slice(0, -1);
  }

  it('CSV keeps hostile names and full numbers, and disarms formulas', () => {
    const table = tablesOf(input).find(({ id }) => id === 'table-6')!;
    const rows = readCsv(csvOf(table));
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
    expect(rows).toHaveLength(table.rows.length + 1);
    expect(rows[1].slice(0, 7)).toEqual([
      'Train-S',
      'UCI',
      `${hostile}: GPT-2 4 x 128`,
      '50',
      rows[1][4],
      rows[1][5],
      '74',
    ]);
    expect(Number(rows[1][4])).toBeCloseTo(15.004, 2);
    expect(rows[2][2]).toBe("'=1+1: GPT-2 4 x 128");
    expect(csvOf({ ...table, rows: table.rows.filter((row) => row.publishedOnly) })).not.toMatch(/NaN|null|undefined/);
    const points = readCsv(figureCsv(figuresOf(input)[0]));
    expect(points.every(({ length }) => length === 6)).toBe(true);
  });

  it('every Markdown row has as many cells as the heading, whatever the names', () => {
    for (const table of tablesOf(input)) {
      const lines = markdownOf(table)
        .split('\n')
        .filter((line) => line.startsWith('| '));
      const cells = lines.map((line) => line.replaceAll(/\\./g, '').split('|').length);
      expect(lines).toHaveLength(table.rows.length + 2);
      expect(new Set(cells).size).toBe(1);
    }
    const text = markdownOf(tablesOf(input).find(({ id }) => id === 'table-6')!);
    expect(text).toContain('50.0 [15.0 to 85.0] (paper 74.0)');
    expect(text).not.toContain('<script>');
  });
});

describe('the page', () => {
  const page = htmlPage(testbedReport(input), { device: hostile, command: hostile, date: null });

  it('escapes names and is one well-formed piece of markup that loads nothing', () => {
    expect(page).not.toContain('<script');
    expect(page).not.toMatch(/(src|href)="(?!#)/);
    expect(page).not.toMatch(/url\(|@import/);
    const body = page.slice(page.indexOf('<body>'), page.indexOf('</html>'));
    expectFinite(body);
    expect(page.match(/<\/style>/g)).toHaveLength(1);
  });

  it('every link leads to something on the page, once', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(links.filter((id) => id.startsWith('list-')).length).toBeGreaterThan(30);
  });

  it('shows prompts that can be pasted, verdicts and boards', () => {
    expect(page).toContain('e2e4 e7e6 f1</code>');
    expect(page).toContain('f3: a bishop does not go from f1 to f3');
    expect(page).toContain('4 answers: 2 legal, 2 not.');
    const boards = page.match(/<svg class="bf-board"/g)!;
    expect(boards.length).toBeGreaterThanOrEqual(6);
  });

  it('caps long lists and says so', () => {
    const many = Array.from({ length: 50 }, () => answers).flat();
    const long = htmlPage(testbedReport({ assessments: [assessment({}, [{ ...set, answers: many }])], games: null }));
    expect(long).toContain('200 answers: 100 legal, 100 not. The first 12, wrong ones before right ones:');
  });

  it('is the same page for the same input', () => {
    expect(htmlPage(testbedReport(input), { device: hostile, command: hostile, date: null })).toBe(page);
  });
});

describe('what a page shows of a report', () => {
  const report = testbedReport(input);

  it('every part has one topic', () => {
    for (const part of report.parts)
      expect(
        report.topics!.filter(({ ids }) => ids.test(contentOf(part).id)),
        contentOf(part).id,
      ).toHaveLength(1);
  });

  it('answers are saved one a line, and nothing in them is a formula', () => {
    const members = answers.map((_, answer) => ({ assessment: 1, set: 0, answer }));
    const [heading, ...lines] = answersCsv(members.map(report.answer)).split('\r\n');
    expect(heading).toBe('model,prompt,question,verdict,right,more');
    expect(lines).toHaveLength(answers.length + 1);
    expect(lines.slice(0, -1).every((line) => line.startsWith("'=1+1,"))).toBe(true);
    expect(lines.filter((line) => line.includes(',yes,'))).toHaveLength(answers.filter(({ legal }) => legal).length);
  });
});

import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { subject } from '../../../fixtures/hand-made.ts';
import { guessingEngine } from '../../../fixtures/guessing-engine.ts';
import { unwrap } from '../../base/result.ts';
import { domainNamed } from '../../domains/domains.ts';
import { figuresOf, tablesOf } from '../../report/report.ts';
import { chanceOf } from './baselines.ts';
import { shippedSuites, suitesIn } from './shipped.ts';
import { syntaxgym, type SyntaxGymAssessment } from './study.ts';
import type { Suite } from './suite.ts';

/** Two suites of two items each: conditions whose second region has these surprisals. */
function read(
  name: string,
  tag: string,
  values: [number, number][],
  baselines?: { bigram: number; position: number },
): Suite {
  return {
    meta: { name, metric: 'sum', domain: 'chess', tags: [tag], model: 'made', ...(baselines && { baselines }) },
    region_meta: { 1: 'moves', 2: 'answer' },
    predictions: [{ type: 'formula', formula: '(2;%legal%) < (2;%illegal%)', comment: 'The legal move is likelier.' }],
    items: values.map((pair, i) => ({
      item_number: i + 1,
      conditions: ['legal', 'illegal'].map((condition_name, c) => ({
        condition_name,
        regions: [
          { region_number: 1, content: 'e2e4 f7f5 d1h5', metric_value: { sum: 8 }, oovs: [] },
          { region_number: 2, content: ['g7g6', 'h7h6'][c], metric_value: { sum: pair[c] }, oovs: [] },
        ],
      })),
    })),
  };
}
const assessment = (name: string, ...suites: Suite[]): SyntaxGymAssessment => ({
  subject: { ...subject, name },
  suites: suites.map((suite) => ({ suite, unanswered: [], chance: chanceOf(suite) })),
});
const assessments = [
  assessment(
    'one',
    read(
      'check',
      'rules',
      [
        [1, 9],
        [5, 3],
      ],
      { bigram: 0.5, position: 0.48 },
    ),
    read('pin', 'rules', [
      [1, 2],
      [1, 2],
    ]),
  ),
  assessment(
    'two',
    read('check', 'rules', [
      [1, 9],
      [2, 3],
    ]),
    read('turn', 'turns', [
      [9, 2],
      [1, 2],
    ]),
  ),
];

describe('the report on suites', () => {
  const report = unwrap({ ok: true, value: syntaxgym.stored!.report(assessments, []) });
  const [tags, suites, predictions] = tablesOf(report);

  it('has models by tag, the mean over a tag’s suites', () => {
    expect(tags.headings.cells).toEqual(['rules', 'turns', 'All suites']);
    expect(tags.rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['75.0', '–', '75.0'],
      ['100.0', '50.0', '75.0'],
    ]);
  });

  it('has models and baselines on each suite, and the items behind each cell', () => {
    expect(suites.headings.cells).toEqual(['one', 'two', 'Bigram', 'Position', 'Chance']);
    expect(suites.rows[0].labels).toEqual(['rules', 'check']);
    expect(suites.rows[0].cells.slice(0, 4).map(({ text }) => text)).toEqual(['50.0', '100.0', '50.0', '48.0']);
    expect(suites.rows[0].cells[4].text).toBe('50.0');
    const members = suites.rows[0].cells[0].members!();
    expect(members.map(report.isRight)).toEqual([true, false]);
    expect(report.answer(members[1])).toMatchObject({
      model: 'one',
      question: 'check, item 2',
      verdict: 'This does not hold: (2;%legal%) < (2;%illegal%)',
      right: false,
      more: 'Bits by region. legal: e2e4 f7f5 d1h5 (8.0) g7g6 (5.0). illegal: e2e4 f7f5 d1h5 (8.0) h7h6 (3.0).',
      prompt: 'e2e4 f7f5 d1h5 g7g6',
    });
  });

  it('names predictions by what they expect', () => {
    expect(predictions.rows[0].labels).toEqual(['check', 'one', 'The legal move is likelier.']);
    expect(predictions.rows).toHaveLength(4);
  });

  it('draws bars by tag and by suite, and the surprisal of regions with intervals', () => {
    const figures = figuresOf(report);
    expect(figures.map(({ id }) => id)).toEqual([
      ...['by-tag', 'tag-rules', 'tag-turns'],
      ...['regions-0-0', 'regions-0-1', 'regions-1-0', 'regions-1-1'],
    ]);
    const regions = figures.find(({ id }) => id === 'regions-0-0')!;
    // All conditions begin with the same moves, which are as surprising in each.
    expect(regions.x.categories).toEqual(['answer']);
    expect(regions.notes[0]).toContain('Not drawn: moves.');
    expect(regions.series.map(({ name, points }) => [name, points.map(({ y }) => y)])).toEqual([
      ['legal', [3]],
      ['illegal', [6]],
    ]);
    expect(regions.series[1].points[0].ci95![0]).toBeLessThan(6);
  });

  it('has the published models beside suites of their circuits', () => {
    const none = tablesOf(syntaxgym.stored!.report([], []))[0];
    expect(none.rows[1]).toMatchObject({ labels: ['GPT-2'], publishedOnly: true });
    expect(none.rows[1].cells.at(-1)!.published).toBeCloseTo(78.4, 6);
    expect(none.headings.cells[0]).toBe('Agreement');
    const english = assessment('gpt', read('number_prep', 'Agreement', [[1, 2]]));
    expect(tablesOf(syntaxgym.stored!.report([english], []))[0].rows).toHaveLength(6);
  });

  it('is of assessments that survive a file', () => {
    const file = JSON.parse(JSON.stringify(assessments[0]));
    expect(v.parse(syntaxgym.stored!.schema, file)).toEqual(assessments[0]);
  });
});

describe('the study', () => {
  const notation = unwrap(unwrap(domainNamed('chess')).notation('uci'));
  const text = JSON.stringify(read('check', 'rules', [[0, 0]]));
  const asked = (settings: object, measuring = {}) => {
    const all = { suites: '', text: '', name: 'the suite', ...settings };
    const config = { domain: 'chess' } as never;
    return syntaxgym.assess(guessingEngine().engine, { notation, config, about: subject }, null, all, measuring);
  };

  it('runs a suite that is given, or a list of them', async () => {
    const made = unwrap(await asked({ text: `[${text}, ${text}]` }));
    // The engine's targets all have the log-probability -1.
    expect(made.suites[1].suite.items[0].conditions[0].regions[1].metric_value!.sum).toBeCloseTo(2 / Math.LN2, 6);
    expect(v.is(syntaxgym.stored!.schema, JSON.parse(JSON.stringify(made)))).toBe(true);
  });

  it('runs shipped suites by name or by game', async () => {
    const index = {
      suites: ['check', 'pin'].map((name) => ({
        name,
        title: name,
        domain: 'chess',
        tags: [],
        items: 200,
        file: `${name}.json`,
      })),
    };
    const readShipped = async (path: string) => (path === 'suites/index.json' ? JSON.stringify(index) : text);
    expect(unwrap(await asked({}, { readShipped })).suites).toHaveLength(2);
    expect(unwrap(await asked({ suites: 'pin' }, { readShipped })).suites).toHaveLength(1);
    expect(await asked({ suites: 'pins' }, { readShipped })).toMatchObject({
      error: { message: 'There is no suite "pins"; there are check, pin. Or give one.' },
    });
    expect(await shippedSuites(readShipped, [], 'baseball')).toMatchObject({ error: { code: 'no-suites' } });
    expect(await asked({})).toMatchObject({ error: { code: 'no-suites' } });
  });

  it('leaves out a suite that it cannot read, where it can read another', async () => {
    const long = JSON.stringify(read('long', 'rules', [[0, 0]])).replace('e2e4 f7f5 d1h5', 'g1f3 g8f6 '.repeat(300));
    const made = unwrap(await asked({ text: `[${long}, ${text}]` }));
    expect(made.suites.map(({ suite, unanswered }) => [suite.items.length, unanswered.length])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(syntaxgym.stored!.report([made], []).facts).toEqual([
      `${subject.name} could not read 1 items of long; they are left out.`,
    ]);
    expect(await asked({ text: long })).toMatchObject({ error: { code: 'nothing-answered' } });
  });

  it('refuses suites of another game, and text that is none', async () => {
    expect(await asked({ text: text.replace('"chess"', '"baseball"') })).toMatchObject({
      error: { code: 'other-game' },
    });
    expect(await asked({ text: '[' })).toMatchObject({ error: { code: 'bad-suite' } });
    expect(suitesIn('[{}]', 'x')).toMatchObject({ error: { code: 'bad-suite' } });
    expect(suitesIn('[]', 'x')).toMatchObject({ error: { code: 'no-suites' } });
  });

  it('ends where it is cancelled', async () => {
    expect(await asked({ text }, { cancelled: () => true })).toMatchObject({ error: { code: 'cancelled' } });
  });
});

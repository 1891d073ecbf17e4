import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../fixtures/shared-data.ts';
import { checkSuite, problemText } from './check-suite.ts';
import { readSuite, writeSuite } from './read-suite.ts';
import { regionEdges, sentencesOf } from './sentences.ts';
import { metricsOf, type Suite } from './suite.ts';

const published = sharedData('data/suites');
const excerpt = readFileSync(new URL('../../../fixtures/suites/npz_ambig.json', import.meta.url), 'utf8');

const small = (): Suite => ({
  meta: { name: 'small', metric: 'sum' },
  region_meta: { 1: 'start', 2: 'end' },
  predictions: [{ type: 'formula', formula: '(2;%a%) < (2;%b%)' }],
  items: [1, 2, 3].map((item_number) => ({
    item_number,
    conditions: ['a', 'b'].map((condition_name) => ({
      condition_name,
      regions: [
        { region_number: 1, content: 'The dog' },
        { region_number: 2, content: 'barks' },
      ],
    })),
  })),
});
const messageOf = (change: (suite: Suite) => void): string => {
  const suite = structuredClone(small());
  change(suite);
  const read = readSuite(JSON.stringify(suite), 'small.json');
  return read.ok ? 'it is legal' : read.error.message;
};
const read = (text: string): Suite => {
  const suite = readSuite(text, 'suite');
  if (!suite.ok) throw new Error(suite.error.message);
  return suite.value;
};

describe('a suite', () => {
  it('of the authors is read and written byte for byte, edge spaces and brackets included', () => {
    expect(writeSuite(read(excerpt))).toBe(excerpt);
    const notes = checkSuite(read(excerpt)).map(problemText);
    expect(notes).toContain(
      'Item 1, condition "ambig_nocomma", region 4: it has a space at an edge, which is left out.',
    );
  });

  it.skipIf(!published.present)(`of each published file is too ${published.needed}`, () => {
    const files = readdirSync(published.path).filter((name) => name.endsWith('.json'));
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const text = readFileSync(`${published.path}/${file}`, 'utf8');
      expect(writeSuite(read(text)) === text, file).toBe(true);
    }
  });

  it('has the sentences that the authors wrote down', () => {
    expect(sentencesOf(read(excerpt)).slice(0, 4)).toEqual([
      'As the criminal shot the woman yelled at the top of her lungs',
      'As the criminal fled the woman yelled at the top of her lungs',
      'As the criminal shot , the woman yelled at the top of her lungs',
      'As the criminal fled , the woman yelled at the top of her lungs',
    ]);
  });

  it('keeps fields that the schema does not name', () => {
    const text = writeSuite(small()).replace(
      '"name"',
      '"__proto__": {"x": 1},\n        "score": [1, null],\n        "name"',
    );
    expect(writeSuite(read(text))).toBe(writeSuite(JSON.parse(text) as Suite));
    expect(writeSuite(read(text))).toContain('"__proto__"');
  });

  it('may have been written by Python, with NaN and escapes', () => {
    const suite = small();
    suite.items[0].conditions[0].regions[0].content = 'The dög “NaN” \u{1F415}';
    const text = writeSuite(suite).replace('"content": "barks"', '"content": "barks", "metric_value": {"mean": NaN}');
    expect(text).toContain('d\\u00f6g');
    const [first, second] = read(text).items[0].conditions[0].regions;
    expect(first.content).toBe('The dög “NaN” \u{1F415}');
    expect(second.metric_value).toEqual({ mean: null });
  });

  it('names one metric, several, or all', () => {
    const named = (metric: string | string[]): string[] | null => metricsOf({ ...small(), meta: { name: '', metric } });
    expect(named('median')).toEqual(['median']);
    expect(named(['max', 'sum'])).toEqual(['sum', 'max']);
    expect(named('all')).toEqual(['sum', 'mean', 'median', 'range', 'max', 'min']);
    expect(named(['sum', 'mode'])).toBeNull();
  });

  it('has region edges on the space before a region, wherever empty regions stand', () => {
    const edges = (...contents: string[]) =>
      regionEdges({ condition_name: '', regions: contents.map((content, i) => ({ region_number: i + 1, content })) });
    expect(edges('The dog', 'barks', '.')).toEqual([0, 7, 13]);
    expect(edges('', 'The', '', ' dog', '')).toEqual([0, 0, 3, 3, 7]);
  });
});

describe('errors of a suite', () => {
  it.each<[string, (suite: Suite) => void, string]>([
    [
      'a number for content',
      (s) => void (s.items[2].conditions[1].regions[1].content = 5 as never),
      'small.json: Item 3, condition "b", region 2: content: it must be a text, and is 5.',
    ],
    ['items that are no list', (s) => void (s.items = {} as never), 'small.json: items: it must be a list'],
    [
      'a condition too few',
      (s) => void s.items[1].conditions.pop(),
      'Item 2: its conditions are a; those of the first item are a, b',
    ],
    [
      'a condition twice',
      (s) => void (s.items[1].conditions[1].condition_name = 'a'),
      'Item 2: a condition stands twice in a, a.',
    ],
    [
      'a region too few',
      (s) => void s.items[0].conditions[0].regions.pop(),
      'Item 1, condition "a": its regions are 1; write 1 to 2',
    ],
    ['a number twice', (s) => void (s.items[1].item_number = 1), 'Item 1: another item has this number'],
    [
      'a gap among regions',
      (s) => void (s.region_meta = { 1: '', 3: '' }),
      'region_meta must number its regions from 1',
    ],
    [
      'a region number of 1e99',
      (s) => void (s.region_meta = { '1e99': '' }),
      'region_meta must number its regions from 1',
    ],
    ['an unknown metric', (s) => void (s.meta.metric = 'mode'), 'meta.metric is "mode"; write one of sum, mean'],
    ['no items', (s) => void (s.items = []), 'The suite has no items'],
    [
      'a formula of no sense',
      (s) => void (s.predictions[0].formula = '(2;%a%) <'),
      'Prediction 1: Character 10: the end of the formula stands where',
    ],
    [
      'a condition that is not there',
      (s) => void (s.predictions[0].formula = '(2;%a%) < (2;%__proto__%)'),
      'Prediction 1: Character 11: there is no condition "__proto__"; the conditions are a, b.',
    ],
    [
      'a region that is not there',
      (s) => void (s.predictions[0].formula = '(9999;%a%) < 1'),
      'Prediction 1: Character 1: there is no region 9999; the regions are 1 to 2.',
    ],
    [
      'a formula of ten megabytes',
      (s) => void (s.predictions[0].formula = '1+'.repeat(5e6)),
      'The formula has 10000000 characters',
    ],
  ])('name the place: %s', (_, change, message) => {
    expect(messageOf(change)).toContain(message);
  });

  it('are values for text that is no suite', () => {
    const message = (text: string) => {
      const found = readSuite(text, 'x.json');
      return found.ok ? 'legal' : found.error.message;
    };
    expect(message('')).toContain('x.json: this is not JSON');
    expect(message('[')).toContain('this is not JSON: it ends in the middle');
    expect(message('{\n"meta": x}')).toContain('from line 2, character 9 on');
    expect(message('null')).toContain('x.json: The suite: it must be an object');
    expect(message('[]')).toContain('x.json: ');
    expect(message('['.repeat(1e6))).toContain('brackets stand within one another');
    expect(message(`"${'\\'.repeat(3e6)}`)).toContain('this is not JSON');
  });

  it('leave a condition named like a prototype’s field alone', () => {
    const suite = structuredClone(small());
    for (const { conditions } of suite.items) conditions[0].condition_name = '__proto__';
    suite.predictions[0].formula = '(2;%__proto__%) < (*;%b%)';
    expect(read(JSON.stringify(suite)).items[0].conditions[0].condition_name).toBe('__proto__');
  });

  it('do not come up for whatever text regions hold (property)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (first, second) => {
        const suite = small();
        suite.items[0].conditions[0].regions[0].content = first;
        suite.meta.name = second;
        expect(read(writeSuite(suite))).toEqual(suite);
      }),
    );
  });
});

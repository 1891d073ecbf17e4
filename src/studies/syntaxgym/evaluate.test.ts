import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../fixtures/shared-data.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { accuracyLine, evaluate, succeeds } from './evaluate.ts';
import { readSuite } from './read-suite.ts';
import type { Item, Suite } from './suite.ts';

const published = sharedData('data/suites');
const fixtures = new URL('../../../fixtures/suites', import.meta.url).pathname;

/** Surprisals in bits of which many are equal, and some are so within the tolerance of "=" alone. */
const BITS = [0, 1, 1.0005, 1.002, 2, 2.5, 3, 7, 12.25];

/** The suite with a surprisal drawn for each region. */
function answered(suite: Suite, draw: number): Suite {
  const random = seededRandom('synthetic surprisals', suite.meta.name, draw);
  const copy = structuredClone(suite);
  for (const { conditions } of copy.items)
    for (const { regions } of conditions)
      for (const region of regions) region.metric_value = { sum: BITS[random.below(BITS.length)] };
  return copy;
}

/** numpy.isclose with syntaxgym-core's tolerances. */
const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-3 + 1e-5 * Math.abs(b);

/** What a published formula says of an item, as JavaScript itself reads it once its operators have their signs. */
function saysOf(formula: string, { conditions }: Item): boolean {
  const bits = (region: string, condition: string): number => {
    const { regions } = conditions.find(({ condition_name }) => condition_name === condition)!;
    return regions.find(({ region_number }) => region_number === Number(region))!.metric_value!.sum!;
  };
  const script = formula
    .replace(/\((\d+);%([\w-]+)%\)/g, (_, region: string, condition: string) => ` ${bits(region, condition)} `)
    .replace(/([\d.]+) *= *([\d.]+)/g, 'isClose($1, $2)')
    .replace(/[[\]]/g, (bracket) => (bracket === '[' ? '(' : ')'))
    .replace(/[&|]/g, '$&$&');
  return Boolean(new Function('isClose', `return ${script}`)(isClose));
}

/** Compares every prediction of every item, and gives how many held and how many did not. */
function compared(path: string): { held: number; failed: number } {
  const suite = unwrap(readSuite(readFileSync(path, 'utf8'), path));
  const count = { held: 0, failed: 0 };
  for (let draw = 0; draw < 40; draw++) {
    const read = answered(suite, draw);
    const evaluation = evaluate(read);
    const expected = read.items.map((item) => suite.predictions.map(({ formula }) => saysOf(formula!, item)));
    expect(evaluation.items.map(({ results }) => results)).toEqual(expected);
    const correct = expected.filter((results) => results.every(Boolean)).length;
    expect(evaluation.items.filter(succeeds)).toHaveLength(correct);
    expect(accuracyLine(evaluation)).toContain(`(${correct}/${suite.items.length} correct)`);
    for (const holds of expected.flat()) count[holds ? 'held' : 'failed']++;
  }
  return count;
}

describe('published formulas', () => {
  it('hold of the items of two suites where another reading of them does', () => {
    for (const name of ['number_prep.json', 'npz_ambig.json'])
      expect(Object.values(compared(`${fixtures}/${name}`)).every(Boolean), name).toBe(true);
  });

  it.skipIf(!published.present)(`do so in every published file ${published.needed}`, () => {
    const files = readdirSync(published.path).filter((name) => name.endsWith('.json'));
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const { held, failed } = compared(`${published.path}/${file}`);
      expect(held, file).toBeGreaterThan(0);
      expect(failed, file).toBeGreaterThan(0);
    }
  });
});

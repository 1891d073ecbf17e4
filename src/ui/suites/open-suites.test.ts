import { describe, expect, it } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { newSuite, setContent } from '../../studies/syntaxgym/edit-suite.ts';
import { suiteToCsv } from '../../studies/syntaxgym/formats/csv.ts';
import { writeSuite } from '../../studies/syntaxgym/read-suite.ts';
import { readSuiteFile, suitesOfText } from './open-suites.ts';

const suite = setContent(newSuite('mine', 'chess'), 0, 'fits', 1, 'e2e4');
const message = (text: string, name = 'x'): string => {
  const read = suitesOfText(text, name);
  return read.ok ? 'no error' : read.error.message;
};

describe('a file of suites', () => {
  it('is read in each form', () => {
    expect(unwrap(suitesOfText(writeSuite(suite), 'mine.json')).suites).toEqual([suite]);
    expect(unwrap(suitesOfText(JSON.stringify([suite, suite]), 'two.json')).suites).toHaveLength(2);
    expect(unwrap(suitesOfText(suiteToCsv(suite), 'mine.csv')).suites[0].items).toEqual(suite.items);
    const pairs = '{"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleeps."}\n';
    expect(unwrap(suitesOfText(pairs, 'pairs.jsonl')).suites[0].items).toHaveLength(1);
  });

  it('says what is wrong with it', async () => {
    expect(message('  \n')).toMatch(/empty/);
    expect(message('hello')).toMatch(/x is no suite/);
    expect(message(writeSuite(suite).slice(0, 99))).toMatch(/not JSON/);
    expect(message('{"study": "testbed", "assessments": []}')).toMatch(/results of another kind/);
    expect(message('"item_number",\n'.repeat(500_000))).toMatch(/more than 20000 items/);
    const large = { name: 'l.json', size: 50e6, text: async () => expect.fail('it is not read') };
    expect(await readSuiteFile(large)).toMatchObject({ error: { code: 'too-large' } });
  });
});

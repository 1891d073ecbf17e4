import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../../base/result.ts';
import { aggregate } from '../compute-surprisals.ts';
import { accuracy, evaluate } from '../evaluate.ts';
import { readSuite } from '../read-suite.ts';
import { sentencesOf } from '../sentences.ts';
import type { Suite } from '../suite.ts';
import { suiteFromPairs, suiteToPairs } from './blimp.ts';
import { suiteFromCsv, suiteToCsv } from './csv.ts';
import { suiteToLmEval } from './lm-eval.ts';
import { evaluationTable, regionTable } from './result-tables.ts';

const excerpt = (name: string): Suite =>
  unwrap(readSuite(readFileSync(new URL(`../../../../fixtures/suites/${name}.json`, import.meta.url), 'utf8'), name));

/** Surprisals of whitespace tokens that depend on all before them, so that only the right context gives the right ones. */
function bits(context: string, word: string): number {
  let hash = 7;
  for (const unit of `${context}|${word}`) hash = (hash * 31 + unit.charCodeAt(0)) % 9973;
  return hash / 1000;
}
const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
function scored(text: string, before = ''): number[] {
  const known = words(before);
  return words(text).map((word) => {
    const value = bits(known.join(' '), word);
    known.push(word);
    return value;
  });
}
const spec = {
  ...{ name: 'hash', vocabulary: { items: [], unk_types: [], prefix_types: [], suffix_types: [], special_types: [] } },
  tokenizer: { type: 'word' as const, cased: true },
};
function computed(suite: Suite): Suite {
  const rows = sentencesOf(suite).map((sentence) => ({
    ok: true as const,
    value: { tokens: words(sentence), unknown: [], starts: null, surprisals: scored(sentence) },
  }));
  return unwrap(aggregate(suite, rows, spec, 'hash')).suite;
}

describe('CSV', () => {
  it('has the columns and the spelling of the published files', () => {
    expect(suiteToCsv(excerpt('npz_ambig')).split('\n').slice(0, 5)).toEqual([
      'item_number,condition_name,region_number,region_name,content',
      '1,ambig_nocomma,1,Start,As the criminal',
      '1,ambig_nocomma,2,Transitive Verb,shot',
      '1,ambig_nocomma,3,Comma,',
      '1,ambig_nocomma,4,NP/Z, the woman',
    ]);
    expect(suiteToCsv(excerpt('npz_ambig'))).toContain('1,ambig_comma,3,Comma,","\n');
  });

  it('is read back as it was (property)', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', 'é', '\r') });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 4 }), (contents) => {
        const suite: Suite = {
          meta: { name: 'x', metric: 'sum' },
          region_meta: { 1: 'a, "b"', 2: 'c' },
          predictions: [],
          items: contents.map((pair, i) => ({
            item_number: i + 1,
            conditions: [
              { condition_name: 'a', regions: pair.map((content, r) => ({ region_number: r + 1, content })) },
            ],
          })),
        };
        expect(unwrap(suiteFromCsv(suiteToCsv(suite), 'x.csv'))).toEqual(suite);
      }),
    );
  });

  it.each([
    [
      'item_number,condition_name,region_number,content\n1,a,1,"he\nlaughs\n',
      'x.csv, line 2: a quotation mark is opened and never closed; the file may be cut off.',
    ],
    ['', 'x.csv, line 1: the columns item_number, condition_name, region_number, content are missing'],
    ['item_number,condition_name,region_number,content\n1,a,1', 'line 2: it has 3 fields, and the header has 4'],
    ['item_number,condition_name,region_number,content\nx,a,1,b', 'line 2: item_number is "x"'],
    ['item_number,condition_name,region_number,content\n1,a,1,b\n2,c,1,b', 'x.csv: Item 2: its conditions are c'],
    ['item_number,condition_name,region_number,content\n', 'x.csv: region_meta must number'],
  ])('errors name the line (%#)', (text, message) => {
    const read = suiteFromCsv(text, 'x.csv');
    expect(read.ok ? 'it is legal' : read.error.message).toContain(message);
  });
});

describe('pairs', () => {
  const line =
    '{"sentence_good": "Who sleeps?", "sentence_bad": "Whom sleeps?", "UID": "wh", "linguistics_term": "case", "pairID": "0"}';

  it('of BLiMP become a suite that compares whole sentences', () => {
    const suite = unwrap(suiteFromPairs(`${line}\n${line}\n`, 'wh.jsonl'));
    expect(suite.meta).toEqual({ name: 'wh', metric: 'sum', tags: ['case'] });
    expect(suite.predictions[0].formula).toBe('(*;%good%) < (*;%bad%)');
    expect(suite.items[1]).toMatchObject({ item_number: 2, pairID: '0' });
    const pairs = unwrap(suiteToPairs(suite))
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(pairs[0]).toMatchObject({ sentence_good: 'Who sleeps?', sentence_bad: 'Whom sleeps?', UID: 'wh' });
  });

  it('of a suite with a region in question end there, and are decided as the regions are', () => {
    const suite = excerpt('number_prep');
    const pairs = unwrap(suiteToPairs(suite))
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(pairs).toHaveLength(12);
    expect(pairs[0]).toMatchObject({
      sentence_good: 'The author next to the senators is',
      sentence_bad: 'The author next to the senators are',
    });
    const total = (text: string): number => scored(text).reduce((sum, value) => sum + value, 0);
    const right = pairs.map(({ sentence_good, sentence_bad }) => total(sentence_good) < total(sentence_bad));
    const results = evaluate(computed(suite)).items.map((item) => item.results[0]);
    expect(results).toEqual(results.map((_, i) => right[2 * i] && right[2 * i + 1]));
    expect(new Set(right).size).toBe(2);
  });

  it('are refused where sentences do not decide', () => {
    const refused = suiteToPairs(excerpt('npz_ambig'));
    expect(refused.ok ? '' : refused.error.message).toContain('Export it with --to lm-eval.');
    const bad = suiteFromPairs('{"sentence_good": 1}', 'x.jsonl');
    expect(bad.ok ? '' : bad.error.message).toContain('x.jsonl, line 1: sentence_good: it must be a text');
  });
});

type Tree = number | { plus: number; minus: number } | [string, Tree, Tree];

/** What the harness does with a task's rows, written from its documentation: the share of rows that count. */
function harnessAccuracy(files: readonly { name: string; text: string }[]): number {
  const yaml = files.find(({ name }) => name.endsWith('.yaml'))!.text;
  const rows = files
    .find(({ name }) => name.endsWith('.jsonl'))!
    .text.trim()
    .split('\n')
    .map((row) => JSON.parse(row));
  const right = rows.map(({ context, choices, label, predictions }) => {
    const surprisals: number[] = choices.map((choice: string) =>
      scored(choice, context).reduce((sum, value) => sum + value, 0),
    );
    if (!yaml.includes('process_results')) return surprisals.indexOf(Math.min(...surprisals)) === label;
    const value = (tree: Tree): number | boolean => {
      if (typeof tree === 'number') return tree;
      if (!Array.isArray(tree)) return surprisals[tree.plus] - (tree.minus < 0 ? 0 : surprisals[tree.minus]);
      const [left, other] = [value(tree[1]), value(tree[2])];
      if (tree[0] === '<') return left < other;
      if (tree[0] === '>') return left > other;
      if (tree[0] === '&') return Boolean(left) && Boolean(other);
      return tree[0] === '+' ? Number(left) + Number(other) : Number(left) - Number(other);
    };
    return (JSON.parse(predictions) as Tree[]).every((tree) => value(tree));
  });
  return right.filter(Boolean).length / right.length;
}

describe('tasks of lm-evaluation-harness', () => {
  it.each(['npz_ambig', 'number_prep'])('of %s have the accuracy of the suite', (name) => {
    const suite = excerpt(name);
    const files = unwrap(suiteToLmEval(suite));
    expect(files.map((file) => file.name)).toEqual([`syntaxgym_${name}.yaml`, `syntaxgym_${name}.jsonl`, 'utils.py']);
    expect(harnessAccuracy(files)).toBe(accuracy(evaluate(computed(suite))).mean);
  });

  it('are plain choices where one region is to be the likeliest after the same text', () => {
    const suite = excerpt('number_prep');
    suite.predictions[0].formula = '(6;%match_sing%) < (6;%mismatch_sing%)';
    const files = unwrap(suiteToLmEval(suite));
    expect(files.map((file) => file.name)).toEqual(['syntaxgym_number_prep.yaml', 'syntaxgym_number_prep.jsonl']);
    expect(JSON.parse(files[1].text.split('\n')[0])).toEqual({
      item_number: 1,
      context: 'The author next to the senators',
      choices: [' is', ' are'],
      label: 0,
    });
    expect(harnessAccuracy(files)).toBe(accuracy(evaluate(computed(suite))).mean);
  });

  it('end whole sentences with the token that the model is asked with', () => {
    const suite = excerpt('number_prep');
    const last = suite.items[0].conditions[0].regions.length;
    suite.predictions[0].formula = `(6;%match_sing%) < (${last};%match_sing%)`;
    const [, rows] = unwrap(suiteToLmEval(suite, '<end>'));
    const { choices } = JSON.parse(rows.text.split('\n')[0]) as { choices: string[] };
    const sentence = sentencesOf(suite)[0];
    expect(choices).toContain(`${sentence.trim()}<end>`);
    expect(choices.filter((text) => text.includes('<end>'))).toHaveLength(1);
  });

  it('are refused for other metrics', () => {
    const suite = excerpt('number_prep');
    suite.meta.metric = 'mean';
    expect(suiteToLmEval(suite)).toMatchObject({ error: { code: 'not-exportable' } });
  });
});

it('tables are those of syntaxgym-core’s commands', () => {
  const read = computed(excerpt('number_prep'));
  const evaluation = evaluationTable('number_prep', evaluate(read)).split('\n');
  expect(evaluation[0]).toBe('suite\tprediction_id\titem_number\tresult');
  expect(evaluation[1]).toMatch(/^number_prep\t0\t1\t(True|False)$/);
  expect(evaluation).toHaveLength(6 + 2);
  const regions = regionTable(read).split('\n');
  expect(regions[0]).toBe('item_number\tcondition_name\tregion_number\tcontent\tmetric_value\toovs');
  expect(regions[1]).toMatch(/^1\tmatch_sing\t1\tThe\t[\d.]+\t$/);
});

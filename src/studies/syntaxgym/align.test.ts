import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../fixtures/shared-data.ts';
import { alignByStarts, alignByText } from './align.ts';
import { aggregate } from './compute-surprisals.ts';
import { parseSurprisals } from './formats/surprisals-tsv.ts';
import { readPrecomputed } from './models/precomputed-model.ts';
import type { ModelSpec } from './model-spec.ts';
import { readSuite } from './read-suite.ts';
import { sentencesOf } from './sentences.ts';
import type { Condition, Suite } from './suite.ts';

const spec = (
  tokenizer: Partial<ModelSpec['tokenizer']> = {},
  vocabulary: Partial<ModelSpec['vocabulary']> = {},
): ModelSpec => ({
  name: 'test',
  vocabulary: { items: [], unk_types: ['<unk>'], prefix_types: [], suffix_types: [], special_types: [], ...vocabulary },
  tokenizer: { type: 'word', cased: true, ...tokenizer },
});
const condition = (contents: string[]): Condition => ({
  condition_name: 'a',
  regions: contents.map((content, i) => ({ region_number: i + 1, content })),
});
/** Tokens by region, and unknown words by region. */
function mapped(contents: string[], tokens: string[], of: ModelSpec): [string[][], string[][]] {
  const found = alignByText(condition(contents), tokens, of);
  if (!found.ok) throw new Error(found.error.message);
  return [
    contents.map((_, region) => tokens.filter((_token, i) => found.value.regions[i] === region)),
    found.value.oovs,
  ];
}
const words = (text: string): string[] => text.split(' ');

// The cases of syntaxgym-core, test/test_agg_surprisals.py; their tokens are what its images print.
const CASES: [string, ModelSpec, string[], string, string[], string[]?][] = [
  [
    'empty regions',
    spec(),
    ['', 'This', 'is', '', 'a test.', ''],
    'This is a test .',
    ['', 'This', 'is', '', 'a test .', ''],
  ],
  [
    'consecutive empty regions',
    spec(),
    ['This', 'is', '', '', 'a test.'],
    'This is a test .',
    ['This', 'is', '', '', 'a test .'],
  ],
  [
    'an unknown word that ends like the next',
    spec(),
    ['abc', 'girlthat', 'that', 'xyz'],
    'abc <unk> that xyz',
    ['abc', '<unk>', 'that', 'xyz'],
    ['', 'girlthat', '', ''],
  ],
  [
    'an unknown word that holds the next',
    spec(),
    ['will', 'remand', 'and', 'order'],
    'will <unk> and order',
    ['will', '<unk>', 'and', 'order'],
    ['', 'remand', '', ''],
  ],
  ['punctuation alone', spec(), words('This is , a test .'), 'This is , a test .', words('This is , a test .')],
  [
    'no upper case',
    spec({ cased: false }),
    words('This is a test.'),
    'this is a test .',
    ['this', 'is', 'a', 'test .'],
  ],
  [
    'dropped punctuation',
    spec({ drop_token_pattern: '^[-!?._,]+$' }),
    ['Mr. This', 'is', ',', 'a ---', 'test', '.'],
    'Mr. This is a test',
    ['Mr. This', 'is', '', 'a', 'test', ''],
  ],
  [
    'BERT',
    spec({ type: 'subword', sentinel_position: 'medial', sentinel_pattern: '##' }),
    ['This is a test sentence.'],
    'This is a test sen ##tence .',
    ['This is a test sen ##tence .'],
  ],
  [
    'GPT-2',
    spec({ type: 'subword', sentinel_position: 'initial', sentinel_pattern: 'Ġ' }),
    ['This is a test sentence', '.'],
    'This Ġis Ġa Ġtest Ġsen tence Ġ.',
    ['This Ġis Ġa Ġtest Ġsen tence', 'Ġ.'],
  ],
  [
    'a sentinel at the end',
    spec({ type: 'subword', sentinel_position: 'final', sentinel_pattern: '@@' }),
    ['This is a test', 'sentence.'],
    'This is a test sen@@ tence .',
    ['This is a test', 'sen@@ tence .'],
  ],
  [
    'metaspace',
    spec({ metaspace: '▁' }),
    ['This is a', 'sentence'],
    '▁This ▁ is ▁a ▁sen tence',
    ['▁This ▁ is ▁a', '▁sen tence'],
  ],
  [
    'Moses',
    spec({ behaviors: ['moses'] }),
    ['This is a test-ing', 'sentence for $5,000.00.'],
    'This is a test @-@ ing sentence for $ 5,000.00 .',
    ['This is a test @-@ ing', 'sentence for $ 5,000.00 .'],
  ],
  [
    'Moses with another dash',
    spec({ behaviors: ['moses'] }),
    ['This is a test–ing'],
    'This is a test @-@ ing',
    ['This is a test @-@ ing'],
  ],
  [
    'unknown words',
    spec(),
    ['This', 'is WEIRDADVERB', 'a', 'WEIRDNOUN.'],
    'This is <unk> a <unk> .',
    ['This', 'is <unk>', 'a', '<unk> .'],
    ['', 'WEIRDADVERB', '', 'WEIRDNOUN'],
  ],
  [
    'consecutive unknown words',
    spec(),
    ['This', 'is', 'a', 'WEIRDADVERB test WEIRDADJECTIVE WEIRDNOUN.'],
    'This is a <unk> test <unk> <unk> .',
    ['This', 'is', 'a', '<unk> test <unk> <unk> .'],
    ['', '', '', 'WEIRDADVERB WEIRDADJECTIVE WEIRDNOUN'],
  ],
  [
    'consecutive unknown words, then known ones',
    spec(),
    ['This', 'is', 'a', 'WEIRDADVERB test WEIRDADJECTIVE WEIRDNOUN and some more', 'content.'],
    'This is a <unk> test <unk> <unk> and some more content .',
    ['This', 'is', 'a', '<unk> test <unk> <unk> and some more', 'content .'],
    ['', '', '', 'WEIRDADVERB WEIRDADJECTIVE WEIRDNOUN', ''],
  ],
  [
    'unknown words at a region’s end',
    spec(),
    ['This', 'is', 'a', 'WEIRDADVERB test WEIRDADJECTIVE WEIRDNOUN', 'and some more content.'],
    'This is a <unk> test <unk> <unk> and some more content .',
    ['This', 'is', 'a', '<unk> test <unk> <unk>', 'and some more content .'],
    ['', '', '', 'WEIRDADVERB WEIRDADJECTIVE WEIRDNOUN', ''],
  ],
  [
    'an unknown word at the end',
    spec(),
    ['wait', '', '', 'after the audition.'],
    'wait after the <unk>',
    ['wait', '', '', 'after the <unk>'],
    ['', '', '', 'audition.'],
  ],
  [
    'begin and end tokens',
    spec({}, { prefix_types: ['<s>'], suffix_types: ['</s>'] }),
    words('This is a test.'),
    '<s> This is a test . </s>',
    ['<s> This', 'is', 'a', 'test . </s>'],
  ],
  [
    'one token for both',
    spec({}, { prefix_types: ['<|>'], suffix_types: ['<|>'] }),
    words('This is a test.'),
    '<|> This is a test . <|>',
    ['<|> This', 'is', 'a', 'test . <|>'],
  ],
  // Ours: syntaxgym-core raises a mismatch on these two.
  [
    'special tokens within',
    spec({}, { special_types: ['<sep>'] }),
    words('This is a test.'),
    'This <sep> is a test .',
    ['This', 'is', 'a', 'test .'],
  ],
  [
    'an unknown word like the next',
    spec(),
    ['that', 'that dog'],
    '<unk> that dog',
    ['<unk>', 'that dog'],
    ['that', ''],
  ],
];

describe('tokens and regions', () => {
  it.each(CASES)('%s', (_, of, contents, tokens, expected, oovs = []) => {
    const [found, unknown] = mapped(contents, words(tokens), of);
    expect(found.map((region) => region.join(' '))).toEqual(expected);
    expect(unknown.map((region) => region.join(' '))).toEqual(contents.map((_content, i) => oovs[i] ?? ''));
  });

  it('of a tokenizer that tells its places', () => {
    // "The dog barks.": special tokens at 0, as Hugging Face's tokenizers have them.
    expect(alignByStarts(condition(['The dog', 'barks.', '']), [0, 0, 4, 8, 13, 0]).regions).toEqual([
      0, 0, 0, 1, 1, 1,
    ]);
    expect(alignByStarts(condition(['', 'The dog', '', 'barks.']), [0, 0, 3, 7, 13]).regions).toEqual([1, 1, 1, 3, 3]);
  });

  it('that do not go together are an error', () => {
    const found = alignByText(condition(['This is', 'a test.']), words('This is a tset .'), spec());
    expect(found).toMatchObject({ error: { code: 'token-mismatch' } });
    expect(!found.ok && found.error.message).toContain('Token 4, "tset": the text goes on with "test."');
    expect(alignByText(condition(['This']), words('This is'), spec())).toMatchObject({ ok: false });
    expect(alignByText(condition([]), ['x'], spec())).toMatchObject({ ok: false });
  });
});

const oracle = sharedData('data/suites/aggregation-oracle');
describe.skipIf(!oracle.present)(`surprisals of regions ${oracle.needed}`, () => {
  const SPECS: Record<string, ModelSpec> = {
    grnn: spec({}, { suffix_types: ['<eos>'] }),
    'transformer-xl': spec({ behaviors: ['moses'] }, { suffix_types: ['<eos>'] }),
  };
  const cases = ['grnn', 'transformer-xl'].flatMap((model) => [
    [model, 'test', 'test_in.json', `test_surp_${model}.txt`, `test_out_${model}.json`],
    [model, 'test-unk', 'in.json', `surp_${model}.txt`, `out_${model}.json`],
  ]);

  it.each(cases)(
    'of %s on %s equal those that syntaxgym-core wrote',
    async (model, folder, suiteFile, table, output) => {
      const text = (file: string) => readFileSync(`${oracle.path}/${folder}/${file}`, 'utf8');
      const suite = readSuite(text(suiteFile), suiteFile);
      const rows = parseSurprisals(text(table), table);
      if (!suite.ok || !rows.ok) throw new Error('the oracle cannot be read');
      const read = readPrecomputed(
        { spec: SPECS[model], get_surprisals: text(table) },
        table,
        sentencesOf(suite.value),
      );
      if (!read.ok) throw new Error(read.error.message);
      const scored = await read.value.surprisals(sentencesOf(suite.value), {});
      const made = aggregate(suite.value, scored, SPECS[model], model);
      if (!made.ok) throw new Error(made.error.message);
      const expected = JSON.parse(text(output)) as Suite;
      let compared = 0;
      for (const [i, item] of expected.items.entries())
        for (const [c, { regions }] of item.conditions.entries())
          for (const [r, { metric_value }] of regions.entries())
            for (const [metric, value] of Object.entries(metric_value!)) {
              const found = made.value.suite.items[i].conditions[c].regions[r].metric_value![metric];
              expect(found).toBeCloseTo(value!, 9);
              compared++;
            }
      expect(compared).toBe(2 * 2 * 6 * 6);
      const oovs = made.value.suite.items.flatMap(({ conditions }) =>
        conditions.flatMap(({ regions }) => regions.flatMap((region) => region.oovs!)),
      );
      expect(oovs).toEqual(folder === 'test-unk' && model === 'grnn' ? ['WEIRDSCARYWORD'] : []);
    },
  );
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandFolder } from '../../fixtures/command-line/folder.ts';
import type { Suite } from '../../src/studies/syntaxgym/suite.ts';

const model = new URL('../../public/checkpoints/chess', import.meta.url).pathname;
const excerpt = new URL('../../fixtures/suites/number_prep.json', import.meta.url).pathname;
const { folder, at, run: command } = commandFolder('suite');

const written = (name: string, content: string | object): string => {
  const path = at(name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const condition = (condition_name: string, ...contents: string[]) => ({
  condition_name,
  regions: contents.map((content, i) => ({ region_number: i + 1, content })),
});
// White's queen gives check: one move meets it.
const suite = written('check.json', {
  meta: { name: 'check', metric: 'sum', domain: 'chess' },
  region_meta: { 1: 'moves', 2: 'answer' },
  predictions: [{ type: 'formula', formula: '(2;%legal%) < (2;%illegal%)' }],
  items: [
    {
      item_number: 1,
      conditions: [condition('legal', 'e2e4 f7f5 d1h5', 'g7g6'), condition('illegal', 'e2e4 f7f5 d1h5', 'h7h6')],
    },
  ],
});
const run = (...args: string[]) => command(args);

describe('suite', () => {
  test('has the surprisals of the shipped model, and evaluates them with it or from the file', () => {
    const computed = run('suite', 'surprisals', '--model', model, suite);
    expect(computed.status).toBe(0);
    const { meta, items } = JSON.parse(computed.stdout) as Suite;
    expect(meta.model).toBe('chess');
    const [legal, illegal] = items[0].conditions.map(({ regions }) => regions[1].metric_value!.sum!);
    expect(legal).toBeGreaterThan(0);
    expect(illegal).toBeGreaterThan(legal);
    const table = 'suite\tprediction_id\titem_number\tresult\ncheck\t0\t1\tTrue\n';
    expect(run('suite', 'evaluate', suite, '--model', model)).toMatchObject({ stdout: table, status: 0 });
    const evaluated = run('suite', 'evaluate', written('computed.json', computed.stdout));
    expect(evaluated).toMatchObject({ stdout: table, stderr: 'Accuracy: 1 (1/1 correct)\n' });
    expect(run('suite', 'surprisals', '--tabular', '--model', model, suite).stdout.split('\n')[4]).toMatch(
      /^1\tillegal\t2\th7h6\t[\d.]+\t$/,
    );
  });

  test('aggregates a table of tokens, and evaluates a file as a model', () => {
    const sentences = ['The author laughs', 'The author laugh'];
    const items = [
      { item_number: 1, conditions: [condition('a', 'The author', 'laughs'), condition('b', 'The author', 'laugh')] },
    ];
    const english = written('english.json', {
      ...{ meta: { name: 'english', metric: 'sum' }, region_meta: { 1: 'np', 2: 'vp' }, items },
      predictions: [{ type: 'formula', formula: '(2;%a%) < (2;%b%)' }],
    });
    const rows = sentences.flatMap((sentence, s) =>
      sentence.split(' ').map((word, i) => `${s + 1}\t${i + 1}\t${word}\t${s + i}.5`),
    );
    const table = ['sentence_id\ttoken_id\ttoken\tsurprisal', ...rows, ''].join('\n');
    const spec = { name: 'hand', vocabulary: {}, tokenizer: { type: 'word', cased: true } };
    const files = ['--surprisals', written('s.tsv', table), '--spec', written('spec.json', spec)];
    const aggregated = run('suite', 'aggregate', '--suite', english, ...files);
    const { items: found } = JSON.parse(aggregated.stdout) as Suite;
    expect(found[0].conditions[1].regions.map(({ metric_value }) => metric_value)).toEqual([{ sum: 4 }, { sum: 3.5 }]);
    const file = written('model.json', { spec, get_surprisals: table });
    expect(run('suite', 'evaluate', english, '--model', file).stderr).toContain('Accuracy: 1 (1/1 correct)');
    const short = [
      '--surprisals',
      written('short.tsv', table.split('\n').slice(0, 4).join('\n')),
      '--spec',
      at('spec.json'),
    ];
    expect(run('suite', 'aggregate', '--suite', english, ...short)).toMatchObject({ status: 1 });
  });

  test('exports tasks, pairs, CSV and JSON, and reads them back', () => {
    for (const to of ['lm-eval', 'blimp', 'csv', 'json'])
      for (const file of (
        JSON.parse(run('suite', 'export', excerpt, '--to', to, '--out', folder).stdout) as { files: string[] }
      ).files)
        expect(existsSync(file)).toBe(true);
    expect(readFileSync(at('number_prep.json'), 'utf8')).toBe(readFileSync(excerpt, 'utf8'));
    const pairs = run('suite', 'export', at('number_prep.jsonl'), '--to', 'lm-eval', '--out', folder);
    expect(pairs.status).toBe(0);
    expect(run('suite', 'export', at('number_prep.csv'), '--to', 'json', '--out', folder).status).toBe(0);
  });

  test('lists the suites and models that ship, and takes a suite by its name', () => {
    const [heading, ...rows] = run('suite', 'list', 'suites').stdout.trim().split('\n');
    expect(heading.split('\t')).toEqual(['suite', 'domain', 'items', 'tags', 'title']);
    expect(rows).toHaveLength(26);
    expect(run('suite', 'list', 'models').stdout).toBe(
      'model\nbaseball\nchess\nchess-small\nchess-small-taught\nchess-taught\nnoughts\n',
    );
    const [name] = rows[0].split('\t');
    const { files } = JSON.parse(run('suite', 'export', name, '--to', 'csv', '--out', folder).stdout) as {
      files: string[];
    };
    expect(readFileSync(files[0], 'utf8').split('\n')[0].trim()).toContain('item_number');
    expect(run('suite', 'list', 'people')).toMatchObject({ status: 2 });
    expect(run('syntaxgym', 'list', 'suites').stdout).toBe(run('suite', 'list', 'suites').stdout);
    expect(run('lm-zoo', 'list', '--short').stdout).toBe(
      'baseball\nchess\nchess-small\nchess-small-taught\nchess-taught\nnoughts\n',
    );
    expect(run('lm-zoo', 'list', 'models').stdout.split('\n')[2].split('\t')).toEqual(['chess', model]);
  });

  test('has the commands of the original, with the model before the suite', () => {
    const table = 'suite\tprediction_id\titem_number\tresult\ncheck\t0\t1\tTrue\n';
    for (const given of [
      ['syntaxgym', 'evaluate', 'chess', suite],
      ['suite', 'run', 'chess', suite],
      ['syntaxgym', 'run', model, suite],
    ]) {
      const { stdout, stderr } = run(...given);
      expect(stdout, given[1]).toBe(table);
      expect(stderr, given[1]).toContain('Accuracy: 1 (1/1 correct)');
    }
    const computed = run('suite', 'surprisals', '--model', model, suite).stdout;
    expect(run('syntaxgym', 'compute-surprisals', 'chess', suite).stdout).toBe(computed);
    expect(run('syntaxgym', 'compute-surprisals', 'chess', suite, '--json_results').stdout).toBe(computed);
    expect(run('syntaxgym', 'compute-surprisals', 'chess', suite, '--tabular_results').stdout).toBe(
      run('suite', 'surprisals', '--tabular', '--model', model, suite).stdout,
    );
  });

  test('says what bigrams, positions and chance come to', () => {
    const { stdout } = run('suite', 'baselines', suite, '--games', written('games.uci.txt', 'e2e4 e7e5\nd2d4 g7g6\n'));
    const { bigram, position, chance } = JSON.parse(stdout) as Record<string, number>;
    expect([bigram, position]).toEqual([1, 1]);
    expect(chance).toBe(0.5);
  });

  test.each([
    [['suite', 'evaluate', excerpt], 1, 'its regions have no surprisals; give --model'],
    [['suite', 'evaluate', 'none.json'], 1, 'none.json: there is no such file'],
    [['suite', 'export', excerpt, '--to', 'yaml', '--out', '.'], 2, '--to yaml: choose lm-eval, blimp, csv, json.'],
    [['suite', 'export', excerpt, '--to', 'csv', '--end', 'x', '--out', '.'], 2, '--end belongs to --to lm-eval.'],
    [['suite', 'evaluate', 'chess', excerpt, '--model', model], 2, 'give MODEL before SUITE or as --model, not both.'],
    [['suite', 'run', excerpt], 2, 'Missing required positional argument: SUITE'],
    [['suite', 'baselines', excerpt], 2, 'the suite names no game; give --domain.'],
  ])('%j ends with %i', (args, status, message) => {
    const result = run(...args);
    expect(result.status).toBe(status);
    expect(result.stderr).toContain(message);
  });
});

describe('lm-zoo', () => {
  const lines = written('lines.txt', 'e2e4 e7e5\ne2e4 aorsnarnt\n');

  test('prints what the containers print', () => {
    expect(run('lm-zoo', model, 'tokenize', lines).stdout).toBe('<s> e2 e4 e7 e5\n<s> e2 e4 <pad>\n');
    expect(run('lm-zoo', model, 'unkify', lines).stdout).toBe('0 0 0 0 0\n0 0 0 1\n');
    const table = run('lm-zoo', model, 'get_surprisals', lines).stdout.split('\n');
    expect(table[0]).toBe('sentence_id\ttoken_id\ttoken\tsurprisal');
    expect(table[1]).toBe('1\t1\t<s>\t0.000000');
    expect(table[7]).toMatch(/^2\t2\te2\t\d+\.\d{6}$/);
    // As lm-zoo's own command line has it, of a model by its name.
    expect(run('lm-zoo', 'get-surprisals', 'chess', lines).stdout).toBe(table.join('\n'));
    expect(run('lm-zoo', 'tokenize', 'chess', lines).stdout).toBe('<s> e2 e4 e7 e5\n<s> e2 e4 <pad>\n');
    const spec = JSON.parse(run('lm-zoo', model, 'spec').stdout) as Record<
      string,
      { items?: string[]; supported_features?: object }
    >;
    expect(spec.vocabulary.items).toHaveLength(77);
    expect(spec.image.supported_features).toMatchObject({ get_predictions: true });
  });

  test('writes distributions as HDF5 that agree with the surprisals', async () => {
    const out = at('p.hdf5');
    expect(run('lm-zoo', 'get-predictions', model, lines, out).status).toBe(0);
    const { default: hdf5 } = await import('h5wasm/node');
    await hdf5.ready;
    const file = new hdf5.File(out, 'r');
    const values = (path: string) => (file.get(path) as { value: ArrayLike<number> }).value;
    const vocabulary = (file.get('vocabulary') as unknown as { value: string[] }).value;
    const tokens = values('sentence/0/tokens');
    expect(Array.from(tokens, (id) => vocabulary[id])).toEqual(['<s>', 'e2', 'e4', 'e7', 'e5']);
    const predictions = values('sentence/0/predictions');
    const table = run('lm-zoo', model, 'get_surprisals', lines).stdout.split('\n');
    for (let i = 1; i < tokens.length; i++)
      expect(-predictions[i * vocabulary.length + tokens[i]] / Math.LN2).toBeCloseTo(
        Number(table[i + 1].split('\t')[3]),
        3,
      );
    file.close();
  });

  test('ends with 99 for what a file of surprisals does not have', () => {
    const file = written('file.json', {
      ...{ spec: { name: 'hand', vocabulary: {}, tokenizer: { type: 'word', cased: true } }, tokenize: [['a'], ['b']] },
      get_surprisals: [[1], [2]],
    });
    expect(run('lm-zoo', file, 'get_predictions.hdf5', lines, at('q.hdf5'))).toMatchObject({ status: 99 });
    expect(run('lm-zoo', file, 'tokenise', lines)).toMatchObject({ status: 2 });
    expect(run('lm-zoo', file, 'tokenize')).toMatchObject({ status: 2 });
  });
});

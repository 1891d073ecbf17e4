import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scriptedEngine } from '../../../../fixtures/scripted-engine.ts';
import { unwrap } from '../../../base/result.ts';
import { domainNamed } from '../../../domains/domains.ts';
import type { Notation } from '../../../domains/domain.ts';
import { baselinesOf, chanceOf, ngramBaselines } from '../baselines.ts';
import { computeSurprisals } from '../compute-surprisals.ts';
import { accuracyLine, evaluate, regionMeans } from '../evaluate.ts';
import { readSuite } from '../read-suite.ts';
import type { Suite } from '../suite.ts';
import { engineModel } from './engine-model.ts';
import { gameReader, splitToken, tokenizeMoves } from './game-tokenizer.ts';
import { ngramModel } from './ngram-model.ts';
import { readPrecomputed } from './precomputed-model.ts';

const notation = (domain: string, name: string): Notation => unwrap(unwrap(domainNamed(domain)).notation(name));
const written = (domain: string, name: string, text: string): string =>
  tokenizeMoves(notation(domain, name), text).tokens.join(' ');

describe('moves as tokens', () => {
  it('are those of each notation, legal or not', () => {
    expect(written('chess', 'uci', 'e2e4 e7e5 e1e8q')).toBe('<s> e2 e4 e7 e5 e1 e8 q');
    expect(written('chess', 'rap:15', 'e2e4 Ng8')).toBe('<s> e2 e4 N g8');
    expect(written('chess', 'ap', 'e2e4 g8f6 e1e3 h4h5')).toBe('<s> P e2 e4 N g8 f6 K e1 e3 h4 h5');
    expect(written('chess', 'ap', 'e2e4 g8 f6 f1 c4 f6e4')).toBe('<s> P e2 e4 N g8 f6 B f1 c4 N f6 e4');
    expect(splitToken(notation('chess', 'splat'), 'e2e4 g8 f6')).toBe('g8 f6');
    expect(splitToken(notation('chess', 'splat'), 'e2e4 g8f6')).toBeNull();
    expect(splitToken(notation('baseball', 'splat'), '<ball> (id_100) <ball>')).toBeNull();
    expect(written('chess', 'splat', 'e2e4 e7e5')).toBe('[start] e2e4 e7e5');
    expect(written('baseball', 'splat', '<ball> (id_100)')).toBe('[start] <ball> (id_100)');
    expect(written('chess', 'uci', 'e2e4 e7x5 </s>')).toBe('<s> e2 e4 <pad> </s>');
  });

  it.each(['uci', 'ap', 'splat'])('equal those that %s encodes a game as', (name) => {
    const text = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1';
    const moves = unwrap(unwrap(domainNamed('chess')).traces.parse(text));
    const encoded = notation('chess', name).encode(moves, { random: null, closed: false });
    expect(tokenizeMoves(notation('chess', name), text).ids).toEqual(encoded);
  });

  it('know where they stand in the sentence', () => {
    expect(tokenizeMoves(notation('chess', 'ap'), 'e2e4 g8f6').starts).toEqual([0, 0, 0, 0, 5, 5, 5]);
  });
});

const suite = (first: string[], second: string[], formula = '(2;%a%) < (2;%b%)'): Suite => ({
  meta: { name: 'moves', metric: 'sum', domain: 'chess' },
  region_meta: { 1: 'moves', 2: 'answer' },
  predictions: [{ type: 'formula', formula }],
  items: [first, second].map((_, at) => ({
    item_number: at + 1,
    conditions: [first, second].map((contents, which) => ({
      condition_name: 'ab'[which],
      regions: contents.map((content, i) => ({ region_number: i + 1, content })),
    })),
  })),
});

describe('a model of the lab', () => {
  const uci = notation('chess', 'uci');
  // After e2 comes e4 half of the time and e3 a quarter of it; e2 begins an eighth of the games.
  const engine = scriptedEngine(
    uci.vocabulary,
    (words) => (words.at(-1) === 'e2' ? { e4: 0.5, e3: 0.25 } : words.length === 1 ? { e2: 0.125 } : {}),
    8,
  );
  const model = engineModel(engine, gameReader(uci), 'told');

  it('has surprisals in bits, summed over a move’s squares', async () => {
    const computed = unwrap(await computeSurprisals(suite(['', 'e2e4'], ['', 'e2e3']), model));
    const sums = computed.suite.items[0].conditions.map(({ regions }) =>
      regions.map((region) => region.metric_value!.sum),
    );
    expect(sums[0][0]).toBe(0);
    expect(sums[0][1]).toBeCloseTo(3 + 1, 5);
    expect(sums[1][1]).toBeCloseTo(3 + 2, 5);
    expect(computed.suite.meta.model).toBe('told');
    const evaluation = evaluate(computed.suite);
    expect(evaluation.items.map(({ results }) => results)).toEqual([[true], [true]]);
    expect(accuracyLine(evaluation)).toBe('Accuracy: 1 (2/2 correct)');
    expect(regionMeans(computed.suite)[1].regions[1].mean).toBeCloseTo(5, 5);
  });

  it('leaves out items that do not fit it, and says so', async () => {
    const long = suite(['', 'e2e4'], ['', 'e2e3']);
    long.items[1].conditions[1].regions[0].content = 'a2a3 a7a6 b2b3';
    const computed = unwrap(await computeSurprisals(long, model));
    expect(computed.suite.items.map((item) => item.item_number)).toEqual([1]);
    expect(computed.unanswered).toEqual([
      { item: 2, condition: 'b', reason: 'the sentence has 9 tokens and the model reads 8; write a shorter one.' },
    ]);
    for (const item of long.items) item.conditions[0].regions[0].content = 'a2a3 a7a6 b2b3';
    expect(await computeSurprisals(long, model)).toMatchObject({ error: { code: 'nothing-answered' } });
  });

  it('stops when it is cancelled', async () => {
    const stopped = computeSurprisals(suite(['', 'e2e4'], ['', 'e2e3']), model, { cancelled: () => true });
    await expect(stopped).rejects.toThrow('stopped');
  });

  it('tells distributions: the first row is uniform, and each sums to one', async () => {
    const { ids, logProbabilities } = unwrap(await model.predictions!('e2e4'));
    expect(ids).toHaveLength(3);
    expect(logProbabilities[0][5]).toBeCloseTo(-Math.log(uci.vocabulary.size), 5);
    for (const row of logProbabilities) expect(row.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1, 5);
    // The piece names, which had a fiftieth, are muted.
    expect(Math.exp(logProbabilities[2][uci.vocabulary.id('e4')!])).toBeCloseTo(0.5 / 0.98, 5);
  });
});

describe('baselines', () => {
  const uci = notation('chess', 'uci');
  const { traces } = unwrap(domainNamed('chess'));
  const games = ['e2e4 e7e5', 'e2e4 e7e5', 'e2e4 c7c5', 'd2d4 d7d5'].map((text) => unwrap(traces.parse(text)));

  it('count what follows a token, and what stands at a place', async () => {
    const bits = async (context: 'bigram' | 'position', text: string, token: number) =>
      unwrap((await ngramModel(uci, context, games).surprisals([text], {}))[0]).surprisals[token];
    const uniform = (seen: number) => (seen + 1) / (77 + 20);
    // e2 is followed by e4 three times of three.
    expect(await bits('bigram', 'e2e4', 2)).toBeCloseTo(-Math.log2((3 + uniform(3)) / 4), 10);
    // Of four third squares two are e7.
    expect(await bits('position', 'a2a3 e7e5', 3)).toBeCloseTo(-Math.log2((2 + uniform(2)) / 5), 10);
  });

  it('are at chance where the answer is the same move, and above it where moves differ in frequency', async () => {
    const same = await baselinesOf(suite(['e2e4', 'e7e5'], ['d2d4', 'e7e5']), ngramBaselines(uci, games));
    const { position, chance } = unwrap(same);
    expect(position).toBeGreaterThan(0.35);
    expect(position).toBeLessThan(0.65);
    expect(chance).toBe(0.5);
    const frequent = unwrap(await baselinesOf(suite(['', 'e2e4'], ['', 'e2e3']), ngramBaselines(uci, games)));
    expect(frequent.bigram).toBe(1);
  });

  it('have the chance of all predictions together', () => {
    const both = suite(['', ''], ['', ''], '(1;%a%) < (1;%b%) & (2;%a%) < (2;%b%)');
    expect(chanceOf(both)).toBeGreaterThan(0.22);
    expect(chanceOf(both)).toBeLessThan(0.28);
  });
});

describe('a file as a model', () => {
  const spec = {
    name: 'by hand',
    vocabulary: { unk_types: ['<unk>'] },
    tokenizer: { type: 'word', cased: true },
  };
  const table =
    'sentence_id\ttoken_id\ttoken\tsurprisal\n1\t1\tThe\t0.0\n1\t2\tdog\t4.5\n2\t1\tThe\t0.0\n2\t2\t<unk>\t9\n';

  it('answers for its sentences and for no others', async () => {
    const model = unwrap(readPrecomputed({ spec, get_surprisals: table }, 'm.json', ['The dog', 'The cat']));
    const [dog, cat, bird] = await model.surprisals(['The dog', 'The cat', 'The bird'], {});
    expect(unwrap(dog).surprisals).toEqual([0, 4.5]);
    expect(unwrap(cat).unknown).toEqual([false, true]);
    expect(bird).toMatchObject({ error: { code: 'not-precomputed' } });
    const lists = { spec, tokenize: [['The', 'dog']], get_surprisals: [[0, 4.5]], sentences: ['The dog'] };
    expect(unwrap(unwrap(readPrecomputed(lists, 'm.json', [])).tokenize('The dog')).tokens).toEqual(['The', 'dog']);
  });

  it.each([
    [{ get_surprisals: table }, 'm.json: spec: it is missing.'],
    [{ spec, get_surprisals: [[1]] }, 'tokenize is missing'],
    [{ spec, get_surprisals: [[1]], tokenize: [['a', 'b']] }, 'sentence 1 has other numbers of tokens and surprisals'],
    [{ spec, get_surprisals: table, tokenize: [['The', 'cat']] }, 'sentence 1 has other tokens in tokenize'],
    [{ spec, get_surprisals: table.replace('4.5', 'x') }, 'm.json, line 3: "x" is no surprisal'],
    [{ spec, get_surprisals: table.replace('\n2\t1', '\n4\t1') }, 'sentence 4 follows sentence 1'],
    [{ spec, get_surprisals: 'a\tb' }, 'line 1: the columns are "a, b"'],
    [
      { spec: { ...spec, tokenizer: { type: 'word', cased: true, drop_token_pattern: '(' } }, get_surprisals: table },
      'drop_token_pattern',
    ],
    [{ spec, get_surprisals: table, sentences: ['The dog'] }, 'of 2 sentences, and there are 1'],
  ])('says what is wrong with it (%#)', (raw, message) => {
    const model = readPrecomputed(raw, 'm.json', ['The dog', 'The cat']);
    expect(model.ok ? 'it is legal' : model.error.message).toContain(message);
  });
});

describe('accuracies', () => {
  it('are as the paper’s command line prints them', () => {
    const line = (correct: number, of: number) =>
      accuracyLine({
        predictions: [],
        items: Array.from({ length: of }, (_, item) => ({ item, results: [item < correct] })),
      });
    expect(line(22, 28)).toBe('Accuracy: 0.7857 (22/28 correct)');
    expect(line(23, 40)).toBe('Accuracy: 0.575 (23/40 correct)');
  });

  it('count an item where all predictions hold', () => {
    const text = readFileSync(new URL('../../../../fixtures/suites/number_prep.json', import.meta.url), 'utf8');
    const read = unwrap(readSuite(text, 'number_prep'));
    for (const [i, item] of read.items.entries())
      for (const { condition_name, regions } of item.conditions)
        for (const region of regions)
          region.metric_value = {
            sum: condition_name.startsWith('mismatch') && !(i === 0 && condition_name.endsWith('plural')) ? 5 : 3,
          };
    expect(accuracyLine(evaluate(read))).toBe('Accuracy: 0.8333 (5/6 correct)');
  });
});

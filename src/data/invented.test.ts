import { expect, it } from 'vitest';
import { unwrap } from '../base/result.ts';
import { baseball } from '../domains/baseball/baseball.ts';
import { DOMAINS, domainNamed, type AnyDomain } from '../domains/domains.ts';
import { SPLITS } from './corpus.ts';
import { tokenCounter } from './filters.ts';
import { inventedCorpora, inventedCounts, inventedFacts, MOST_IN_VAIN } from './invented.ts';

const game = unwrap(domainNamed('baseball'));
const counts = { train: 60, dev: 8, test: 8, probe: 8 };

it('gives the same games each time, no game in two splits, none that the paper would drop', () => {
  const corpora = inventedCorpora(game, counts);
  expect(SPLITS.map((split) => corpora[split].length)).toEqual([60, 8, 8, 8]);
  expect(inventedCorpora(game, counts)).toEqual(corpora);
  const all = SPLITS.flatMap((split) => [...corpora[split]].map(String));
  expect(new Set(all).size).toBe(84);
  const tokens = tokenCounter(baseball);
  for (const split of SPLITS)
    for (const trace of corpora[split]) {
      expect(tokens(trace)).toBeLessThanOrEqual(1000);
      expect(baseball.traces.parse(baseball.traces.format(trace)).ok).toBe(true);
    }
});

it('names a set by what it holds', async () => {
  const { hash, meanEvents, lengths } = await inventedFacts(game, counts);
  expect((await inventedFacts(game, counts)).hash).toBe(hash);
  expect((await inventedFacts(game, { ...counts, dev: 9 })).hash).not.toBe(hash);
  const otherRules: AnyDomain = { ...game, invented: { description: '', games: (n) => game.invented!.games(n, 2) } };
  expect((await inventedFacts(otherRules, counts)).hash).not.toBe(hash);
  // Some 480 verbs a game, as the real ones have.
  expect(meanEvents).toBeGreaterThan(400);
  expect(meanEvents).toBeLessThan(560);
  expect(lengths.reduce((sum, games) => sum + games, 0)).toBe(50);
});

it('divides any number of games as the page divides its own', () => {
  expect(inventedCounts(3450)).toEqual({ train: 3000, dev: 150, test: 150, probe: 150 });
  expect(inventedCounts(5)).toEqual({ train: 2, dev: 1, test: 1, probe: 1 });
});

it('fills the held-out splits first where a game has few courses', () => {
  const few: AnyDomain = {
    ...game,
    name: 'few',
    invented: {
      description: '',
      *games(count) {
        for (let i = 0; i < count; i++) yield Uint16Array.of(i % 12);
      },
    },
  };
  const { train, dev, test, probe } = inventedCorpora(few, { train: 20, dev: 2, test: 2, probe: 2 });
  expect([train, dev, test, probe].map(({ length }) => length)).toEqual([6, 2, 2, 2]);
});

it('ends where there are no more courses, and makes no more than one split needs', () => {
  let asked = 0;
  const few: AnyDomain = {
    ...game,
    name: 'few',
    invented: {
      description: '',
      *games(count) {
        for (let i = 0; i < count; i++, asked++) yield Uint16Array.of(i % 12);
      },
    },
  };
  const many = { train: 3_000_000, dev: 2, test: 2, probe: 2 };
  expect(inventedCorpora(few, many).train).toHaveLength(6);
  expect(asked).toBe(12 + MOST_IN_VAIN);
  asked = 0;
  const told: number[][] = [];
  const test = inventedCorpora(few, many, { only: 'test', onGame: (made, of) => told.push([made, of]) });
  expect([test.train, test.dev, test.test].map(({ length }) => length)).toEqual([0, 0, 2]);
  expect([...test.test]).toEqual([...inventedCorpora(few, { ...many, train: 3 }).test]);
  expect(told).toEqual([1, 2, 3, 4].map((made) => [made, 4]));
});

it('can be made in every domain that has them', () => {
  for (const domain of DOMAINS.filter(({ invented }) => invented !== null)) {
    const { train, dev } = inventedCorpora(domain, { train: 40, dev: 4, test: 4, probe: 4 });
    expect([train.length, dev.length], domain.name).toEqual([40, 4]);
  }
});

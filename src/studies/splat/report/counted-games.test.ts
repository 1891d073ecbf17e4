import { expect, it } from 'vitest';
import { Corpus } from '../../../data/corpus.ts';
import { noughts } from '../../../domains/noughts/noughts.ts';
import { unwrap } from '../../../base/result.ts';
import type { GamesSet } from '../../study.ts';
import { countedGames } from './counted-games.ts';

const none = Corpus.from([]);
const setOf = (games: Uint16Array[], domain = 'noughts'): GamesSet => ({
  ...{ name: 'Games at school', domain, notice: 'Say where they are from.' },
  ...{ train: Corpus.from(games), dev: none, test: none, probe: none },
});
const notation = unwrap(noughts.notation('splat'));

it('counts the games that are learned from', () => {
  const games = [...noughts.invented!.games(1234, 3)];
  const counted = countedGames(setOf(games))!;
  expect(counted).toMatchObject({ name: 'Games at school', domain: 'noughts', notice: 'Say where they are from.' });
  // A token a move here, and [start] and [end] are not counted.
  const moves = games.reduce((sum, game) => sum + game.length, 0);
  expect(counted.statistics).toMatchObject({ games: 1234, tokens: moves, vocabulary: notation.vocabulary.size });
  expect(counted.statistics.meanTokens).toBeCloseTo(moves / 1234, 9);
  expect(counted.statistics.questions).toBeGreaterThan(0);
});

it('has no mean of no games, and nothing of a game that is not there', () => {
  expect(countedGames(setOf([]))!.statistics).toMatchObject({ games: 0, tokens: 0, meanTokens: null });
  expect(countedGames(setOf([], 'go'))).toBeNull();
});

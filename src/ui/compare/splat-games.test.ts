import { expect, it } from 'vitest';
import type { GamesSummary } from '../../../workers/data/protocol.ts';
import { unwrap } from '../../base/result.ts';
import { Corpus } from '../../data/corpus.ts';
import { noughts } from '../../domains/noughts/noughts.ts';
import { splatGamesOf } from './splat-games.ts';

const summary: GamesSummary = {
  key: 'mine',
  domain: 'noughts',
  title: 'Games at school',
  words: '',
  source: '',
  licence: '',
  hash: '',
  splits: {},
  lengths: [],
  notice: 'Say where they are from.',
};
const none = Corpus.from([]);
const opened = (games: Uint16Array[], changes: Partial<GamesSummary> = {}) => ({
  summary: { ...summary, ...changes },
  train: Corpus.from(games),
  dev: none,
  test: none,
  probe: none,
  failures: [],
});

it('counts games in parts as one by one, and names them by their title', async () => {
  const games = [...noughts.invented!.games(1234, 3)];
  const counted = (await splatGamesOf(opened(games)))!;
  expect(counted).toMatchObject({ name: 'Games at school', domain: 'noughts', notice: 'Say where they are from.' });
  const { statistics } = counted;
  const notation = unwrap(noughts.notation('splat'));
  // A token a move here, and [start] and [end] are not counted.
  const moves = games.reduce((sum, game) => sum + game.length, 0);
  expect(statistics).toMatchObject({ games: 1234, tokens: moves, vocabulary: notation.vocabulary.size });
  expect(statistics.meanTokens).toBeCloseTo(moves / 1234, 9);
  expect(statistics.questions).toBeGreaterThan(0);
  expect(statistics.questions).toBeLessThanOrEqual(1234);
});

it('has no mean of no games, and nothing of a game that is not there', async () => {
  expect((await splatGamesOf(opened([])))!.statistics).toMatchObject({ games: 0, tokens: 0, meanTokens: null });
  expect(await splatGamesOf(opened([], { domain: 'go' }))).toBeNull();
});

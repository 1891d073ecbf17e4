import { expect, it } from 'vitest';
import { givenGames } from '../../fixtures/given-games.ts';
import { measureHost } from '../../fixtures/worker-hosts.ts';
import { wholeMoveModel } from '../../fixtures/whole-move-model.ts';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { uciOf } from '../../src/domains/chess/formats/uci.ts';
import { POSSIBLE_MOVES } from '../../src/domains/chess/notation/move-tokens.ts';
import { randomGame } from '../../src/domains/chess/rules/random-game.ts';
import { endMap } from '../../src/studies/board-map/study.ts';
import { play } from '../../src/studies/play/study.ts';
import { selfPlay } from '../../src/studies/self-play/study.ts';
import { testbed } from '../../src/studies/testbed/study.ts';
import { readStart } from '../train/starting-weights.ts';
import { measureHandlers } from './handlers.ts';
import { runStudy } from './protocol.ts';

const silent = () => {};

const someGames = (key: string, games: number): Corpus =>
  Corpus.from(Array.from({ length: games }, (_, i) => randomGame(seededRandom(key, i), 40)));
const sets = {
  games: { ...{ train: someGames('train', 4), dev: someGames('dev', 3) }, test: someGames('test', 2) },
};

const measurer = () =>
  measureHandlers(measureHost(givenGames((key) => ({ ...sets[key as 'games'], probe: someGames('probe', 60) }))));

it('a third-party model whose tokens are whole moves is probed, measured and played by its own probabilities', async () => {
  const files = wholeMoveModel(POSSIBLE_MOVES.map(uciOf));
  const service = measurer();
  const about = unwrap(await service.open({ kind: 'files', name: 'theirs', files: new Map(files) }));
  expect(about).toMatchObject({ notation: 'moves', vocabulary: { matched: 1968, missing: [], foreign: 2 } });

  expect((await runStudy(service, endMap, { prompt: 'e2e4 e7e5 g1' }, null, silent)).ok).toBe(true);
  const asked = { ranges: ['short' as const], instances: 4, perplexityGames: 2, randomPlay: false, seed: 42 };
  const probed = unwrap(await runStudy(service, testbed, asked, 'games', silent)).answer;
  expect(new Set(probed.sets[0].answers.map(({ task }) => task))).toEqual(new Set(['end-actual', 'end-other']));
  // Random weights: about one in all tokens, a move.
  expect(probed.perplexity.dev!.perplexity).toBeGreaterThan(1000);
  expect(probed.perplexity.dev!.perplexity).toBeLessThan(4000);
  expect((await runStudy(service, selfPlay, { count: 2, warmUp: 0, plies: 10 } as never, 'games', silent)).ok).toBe(
    true,
  );
  expect((await runStudy(service, play, { moves: 'e2e4' } as never, null, silent)).ok).toBe(true);
});

it('where tokens name the piece, it is asked by its letter too, and a run may start from it', async () => {
  const named = POSSIBLE_MOVES.filter((move) => move < 4096).flatMap((move) =>
    [...'PNBRQK'].flatMap((piece) => [`W${piece}${uciOf(move)}`, `B${piece}${uciOf(move)}`]),
  );
  const files = wholeMoveModel(named);
  const service = measurer();
  const about = unwrap(await service.open({ kind: 'files', name: 'theirs', files: new Map(files) }));
  expect(about).toMatchObject({ notation: 'moves:named', vocabulary: { matched: 1792, missing: [], foreign: 2 } });
  const asked = { ranges: ['short' as const], instances: 1, perplexityGames: 0, randomPlay: false, seed: 42 };
  const { sets: found } = unwrap(await runStudy(service, testbed, asked, 'games', silent)).answer;
  expect(found[0].answers.filter(({ task }) => task === 'start-actual')).toHaveLength(1);
  expect((await readStart('theirs', files, () => 0)).config).toMatchObject({ notation: 'moves:named' });
});

import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import type { OfferedModel } from '../probe/model-choice.ts';
import { eventsOf, playable, type Game, type Player } from './game.ts';
import { readLink, writeLink } from './link.ts';

const chess = playable('chess')!;
const models: OfferedModel[] = [
  { key: 'a', label: 'a', choice: 'shipped' },
  { key: 'b', label: 'b', choice: 'run:abc' },
];
const usual: [Player, Player] = ['you', 'shipped'];
const game: Game = {
  domain: chess,
  opening: unwrap(chess.play.read('e2e4 e7e5')),
  plies: [{ event: unwrap(chess.play.read('g1f3'))[0], turn: null }],
};
const read = (link: string) =>
  readLink(new URLSearchParams(link), chess, models, usual, async (_, text) => chess.play.read(text));

test('a game in an address is read back, and says only what is not as usual', async () => {
  expect(
    writeLink({
      game: { ...game, opening: new Uint16Array(), plies: [] },
      players: usual,
      usual,
      temperature: 0,
      seed: 1,
    }),
  ).toBe('');
  const link = writeLink({ game, players: ['run:abc', 'you'], usual, temperature: 1, seed: 42 });
  expect(link).toBe('moves=e2e4.e7e5.g1f3&white=run:abc&black=you&temperature=1&seed=42');
  const { setup, failures } = await read(link);
  expect(failures).toEqual([]);
  expect(setup).toEqual({ players: ['run:abc', 'you'], temperature: 1, seed: 42, opening: eventsOf(game) });
});

test('files that a person brought are in no address', async () => {
  expect(
    writeLink({
      game: { ...game, opening: new Uint16Array(), plies: [] },
      players: ['you', 'files'],
      usual,
      temperature: 0,
      seed: 1,
    }),
  ).toBe('');
});

test('what cannot be taken is left as usual, with a sentence each', async () => {
  const { setup, failures } = await read('moves=e2e4.e7e5.e1e8&white=run:gone&black=%3Cb%3E&temperature=9&seed=-3');
  expect(setup).toEqual({ players: usual, temperature: 0, seed: 1, opening: new Uint16Array() });
  expect(failures.map(({ code }) => code)).toEqual(['link-player', 'link-player', 'link-moves']);
  expect(failures[2].message).toMatch(/Ply 3/);
  expect((await read(`moves=${'e2e4.'.repeat(2000)}`)).failures[0].code).toBe('link-moves');
});

test('a position of FEN and moves as players write them are read too', async () => {
  const fen = encodeURIComponent('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
  expect((await read(`fen=${fen}`)).setup.opening).toEqual(unwrap(chess.play.read('e2e4 c7c5')));
  expect((await read('moves=e4.c5')).setup.opening).toEqual(unwrap(chess.play.read('e2e4 c7c5')));
});

import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { parsePrompt } from '../../domains/chess/prompt.ts';
import { SQUARES } from '../../domains/chess/rules/squares.ts';
import { mapEnds, mapGame } from './game-map.ts';
import { byTheRules, fakeEngine } from '../../../fixtures/perfect-player.ts';

const rap = unwrap(chess.notation('rap:15'));
const square = (name: string): number => SQUARES.indexOf(name);
const game = unwrap(chess.traces.parse('e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 c8g4 f1e2 b8c6 e1g1 e8c8'));

test('a perfect player agrees everywhere, on every ply', async () => {
  const map = unwrap(await mapGame(fakeEngine(rap, byTheRules), rap, game));
  expect(map.moves.join(' ')).toBe(chess.traces.format(game));
  expect(map.boards).toHaveLength(13 * 64);
  expect(map.boards.slice(0, 8)).toEqual(Uint8Array.from([4, 2, 3, 5, 6, 3, 2, 4]));
  // After both have castled: White's king on g1, Black's rook on d8.
  expect([map.boards[12 * 64 + square('g1')], map.boards[12 * 64 + square('d8')]]).toEqual([6, 12]);
  expect(map.agreement.every((value) => Math.abs(value - 1) < 1e-6)).toBe(true);
  // At the start a pawn may be on any of eight squares, and a knight on two.
  expect(map.pieces[square('e2')]).toBeCloseTo(1 / 8, 6);
  expect(map.pieces[64 + square('g1')]).toBeCloseTo(1 / 2, 6);
  expect(map.knowsPieceNames).toBe(true);
});

test('one that answers every square alike cannot tell the kinds apart', async () => {
  const blind = fakeEngine(rap, () => [...SQUARES]);
  const { agreement } = unwrap(await mapGame(blind, rap, game.subarray(0, 1)));
  // Black to move after e2e4: pawns and knights may move, and each square is as likely for both; e4 is 1/64 wrong.
  const after = (name: string): number => agreement[64 + square(name)];
  expect(after('e7')).toBeCloseTo(1 / 2, 6);
  expect(after('g8')).toBeCloseTo(1 / 2, 6);
  expect(after('e4')).toBeCloseTo(63 / 64, 6);
  // The rook cannot move, and no rook is asked about: its square is wrong by what pawns and knights put there.
  expect(after('h8')).toBeCloseTo(63 / 64, 6);
});

test('UCI says that it knows no piece names; too long a game and a stop are failures', async () => {
  const uci = unwrap(chess.notation('uci'));
  expect(unwrap(await mapGame(fakeEngine(uci, byTheRules), uci, [])).knowsPieceNames).toBe(false);
  const small = await mapGame(fakeEngine(rap, byTheRules, 25), rap, game);
  expect(small.ok ? '' : small.error.code).toBe('too-long');
  let plies = 0;
  const stopped = await mapGame(fakeEngine(rap, byTheRules), rap, game, {
    cancelled: () => plies >= 3,
    onProgress: () => plies++,
  });
  expect(stopped.ok ? '' : stopped.error.code).toBe('cancelled');
  expect(plies).toBe(3);
});

test.each(['rap:15', 'ap'])('ends of every piece that may move, %s', async (name) => {
  const notation = unwrap(chess.notation(name));
  const prompt = unwrap(parsePrompt('e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 c4'));
  const map = unwrap(await mapEnds(fakeEngine(notation, byTheRules), notation, prompt));
  expect(map.canonical).toBe('e2e4 e7e5 g1f3 b8c6 f1c4 g8f6');
  expect(map.pieces.map(({ from }) => SQUARES[from])).toEqual([
    'b1',
    'd1',
    'e1',
    'h1',
    'a2',
    'b2',
    'c2',
    'd2',
    'g2',
    'h2',
    'f3',
    'c4',
  ]);
  const king = map.pieces[2];
  expect(king.kind).toBe(6);
  // A model that always names the piece writes castling without a name, so that after "K e1" it is no answer.
  const expected = name === 'ap' ? ['f1', 'e2'] : ['f1', 'g1', 'e2'];
  expect(king.legal.map((to) => SQUARES[to])).toEqual(expected);
  if (name !== 'ap') expect(king.to[square('g1')]).toBeCloseTo(1 / 3, 6);
  for (const piece of map.pieces) if (name !== 'ap' || piece.kind !== 6) expect(piece.legalMass).toBeCloseTo(1, 5);
});

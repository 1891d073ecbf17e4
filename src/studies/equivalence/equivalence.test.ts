import { Chess } from 'chess.js';
import { expect, test } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { Position } from '../../domains/chess/rules/position.ts';
import { randomGame } from '../../domains/chess/rules/random-game.ts';
import { SQUARES } from '../../domains/chess/rules/squares.ts';
import { equivalence } from './equivalence.ts';
import { boundary, legalOneMove } from './one-move-language.ts';
import { byTheRules, fakeEngine } from '../../../fixtures/perfect-player.ts';
import { transposition } from './transpositions.ts';

const notation = unwrap(chess.notation('rap:15'));

/** Legal games drawn at random, so that no collection is needed. */
const games = Array.from({ length: 30 }, (_, game) => randomGame(seededRandom('equivalence test', game), 40));
const ask = { games, pairs: 10, suffixes: 4, epsilon: 0.01, seed: 5 };

test('another order of the moves is legal to chess.js and ends in the same position', () => {
  let found = 0;
  for (const [i, game] of games.entries()) {
    const prefix = game.subarray(0, 24);
    const other = transposition(prefix, seededRandom('swap', i));
    if (other === null) continue;
    found++;
    expect([...other].sort()).toEqual([...prefix].sort());
    expect(other).not.toEqual(prefix);
    const [a, b] = [prefix, other].map((moves) => {
      const referee = new Chess();
      for (const move of chess.traces.format(moves).split(' ')) referee.move(move);
      return referee.fen().split(' ').slice(0, 4).join(' ');
    });
    expect(b).toBe(a);
  }
  expect(found).toBeGreaterThan(20);
});

test('the boundary of two positions, by hand', () => {
  const after = (line: string) => legalOneMove(notation, chess.traces.parse(line).ok ? at(line) : at(''));
  const at = (line: string): Position => {
    const position = Position.initial();
    for (const move of unwrap(chess.traces.parse(line))) position.play(move);
    return position;
  };
  const words = [...boundary(after('e2e4 e7e6 g1f3 d7d6'), after('e2e4 e7e5 g1f3 d7d6'))].map((suffix) =>
    suffix
      .split(' ')
      .map((part, i) => (i === 0 ? part : notation.vocabulary.tokens[Number(part)]))
      .join(' '),
  );
  // With the pawn on e6 White's own may go on to e5; with it on e5 it may not move at all, and the knight takes there in both.
  expect(words).toEqual(['0 e4']);
  expect(boundary(after('e2e4 e7e5'), after('e2e4 e7e5'))).toEqual(new Set());
});

test('a perfect player compresses and distinguishes perfectly', async () => {
  const report = unwrap(await equivalence(fakeEngine(notation, byTheRules), notation, ask));
  expect(report.compression).toMatchObject({ precision: 1, n: 10 });
  expect(report.distinction).toMatchObject({ precision: 1, recall: 1, n: 10 });
  expect(report.examples).toEqual([]);
  expect(report.compression.ci95[0]).toBeCloseTo(0.7224672, 6); // Wilson's interval of 10 in 10
});

test('one that accepts everything compresses perfectly and distinguishes nothing', async () => {
  const report = unwrap(
    await equivalence(
      fakeEngine(notation, () => [...SQUARES]),
      notation,
      ask,
    ),
  );
  expect(report.compression.precision).toBe(1);
  expect(report.distinction).toMatchObject({ precision: 1, recall: 0 });
});

test('one that looks at the order of the moves compresses worse, and chess.js sees why', async () => {
  // Gives up the start squares of the board's left half after prefixes whose moves, weighed by their place, are odd.
  const fickle = fakeEngine(notation, (prefix) => {
    const right = byTheRules(prefix);
    const odd = prefix.moves.reduce((sum, move, ply) => sum + (ply >> 1) * move, 0) % 2 === 1;
    const kept = right.filter((word) => word[0] > 'd');
    return odd && prefix.from === null && kept.length > 0 ? kept : right;
  });
  const report = unwrap(await equivalence(fickle, notation, ask));
  expect(report.compression.precision).toBeLessThan(0.8);
  expect(report.distinction.recall).toBeLessThan(1);
  const orders = report.examples.filter((example) => example.kind === 'orders');
  expect(orders.length).toBeGreaterThan(0);
  for (const { first, second, suffix } of orders) {
    const referee = new Chess();
    for (const move of second.split(' ')) referee.move(move);
    expect(first).not.toBe(second);
    // It was legal all the same: up to one move is what it begins.
    const begun = suffix.split(' ')[0];
    expect(referee.moves({ verbose: true }).some((move) => `${move.from}${move.to}`.startsWith(begun))).toBe(true);
  }
});

test('the search for pairs pauses, and ends where it is cancelled', async () => {
  let pauses = 0;
  const pace = { pause: async () => void pauses++, cancelled: () => pauses >= 3 };
  // One game alone makes no ten pairs: the search would end with too-few-games.
  const asked = { ...ask, games: games.slice(0, 1) };
  const found = await equivalence(fakeEngine(notation, byTheRules), notation, asked, pace);
  expect(found).toMatchObject({ error: { code: 'cancelled' } });
  expect(pauses).toBe(3);
});

test('too few games and oracles are refused', async () => {
  const ap = unwrap(chess.notation('ap'));
  const codes = [
    await equivalence(fakeEngine(ap, byTheRules), ap, ask),
    await equivalence(fakeEngine(notation, byTheRules), notation, { ...ask, games: games.slice(0, 1) }),
    await equivalence(fakeEngine(notation, byTheRules), notation, { ...ask, games: [] }),
  ].map((result) => (result.ok ? '' : result.error.code));
  expect(codes).toEqual(['not-for-oracle', 'too-few-games', 'too-few-games']);
});

import { expect, test } from 'vitest';
import { Chess } from 'chess.js';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { randomGame } from '../../domains/chess/rules/random-game.ts';
import { uciLine } from '../../domains/chess/replay.ts';
import { SQUARES } from '../../domains/chess/rules/squares.ts';
import type { Engine } from '../../engine/engine.ts';
import { legalGames } from './legal-games.ts';
import { byTheRules, fakeEngine } from '../../../fixtures/perfect-player.ts';
import { playItself } from './play-itself.ts';

const notation = unwrap(chess.notation('rap:15'));
const ask = { games: [], count: 6, warmUp: 0, plies: 60, temperature: 1, seed: 3 };

test('a pawn that goes where it may not is told so, and is not asked what it becomes', async () => {
  const engine = fakeEngine(notation, ({ from }) => [from === null ? 'e2' : 'e8']);
  const [game] = unwrap(await legalGames(engine, notation, { ...ask, count: 1 })).illegal;
  expect(game.wrote).toBe('e2e8');
  expect(game.words).not.toMatch(/becomes/);
  const itself = await playItself(continuing(engine), notation, {
    step: 0,
    plies: 1,
    temperature: 1,
    random: seededRandom('alone'),
  });
  expect(itself.plies[0]).toMatchObject({ wrote: 'e2e8', legal: false, why: game.words });
});

/** The same answers, token by token. */
function continuing(engine: Engine): Engine {
  return {
    ...engine,
    continue: (prefix: readonly number[]) => {
      const written = [...prefix];
      return {
        logits: async () => (await engine.leafLogits([written], [[]]))[0].root,
        advance: (token: number) => void written.push(token),
        get length() {
          return written.length;
        },
        dispose: () => {},
      };
    },
  };
}

test('a perfect player plays legal games to the limit, and its seed decides them', async () => {
  const report = unwrap(await legalGames(fakeEngine(notation, byTheRules), notation, ask));
  expect(report).toMatchObject({ games: 6, fullyLegal: 1, legalPlies: 1, illegal: [] });
  expect(report.ci95[0]).toBeCloseTo(0.6096657, 6); // Wilson's interval of 6 in 6
  expect(report.lengths.every((length) => length <= 60)).toBe(true);
  expect(unwrap(await legalGames(fakeEngine(notation, byTheRules), notation, ask))).toEqual(report);
});

test('the first illegal ply ends a game, and chess.js agrees that it is illegal and those before are not', async () => {
  const blunder = fakeEngine(notation, (prefix) =>
    prefix.moves.length >= 5 && prefix.from === null ? ['d4'] : byTheRules(prefix),
  );
  const report = unwrap(await legalGames(blunder, notation, { ...ask, count: 12 }));
  expect(report.illegal.length).toBeGreaterThan(8);
  expect(report.fullyLegal).toBe(1 - report.illegal.length / 12);
  const legal = report.lengths.reduce((sum, length) => sum + length, 0);
  expect(report.legalPlies).toBe(legal / (legal + report.illegal.length));
  for (const { moves, wrote, words: expected } of report.illegal) {
    const referee = new Chess();
    for (const move of moves.split(' ')) referee.move(move);
    expect(() => referee.move({ from: wrote.slice(0, 2), to: wrote.slice(2, 4) })).toThrow();
    expect(expected).not.toBe('');
  }
});

test('the end token ends a game well, but not before it began; other tokens are no moves', async () => {
  const resigns = fakeEngine(notation, (prefix) => (prefix.moves.length === 4 ? ['</s>'] : byTheRules(prefix)));
  expect(unwrap(await legalGames(resigns, notation, ask))).toMatchObject({
    fullyLegal: 1,
    legalGamePlies: 4,
    lengths: [4, 4, 4, 4, 4, 4],
  });
  // A game's first square decides whether it ends with a resignation after four plies or with an illegal move later.
  const either = fakeEngine(notation, (prefix) => {
    if (prefix.moves.length < 4 || prefix.from !== null) return byTheRules(prefix);
    return prefix.moves[0] % 2 === 0 ? ['</s>'] : prefix.moves.length > 6 ? ['e5'] : byTheRules(prefix);
  });
  const mixed = unwrap(await legalGames(either, notation, { ...ask, count: 20 }));
  expect([mixed.illegal.length > 0, mixed.fullyLegal > 0]).toEqual([true, true]);
  expect(mixed.legalGamePlies).toBe(4);
  const never = unwrap(
    await legalGames(
      fakeEngine(notation, () => ['</s>']),
      notation,
      { ...ask, count: 1 },
    ),
  );
  expect(never).toMatchObject({ fullyLegal: 0, legalPlies: 0, legalGamePlies: null, lengths: [0] });
  const letters = unwrap(
    await legalGames(
      fakeEngine(notation, () => ['q']),
      notation,
      { ...ask, count: 1 },
    ),
  );
  expect(letters.illegal[0]).toEqual({ moves: '', wrote: 'q', words: 'q is not a square to start from' });
});

test('a pawn must say what it becomes', async () => {
  const line = 'b2b4 a7a5 b4a5 b7b6 a5b6 g8f6 b6b7 f6g8 b7a8'.match(/[a-h][1-8]/g)!;
  const scripted = (third: string) =>
    fakeEngine(notation, ({ moves, from, to }) => {
      const at = 2 * moves.length + (from === null ? 0 : to === null ? 1 : 2);
      return [at < line.length ? line[at] : third];
    });
  const silent = unwrap(await legalGames(scripted('e7'), notation, { ...ask, count: 1 }));
  expect(silent.illegal[0]).toMatchObject({ wrote: 'b7a8', words: 'it does not say what the pawn becomes' });
  const queen = unwrap(await legalGames(scripted('q'), notation, { ...ask, count: 1, plies: 9 }));
  expect(queen).toMatchObject({ fullyLegal: 1, lengths: [9] });
});

test('at temperature 0 games differ by their beginnings, which are not counted', async () => {
  const held = Array.from({ length: 30 }, (_, i) => randomGame(seededRandom('held out', i), 8));
  const blunder = fakeEngine(notation, (prefix) =>
    prefix.moves.length >= 9 && prefix.from === null ? ['d4'] : byTheRules(prefix),
  );
  const alone = { ...ask, games: held, count: 20, warmUp: 6, temperature: 0 };
  const report = unwrap(await legalGames(blunder, notation, alone));
  expect(report).toMatchObject({ games: 20, warmUp: 6, temperature: 0 });
  expect(new Set(report.illegal.map(({ moves }) => moves)).size).toBe(report.illegal.length);
  expect(report.illegal.length).toBeGreaterThan(10);
  const openings = report.illegal.map(({ moves }) => moves.split(' ').slice(0, 6).join(' '));
  expect(new Set(openings).size).toBe(openings.length);
  for (const opening of openings) expect(held.map((game) => uciLine(game.slice(0, 6)))).toContain(opening);
  expect(Math.min(...report.lengths)).toBe(3);
  // From one beginning there is but one game to play.
  const codes = [{ warmUp: 0 }, { count: 31 }].map(async (change) => {
    const result = await legalGames(blunder, notation, { ...alone, ...change });
    return result.ok ? '' : result.error.code;
  });
  expect(await Promise.all(codes)).toEqual(['bad-request', 'too-few-games']);
});

test('refused: oracles, which are told the pieces, and nothing to do', async () => {
  const ap = unwrap(chess.notation('ap'));
  const codes = [
    await legalGames(fakeEngine(ap, byTheRules), ap, ask),
    await legalGames(
      fakeEngine(notation, () => [...SQUARES]),
      notation,
      { ...ask, count: 0 },
    ),
    await legalGames(fakeEngine(notation, byTheRules), notation, ask, { cancelled: () => true }),
  ].map((result) => (result.ok ? '' : result.error.code));
  expect(codes).toEqual(['not-for-oracle', 'bad-request', 'cancelled']);
});

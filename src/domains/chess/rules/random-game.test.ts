import { Chess } from 'chess.js';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { randomGame } from './random-game.ts';
import { uciLine } from '../replay.ts';

const game = (seed: number, plies: number) => uciLine(randomGame(seededRandom('game', seed), plies)).split(' ');

/** The game by chess.js, which throws on an illegal move. */
function played(words: readonly string[]): Chess {
  const chess = new Chess();
  for (const word of words) chess.move({ from: word.slice(0, 2), to: word.slice(2, 4), promotion: word[4] });
  return chess;
}

test('games are legal to the end, and end where chess.js says that no more can be played', () => {
  let ended = 0;
  for (let seed = 0; seed < 10; seed++) {
    const words = game(seed, 400);
    const chess = played(words);
    if (words.length === 400) continue;
    ended++;
    const over = chess.isCheckmate() || chess.isStalemate() || chess.isInsufficientMaterial();
    expect(over || Number(chess.fen().split(' ')[4]) === 150).toBe(true);
  }
  expect(ended).toBeGreaterThan(2);
});

test('a game is as long as asked, and the same seed plays the same game', () => {
  expect(game(1, 30)).toHaveLength(30);
  expect(game(1, 60).slice(0, 30)).toEqual(game(1, 30));
  expect(game(2, 30)).not.toEqual(game(1, 30));
  expect(randomGame(seededRandom('none'), 0)).toHaveLength(0);
});

test('a game goes on from the moves that it begins with', () => {
  const beginning = randomGame(seededRandom('game', 1), 12);
  const moves = randomGame(seededRandom('game', 2), 30, beginning);
  expect(moves.subarray(0, 12)).toEqual(beginning);
  expect(played(uciLine(moves).split(' ')).history()).toHaveLength(30);
  expect(moves).not.toEqual(randomGame(seededRandom('game', 1), 30));
});

test('every legal first move is as likely as any other', () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 4000; seed++) {
    const [first] = game(seed, 1);
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual(
    new Chess()
      .moves({ verbose: true })
      .map(({ lan }) => lan)
      .sort(),
  );
  // Chi-square with 19 degrees of freedom: 43.8 is passed once in a thousand times; the seeds are fixed.
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - 200) ** 2 / 200, 0);
  expect(chiSquare).toBeLessThan(43.8);
});

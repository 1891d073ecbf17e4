/**
 * What the shipped chess models learn from: games of people, games of random legal moves, and games that begin as a
 * person's game and continue with random legal moves; in some of those a move gives check half of
 * the time where one can, since random moves seldom do. Reads UCI lines and writes all four.
 *
 *     npx tsx scripts/random-play.ts < people.uci.txt > people-and-random.uci.txt
 */
import { createInterface } from 'node:readline';
import { seededRandom, type Random } from '../src/base/random.ts';
import { unwrap } from '../src/base/result.ts';
import { replay, uciLine } from '../src/domains/chess/replay.ts';
import type { Position } from '../src/domains/chess/rules/position.ts';
import { randomGame, type AmongMoves } from '../src/domains/chess/rules/random-game.ts';

/** Games that are random from the first move on, that are so from some ply on, and that give check besides. */
const RANDOM = 35_000;
const CONTINUED = 100_000;
const CHECKING = 80_000;
/** Fewest plies of a game, and of a beginning. */
const FEWEST = 10;
/** Most plies of a game. */
const MOST = 150;
/** Random plies after a beginning, at most. */
const AFTER = 80;

const people: Uint16Array[] = [];
for await (const line of createInterface({ input: process.stdin })) if (line !== '') people.push(unwrap(replay(line)));
write(people);

const random = seededRandom('random play for training');
write(Array.from({ length: RANDOM }, () => randomGame(random, MOST)).filter((game) => game.length >= FEWEST));

const longer = people.filter((game) => game.length > FEWEST);
const after = seededRandom('random play after real moves');
write(Array.from({ length: CONTINUED }, () => continued(after, (legal) => legal)));
const checking = seededRandom('checks after real moves');
write(
  Array.from({ length: CHECKING }, () =>
    continued(checking, (legal, position) => {
      if (checking.below(2) === 1) return legal;
      const checks = legal.filter((move) => givesCheck(position, move));
      return checks.length > 0 ? checks : legal;
    }),
  ),
);

/** A person's game up to some ply, and random moves from there on. */
function continued(random: Random, among: AmongMoves): Uint16Array {
  const game = longer[random.below(longer.length)];
  const plies = FEWEST + random.below(Math.min(game.length, MOST) - FEWEST);
  return randomGame(random, Math.min(MOST, plies + AFTER), game.subarray(0, plies), among);
}

function givesCheck(position: Position, move: number): boolean {
  const next = position.clone();
  next.play(move);
  return next.inCheck();
}

function write(games: readonly Uint16Array[]): void {
  for (const game of games) process.stdout.write(`${uciLine(game)}\n`);
}

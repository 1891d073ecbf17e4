/**
 * What the shipped chess models learn from: games of people, games of random legal moves, and games that begin as a
 * person's game and continue with random legal moves. Reads UCI lines and writes all three.
 *
 *     npx tsx scripts/random-play.ts < people.uci.txt > people-and-random.uci.txt
 */
import { createInterface } from 'node:readline';
import { seededRandom } from '../src/base/random.ts';
import { unwrap } from '../src/base/result.ts';
import { replay, uciLine } from '../src/domains/chess/replay.ts';
import { randomGame } from '../src/domains/chess/rules/random-game.ts';

/** Games that are random from the first move on, and games that are so from some ply on. */
const RANDOM = 35_000;
const CONTINUED = 100_000;
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
write(
  Array.from({ length: CONTINUED }, () => {
    const game = longer[after.below(longer.length)];
    const plies = FEWEST + after.below(Math.min(game.length, MOST) - FEWEST);
    return randomGame(after, Math.min(MOST, plies + AFTER), game.subarray(0, plies));
  }),
);

function write(games: readonly Uint16Array[]): void {
  for (const game of games) process.stdout.write(`${uciLine(game)}\n`);
}

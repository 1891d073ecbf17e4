import { seededRandom } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { proportion } from '../../base/statistics.ts';
import { outcomeOf } from '../../domains/chess/outcome.ts';
import { Position } from '../../domains/chess/position.ts';
import { uciLine } from '../../domains/chess/replay.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { endedEarly, pauseOf } from '../asking/cancellation.ts';
import { notForOracle, type Measuring } from '../asking/measuring.ts';
import { tokensOf } from '../asking/next-token.ts';
import { namesEveryPiece } from '../asking/prompting.ts';
import { drawn, penAfter, writeMove, type WrittenMove } from '../asking/write-move.ts';

/** Self-play without help: how far the model gets, and how often to the end. */
export interface LegalGamesReport {
  games: number;
  /** Share of games without one illegal ply. */
  fullyLegal: number;
  ci95: [number, number];
  /** Share of plies that were legal, the first illegal one of a game ending it. */
  legalPlies: number;
  /** Plies before the first illegal one, or the game's length; one number a game. */
  lengths: number[];
  /** The games that ended illegally: UCI moves and the move that was illegal. */
  illegal: { moves: string; wrote: string; words: string }[];
}

/** For the page: what the measure tells, and what it is for the best and the worst of models. */
export const legalGamesWords =
  'The model plays both sides of a game by itself, drawing each token by its own probabilities, and nobody corrects it. ' +
  'The first illegal move ends the game. The share of games without one asks more than the share of legal moves: a ' +
  'model that is right 99 times in 100 gets through a game of 80 plies (moves of either side) less than every second ' +
  'time. A model that knows the rules and the board reaches 100 percent; one that writes any square after any other fails ' +
  'within its first moves in nearly every game.';

export interface LegalGamesRequest {
  games: number;
  /** A game of this many plies without an illegal one counts as legal and stops. */
  plies: number;
  /** 1 draws by the model's own probabilities; 0 always takes the likeliest token, and then all games are one. */
  temperature: number;
  seed: number;
}

/**
 * Plays `games` games of the model against itself without repair. A game ends well with the end token (players resign,
 * so anywhere but before the first move), an end by the rules, at `plies` plies, or where the context is full; it ends
 * badly with the first illegal ply. Game i draws from its own stream ("legal game", seed, i). Pauses after each ply.
 * Fails with `not-for-oracle`, `bad-request`, `cancelled`.
 */
export function legalGames(
  engine: Engine,
  notation: Notation,
  request: LegalGamesRequest,
  options: Measuring = {},
): Promise<Result<LegalGamesReport>> {
  const { games, plies } = request;
  const pause = pauseOf(options);
  return endedEarly(async () => {
    if (namesEveryPiece(notation)) return notForOracle();
    if (!(games >= 1 && plies >= 1 && request.temperature >= 0))
      return fail('bad-request', 'Ask for at least one game of at least one ply, and a temperature of 0 or more.');
    const lengths: number[] = [];
    const illegal: LegalGamesReport['illegal'] = [];
    for (let game = 0; game < games; game++) {
      const played = await playOne(engine, notation, request, game, pause);
      lengths.push(played.moves.length);
      if (played.failed)
        illegal.push({ moves: uciLine(played.moves), wrote: played.failed.text, words: played.failed.words! });
      options.onProgress?.({ words: `Game ${game + 1} of ${games}`, share: (game + 1) / games });
    }
    const legal = lengths.reduce((sum, length) => sum + length, 0);
    const share = proportion(games - illegal.length, games);
    return ok({
      games,
      fullyLegal: share.mean!,
      ci95: share.ci95!,
      legalPlies: legal / (legal + illegal.length),
      lengths,
      illegal,
    });
  });
}

/** One game: its legal moves, and what was written where it failed. */
async function playOne(
  engine: Engine,
  notation: Notation,
  { plies, temperature, seed }: LegalGamesRequest,
  game: number,
  pause: () => Promise<void>,
): Promise<{ moves: number[]; failed: WrittenMove | null }> {
  const choose = drawn(temperature, seededRandom('legal game', seed, game));
  const position = Position.initial();
  const moves: number[] = [];
  for (;;) {
    const prefix = tokensOf(notation, moves);
    if (moves.length >= plies || prefix.length + 3 > engine.model.context) return { moves, failed: null };
    const written = await writeMove(penAfter(engine, notation, prefix), notation, position, choose);
    await pause();
    if (written.ended && moves.length > 0) return { moves, failed: null };
    if (written.ended) return { moves, failed: { ...written, words: 'it ends the game before the first move' } };
    if (written.move === null) return { moves, failed: written };
    position.play(written.move);
    moves.push(written.move);
    if (outcomeOf(position) !== null) return { moves, failed: null };
  }
}

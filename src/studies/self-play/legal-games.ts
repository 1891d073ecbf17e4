import * as v from 'valibot';
import { seededRandom } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { proportion } from '../../base/statistics.ts';
import { outcomeOf } from '../../domains/chess/rules/outcome.ts';
import { positionAfter, uciLine } from '../../domains/chess/replay.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { beginnings, type PlayRequest } from './beginnings.ts';
import { endedEarly, pauseOf } from '../asking/cancellation.ts';
import { notForOracle, type Measuring } from '../asking/measuring.ts';
import { tokensOf } from '../asking/next-token.ts';
import { namesEveryPiece } from '../asking/prompting.ts';
import { samplerAt, streamAfter, writeMove, type Sampler, type WrittenMove } from '../asking/write-move.ts';
import { meanOf } from '../cells.ts';
import { interval, share, whole } from '../stored-numbers.ts';

/** Self-play without help: how far the model gets, and how often to the end. */
export const LegalGamesSchema = v.object({
  temperature: v.number(),
  /** Plies of a held-out game that each game begins with; the model is not judged by these. */
  warmUp: whole,
  games: whole,
  /** Share of games without one illegal ply. */
  fullyLegal: share,
  ci95: interval,
  /** Share of plies that were legal, the first illegal one of a game ending it; null where it was not recorded. */
  legalPlies: v.nullable(share),
  /** Mean plies that the model played in games without an illegal one; null where there was none or it was not recorded. */
  legalGamePlies: v.optional(v.nullable(v.number()), null),
  /** Plies that the model played, before its first illegal one or in all; one number a game. */
  lengths: v.array(whole),
  /** The games that ended illegally: UCI moves and the move that was illegal. */
  illegal: v.array(v.object({ moves: v.string(), wrote: v.string(), words: v.string() })),
});
type LegalGamesReport = v.InferOutput<typeof LegalGamesSchema>;

/** For the page: what the measure tells, and what it is for the best and the worst of models. */
export const legalGamesDescription =
  'The model plays both sides of a game by itself, drawing each token by its own probabilities, and nobody corrects it. ' +
  'Each game begins with some moves of a held-out one, no two alike, so that the games differ also at temperature 0, ' +
  'where the model always takes its likeliest token. The first illegal move ends the game. The model may end a game too, ' +
  'as a player does who resigns; one that does so early has fewer moves to get wrong, which the length of its legal games ' +
  'shows. The share of games without an illegal move asks more than the share of legal moves: a ' +
  'model that is right 99 times in 100 gets through a game of 80 plies (moves of either side) less than every second ' +
  'time. A model that knows the rules and the board reaches 100 percent; one that writes any square after any other fails ' +
  'within its first moves in nearly every game.';

export interface LegalGamesRequest extends PlayRequest {
  /** 1 draws by the model's own probabilities; 0 always takes the likeliest token: games with one beginning are one. */
  temperature: number;
}

/** Most tokens of one more move: two squares and a promotion. */
const A_MOVE = 3;

/**
 * Plays `count` games of the model against itself without repair. A game ends well with the end token (players resign,
 * so anywhere but before the first move), an end by the rules, at `plies` plies, or where the context is full; it ends
 * badly with the first illegal ply. Game i draws from its own stream ("legal game", seed, i). Pauses after each ply.
 * Fails with `not-for-oracle`, `bad-request`, `too-few-games`, `too-long`, `cancelled`.
 */
export function legalGames(
  engine: Engine,
  notation: Notation,
  request: LegalGamesRequest,
  options: Measuring = {},
): Promise<Result<LegalGamesReport>> {
  const { count, warmUp, plies, temperature, seed } = request;
  const pause = pauseOf(options);
  return endedEarly(async () => {
    if (namesEveryPiece(notation)) return notForOracle();
    if (!(count >= 1 && warmUp >= 0 && plies >= 1 && temperature >= 0))
      return fail('bad-request', 'Ask for at least one game of at least one ply, and a temperature of 0 or more.');
    if (temperature === 0 && warmUp === 0 && count > 1)
      return fail(
        'bad-request',
        'At temperature 0 every game from the initial position is the same one; begin with some plies of real games, or ask for one game.',
      );
    const starts = beginnings(request);
    if (!starts.ok) return starts;
    const { context } = engine.model;
    if (starts.value.some((start) => tokensOf(notation, start).length + A_MOVE > context))
      return fail(
        'too-long',
        `Beginnings of ${warmUp} plies leave no room for a move: the model reads at most ${context} tokens. Ask for fewer plies of a real game.`,
      );
    const lengths: number[] = [];
    const ofLegalGames: number[] = [];
    const illegal: LegalGamesReport['illegal'] = [];
    for (const [game, start] of starts.value.entries()) {
      const choose = samplerAt(temperature, seededRandom('legal game', seed, game));
      const played = await playOne(engine, notation, { start, plies, choose, pause });
      const own = played.moves.length - start.length;
      lengths.push(own);
      if (played.failed)
        illegal.push({ moves: uciLine(played.moves), wrote: played.failed.text, words: played.failed.why! });
      else ofLegalGames.push(own);
      options.onProgress?.({ label: `Game ${game + 1} of ${count}`, share: (game + 1) / count });
    }
    const legal = lengths.reduce((sum, length) => sum + length, 0);
    const share = proportion(count - illegal.length, count);
    return ok({
      games: count,
      warmUp,
      temperature,
      fullyLegal: share.mean!,
      ci95: share.ci95!,
      legalPlies: legal / (legal + illegal.length),
      legalGamePlies: ofLegalGames.length > 0 ? meanOf(ofLegalGames) : null,
      lengths,
      illegal,
    });
  });
}

/** One game: all its legal moves, and what was written where it failed. */
async function playOne(
  engine: Engine,
  notation: Notation,
  game: { start: Uint16Array; plies: number; choose: Sampler; pause: () => Promise<void> },
): Promise<{ moves: number[]; failed: WrittenMove | null }> {
  const moves = [...game.start];
  const position = positionAfter(moves);
  const limit = moves.length + game.plies;
  while (outcomeOf(position) === null) {
    const prefix = tokensOf(notation, moves);
    if (moves.length >= limit || prefix.length + A_MOVE > engine.model.context) break;
    const written = await writeMove(streamAfter(engine, notation, prefix), notation, position, game.choose);
    await game.pause();
    if (written.ended && moves.length > 0) break;
    if (written.ended) return { moves, failed: { ...written, why: 'it ends the game before the first move' } };
    if (written.move === null) return { moves, failed: written };
    position.play(written.move);
    moves.push(written.move);
  }
  return { moves, failed: null };
}

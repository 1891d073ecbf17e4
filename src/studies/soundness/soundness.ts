import * as v from 'valibot';
import { seededRandom } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { proportion } from '../../base/statistics.ts';
import { outcomeOf } from '../../domains/chess/rules/outcome.ts';
import { positionAfter, uciLine } from '../../domains/chess/replay.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { adversaryMove } from './adversary.ts';
import { beginnings, type PlayRequest } from '../self-play/beginnings.ts';
import { endedEarly, pauseOf } from '../asking/cancellation.ts';
import { notForOracle, type Measuring } from '../asking/measuring.ts';
import { tokensOf } from '../asking/next-token.ts';
import { namesEveryPiece } from '../asking/prompting.ts';
import { greedily, streamAfter, writeMove } from '../asking/write-move.ts';
import { interval, share } from '../stored-numbers.ts';

/** Who plays against the model, always legally (Balogh and Jelasity 2026). */
export const adversaries = ['random', 'own', 'least likely', 'illegal mass'] as const;
export type Adversary = (typeof adversaries)[number];

/** How often an adversary makes the model, answering greedily as the other side, write an illegal move. */
export const SoundnessReportSchema = v.object({
  games: v.pipe(v.number(), v.integer()),
  rows: v.array(
    v.object({
      adversary: v.picklist(adversaries),
      /** Share of games in which the model wrote an illegal move. */
      attackSuccess: share,
      ci95: interval,
      /** Share of the model's moves that were legal; null where it was not recorded, as `resigned`. */
      legalMoves: v.nullable(share),
      /** Mean plies until the illegal move, of the games that have one; null where none has. */
      pliesToSuccess: v.nullable(v.number()),
      /** Share of games that the model ended by its end token, which is no illegal move. */
      resigned: v.nullable(share),
      /** A few of the games: the prompt at which the model failed, and what it wrote. */
      examples: v.array(v.object({ prompt: v.string(), wrote: v.string(), words: v.string() })),
    }),
  ),
});
type SoundnessReport = v.InferOutput<typeof SoundnessReportSchema>;

/** For the page: what the measure tells, and what it is for the best and the worst of models. */
export const soundnessDescription =
  'An opponent tries to make the model break the rules, by legal moves alone. Each game begins with some moves of a real ' +
  'one; then the model answers with its likeliest tokens and the opponent plays at random, or as the model itself would, ' +
  'or what the model finds least likely, or the move after which the model leans most towards illegal answers. The first ' +
  'illegal answer is a success of the attack. A model that has the rules and the board cannot be attacked, whoever plays: ' +
  '0 percent. A model with no board loses every game, 100 percent. None of the models that Balogh and Jelasity (2026) ' +
  'attacked withstood all of their opponents.';

/** Games for each adversary; all adversaries begin from the same positions. */
export interface SoundnessRequest extends PlayRequest {
  /** All four where left out. */
  adversaries?: readonly Adversary[];
}

/** Failed games that a row shows. */
const EXAMPLES = 5;

/**
 * Attacks the model (Balogh and Jelasity 2026, "Verification of the implicit world model in a generative model via
 * adversarial sequences", section 3). The model has Black in every even game and White in every odd one. A game ends
 * without success where the rules end it, where the model writes its end token (their models "quit"), after `plies`
 * plies, or where the context is full. Pauses after each ply.
 * Fails with `not-for-oracle`, `bad-request`, `too-few-games`, `cancelled`.
 */
export function soundness(
  engine: Engine,
  notation: Notation,
  request: SoundnessRequest,
  options: Measuring = {},
): Promise<Result<SoundnessReport>> {
  const { count, warmUp, plies, seed } = request;
  const pause = pauseOf(options);
  return endedEarly(async () => {
    if (namesEveryPiece(notation)) return notForOracle();
    if (!(count >= 1 && plies >= 1 && warmUp >= 0))
      return fail('bad-request', 'Ask for at least one game of at least one ply after the beginning.');
    const starts = beginnings(request);
    if (!starts.ok) return starts;
    const asked = request.adversaries ?? adversaries;
    const rows: SoundnessReport['rows'] = [];
    for (const adversary of asked) {
      const played: Attack[] = [];
      for (const [game, start] of starts.value.entries()) {
        const random = seededRandom('soundness', seed, adversary, game);
        const model = game % 2 === 0 ? 1 : 0;
        played.push(await attack(engine, notation, { start, adversary, model, plies, random, pause }));
        options.onProgress?.({
          label: `Adversary "${adversary}", game ${game + 1} of ${count}`,
          share: (rows.length + (game + 1) / count) / asked.length,
        });
      }
      rows.push(rowOf(adversary, played));
    }
    return ok({ games: count, rows });
  });
}

/** How one game went. */
interface Attack {
  /** Legal moves that the model wrote. */
  legal: number;
  /** Plies after the beginning, the illegal one included. */
  plies: number;
  resigned: boolean;
  failed: SoundnessReport['rows'][number]['examples'][number] | null;
}

async function attack(
  engine: Engine,
  notation: Notation,
  game: {
    start: Uint16Array;
    adversary: Adversary;
    /** The model's side. */
    model: number;
    plies: number;
    random: ReturnType<typeof seededRandom>;
    pause: () => Promise<void>;
  },
): Promise<Attack> {
  const moves = [...game.start];
  const position = positionAfter(moves);
  const result: Attack = { legal: 0, plies: 0, resigned: false, failed: null };
  while (result.plies < game.plies && outcomeOf(position) === null) {
    const prefix = tokensOf(notation, moves);
    // The adversary looks a move and a half ahead: three tokens and a start square.
    if (prefix.length + 4 > engine.model.context) break;
    let move: number;
    if (position.turn === game.model) {
      const written = await writeMove(streamAfter(engine, notation, prefix), notation, position, greedily);
      if (written.ended) {
        result.resigned = true;
        break;
      }
      result.plies++;
      if (written.move === null) {
        result.failed = { prompt: uciLine(moves), wrote: written.text, words: written.why! };
        break;
      }
      result.legal++;
      move = written.move;
    } else {
      move = await adversaryMove(engine, notation, game.adversary, { prefix, position, random: game.random });
      result.plies++;
    }
    position.play(move);
    moves.push(move);
    await game.pause();
  }
  return result;
}

function rowOf(adversary: Adversary, played: readonly Attack[]): SoundnessReport['rows'][number] {
  const failed = played.filter((game) => game.failed !== null);
  const legal = played.reduce((sum, game) => sum + game.legal, 0);
  const success = proportion(failed.length, played.length);
  return {
    adversary,
    attackSuccess: success.mean!,
    ci95: success.ci95!,
    legalMoves: legal + failed.length === 0 ? 1 : legal / (legal + failed.length),
    pliesToSuccess: failed.length === 0 ? null : failed.reduce((sum, game) => sum + game.plies, 0) / failed.length,
    resigned: played.filter((game) => game.resigned).length / played.length,
    examples: failed.slice(0, EXAMPLES).map((game) => game.failed!),
  };
}

import * as v from 'valibot';
import { seededRandom } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { proportion, shareEstimate } from '../../base/statistics.ts';
import type { Engine } from '../../engine/engine.ts';
import { endedEarly, pauseOf } from '../asking/cancellation.ts';
import type { Measuring } from '../asking/measuring.ts';
import { beginnings, type PlayRequest } from '../self-play/beginnings.ts';
import { interval, share, whole } from '../stored-numbers.ts';
import { isIllegal, modelTurn } from './model-turn.ts';
import type { PlayedGame } from './move-reader.ts';

/** How a model fares against a player who draws among the legal moves. */
export const StrengthReportSchema = v.object({
  temperature: v.number(),
  ...{ games: whole, won: whole, drawn: whole, lost: whole },
  /** Of those, games that were not over and went to the side that was ahead. */
  counted: whole,
  /** Moves that the model was asked for, and those at which its choice was illegal. */
  ...{ moves: whole, illegal: whole },
  /** Points a game, a draw being half of one. */
  score: share,
  ci95: interval,
  illegalCi95: interval,
  /** A few illegal choices: the moves before, the choice (`wish`, as it is stored), and why the rules forbid it. */
  examples: v.array(v.object({ moves: v.string(), wish: v.string(), why: v.string() })),
});
export type StrengthReport = v.InferOutput<typeof StrengthReportSchema>;

const EXAMPLES = 20;

/**
 * Games against a player who draws each legal move alike, from openings of held-out games, the model moving first in every
 * other one. An illegal choice is counted, and the model's likeliest legal move is played instead. A game that is not over
 * after `plies`, or where the model can read no more, goes to the side that is ahead by the game's count.
 * Fails with `bad-request`, `too-few-games`, `cancelled`.
 */
export function strength(
  engine: Engine,
  game: PlayedGame,
  request: PlayRequest & { temperature: number },
  options: Measuring = {},
): Promise<Result<StrengthReport>> {
  const { count, warmUp, plies, temperature, seed } = request;
  const pause = pauseOf(options);
  return endedEarly(async () => {
    if (!(count >= 1 && plies >= 1 && warmUp >= 0 && temperature >= 0))
      return fail('bad-request', 'Ask for at least one game of at least one move, and a temperature of 0 or more.');
    const starts = beginnings(request);
    if (!starts.ok) return starts;
    const points: number[] = [];
    const report = { moves: 0, illegal: 0, counted: 0, examples: [] as StrengthReport['examples'] };
    for (const [number, start] of starts.value.entries()) {
      const played = await playOne(engine, game, { start, side: number % 2 === 0 ? 0 : 1, plies, temperature, pause }, [
        seed,
        number,
      ]);
      points.push(played.points);
      report.moves += played.moves;
      report.illegal += played.illegal.length;
      report.counted += played.counted ? 1 : 0;
      report.examples.push(...played.illegal.slice(0, EXAMPLES - report.examples.length));
      options.onProgress?.({ label: `Game ${number + 1} of ${count}`, share: (number + 1) / count });
    }
    const score = shareEstimate(points);
    const illegal = proportion(report.illegal, report.moves);
    const gamesWith = (value: number): number => points.filter((point) => point === value).length;
    return ok({
      ...report,
      ...{ games: count, temperature, won: gamesWith(1), drawn: gamesWith(0.5), lost: gamesWith(0) },
      // Games that all went alike have no spread; Wilson's interval knows how few they are.
      ...{
        score: score.mean!,
        ci95: count === gamesWith(points[0]) ? proportion(points[0] * count, count).ci95! : score.ci95!,
      },
      illegalCi95: illegal.ci95 ?? [0, 1],
    });
  });
}

async function playOne(
  engine: Engine,
  game: PlayedGame,
  asked: { start: Uint16Array; side: 0 | 1; plies: number; temperature: number; pause: () => Promise<void> },
  key: [seed: number, game: number],
): Promise<{ points: number; moves: number; counted: boolean; illegal: StrengthReport['examples'] }> {
  const { domain } = game;
  const { side, temperature } = asked;
  const line = [...asked.start];
  let state = line.reduce<unknown>((before, event) => domain.apply(before, event), domain.initial());
  const opponent = seededRandom('strength opponent', ...key);
  const own = seededRandom('strength', ...key);
  const result = { moves: 0, illegal: [] as StrengthReport['examples'] };
  for (let ply = 0; ply < asked.plies && domain.play.ending(state) === null; ply++) {
    let event: number;
    if (domain.play.toMove(state) === side) {
      const moves = Uint16Array.from(line);
      const turn = await modelTurn(engine, game, moves, { temperature, random: own, choices: 1 });
      if (!turn.ok) break;
      const { choice, played } = turn.value;
      result.moves++;
      if (isIllegal(choice))
        result.illegal.push({ moves: domain.traces.format(moves), wish: choice.text, why: choice.why ?? '' });
      event = played.event;
    } else {
      const legal = domain.legal(state);
      event = legal[opponent.below(legal.length)];
    }
    state = domain.apply(state, event);
    line.push(event);
    await asked.pause();
  }
  const ending = domain.play.ending(state);
  if (ending !== null) return { ...result, points: pointsOf(ending.winner, side), counted: false };
  const leader = domain.leader(state);
  const ahead = leader === 'level' ? null : leader === 'first' ? 0 : 1;
  return { ...result, points: pointsOf(ahead, side), counted: true };
}

function pointsOf(winner: 0 | 1 | null, side: 0 | 1): number {
  return winner === null ? 0.5 : winner === side ? 1 : 0;
}

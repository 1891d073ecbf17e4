import * as v from 'valibot';
import { seededRandom } from '../../base/random.ts';
import { ok } from '../../base/result.ts';
import { numberSetting } from '../setting-fields.ts';
import type { Study } from '../study.ts';
import { modelTurn, type ModelTurn } from './model-turn.ts';
import { isPlayed, playedGame } from './move-reader.ts';

const settings = v.object({
  /** The game so far, as its domain writes lines. */
  moves: v.optional(v.string(), ''),
  temperature: numberSetting(null, 0, { min: 0, max: 5, whole: false }),
  seed: numberSetting(null, 1, { min: 0, max: Number.MAX_SAFE_INTEGER }),
});

/** One move of a model in a game against somebody. The same game, temperature and seed give the same move. */
export const play: Study<v.InferOutput<typeof settings>, ModelTurn> = {
  name: 'play',
  title: 'Play',
  source: 'No paper',
  description: 'What a model wants to play after some moves, and what the rules let it play.',
  appliesTo: isPlayed,
  refusal: 'No two sides take turns in this game, so a model cannot play it.',
  settings,
  games: null,
  brief: true,
  async assess(engine, subject, _games, { moves: line, temperature, seed }) {
    const game = playedGame(subject);
    if (!game.ok) return game;
    const moves = line.trim() === '' ? ok(new Uint16Array()) : game.value.domain.traces.parse(line);
    if (!moves.ok) return moves;
    const random = seededRandom('play', seed, moves.value.length);
    return modelTurn(engine, game.value, moves.value, { temperature, random });
  },
  stored: null,
};

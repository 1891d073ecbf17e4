import * as v from 'valibot';
import { fail } from '../../base/result.ts';
import { parsePrompt } from '../../domains/chess/prompt.ts';
import type { Study } from '../study.ts';
import { readsSquares } from '../testbed/reads-squares.ts';
import { gameMapDescription, mapEnds, mapGame, type EndMap, type GameMap } from './game-map.ts';

const common = {
  source: 'Start prompts of Toshniwal et al. 2022 after every ply',
  description: gameMapDescription,
  appliesTo: readsSquares,
  refusal: 'Boards are drawn of models that write chess moves square by square; choose another model.',
  games: null,
  stored: null,
} as const;

const gameSettings = v.object({ game: v.optional(v.string(), '') });

/** Where the model sees every piece, ply by ply through a game (any prompt text). */
export const boardMap: Study<v.InferOutput<typeof gameSettings>, GameMap> = {
  ...common,
  name: 'board-map',
  title: 'Board, ply by ply',
  settings: gameSettings,
  async assess(engine, { notation }, _games, { game }, measuring) {
    const prompt = parsePrompt(game);
    if (!prompt.ok) return prompt;
    if (prompt.value.moves.length === 0)
      return fail('no-moves', 'There are no moves here; write a game, such as e2e4 e7e5 g1f3, or paste one.');
    return mapGame(engine, notation, prompt.value.moves, measuring);
  },
};

const promptSettings = v.object({ prompt: v.optional(v.string(), '') });

/** Where every movable piece would go at the end of a prompt. */
export const endMap: Study<v.InferOutput<typeof promptSettings>, EndMap> = {
  ...common,
  name: 'end-map',
  title: 'Where every piece would go',
  settings: promptSettings,
  brief: true,
  async assess(engine, { notation }, _games, { prompt: text }) {
    const prompt = parsePrompt(text);
    return prompt.ok ? mapEnds(engine, notation, prompt.value) : prompt;
  },
};

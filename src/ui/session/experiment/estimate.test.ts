import { expect, it } from 'vitest';
import { unwrap } from '../../../base/result.ts';
import { presetNamed } from '../../../config/presets.ts';
import { baseball } from '../../../domains/baseball/baseball.ts';
import { estimateRun } from './estimate.ts';
import { exampleTokens, tokensAnEvent } from '../../../domains/example-game.ts';
import { configIn } from './game-setup.ts';

const small = presetNamed('splat-tlm-small')!;

it('counts a word a move in chess, and in baseball as many as games have on average', () => {
  expect(tokensAnEvent({ domain: 'chess', notation: 'splat' })).toBe(1);
  const notation = unwrap(baseball.notation('splat'));
  let tokens = 0;
  let events = 0;
  for (const game of baseball.invented!.games(6, 77)) {
    tokens += notation.encode(game, { random: null, closed: true }).length - 2;
    events += game.length;
  }
  const ratio = tokensAnEvent({ domain: 'baseball', notation: 'splat' }) / (tokens / events);
  expect(Math.abs(ratio - 1)).toBeLessThan(0.05);
});

it('shows how a game begins', () => {
  expect(exampleTokens({ domain: 'baseball', notation: 'splat' }, 4).split(' ')).toHaveLength(4);
  expect(exampleTokens({ domain: 'baseball', notation: 'splat' }, 4)).toMatch(/^<sog>/);
});

it('expects a game of baseball to take longer than one of chess, and a question half as long as a game', () => {
  const chess = estimateRun(configIn(small, 'chess'), 80, 'wasm', 1);
  const config = configIn(small, 'baseball');
  const games = estimateRun(config, 320, 'wasm', 1);
  expect(games.seconds / chess.seconds).toBeGreaterThan(4);
  expect(estimateRun(config, 320, 'wasm', 3).seconds).toBeCloseTo(games.seconds / 3);
  const questions = { from: null, perGame: 1, perLine: 1, goals: 'released', learn: 'line', own: [] } as const;
  const asked = estimateRun({ ...config, questions: { ...questions, own: [] } }, 320, 'wasm', 1);
  expect(asked.seconds / games.seconds).toBeGreaterThan(0.3);
  expect(asked.seconds / games.seconds).toBeLessThan(0.6);
  // Another vocabulary: more words in chess, one for each move that there is.
  expect(chess.parameters).toBeGreaterThan(games.parameters);
});

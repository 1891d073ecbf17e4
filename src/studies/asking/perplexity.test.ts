import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { chess } from '../../domains/chess/chess.ts';
import { replay } from '../../domains/chess/replay.ts';
import type { Batch, Engine } from '../../engine/engine.ts';
import { perplexity } from './perplexity.ts';

const notation = unwrap(chess.notation('rap:15'));

/** Gives every target the same log-probability, and notes what it was asked. */
function flatEngine(logProbability: number, context: number) {
  const asked: { batch: Batch; muted: readonly number[] }[] = [];
  const engine = {
    model: { context },
    async logProbabilities(batch: Batch, muted: readonly number[]) {
      asked.push({ batch, muted });
      return Float32Array.from(batch.tokens, (_, at) => (batch.offsets.includes(at + 1) ? 0 : logProbability));
    },
  } as unknown as Engine;
  return { engine, asked };
}

const games = ['e2e4 e7e5 g1f3', 'd2d4'].map((line) => unwrap(replay(line)));

test('nats are summed over all targets and divided by moves, the end of a game counting as one', async () => {
  const { engine, asked } = flatEngine(-1, 64);
  const report = unwrap(await perplexity(engine, games, notation, { rowsPerBatch: 8 }));
  // Targets: 3 moves of two squares and an end, 1 move of two squares and an end: 10. Moves: 4, and 2 ends.
  expect(report).toMatchObject({ games: 2, moves: 4, tooLong: 0 });
  expect(report.perplexity).toBeCloseTo(Math.exp(10 / 6), 10);
  expect(asked[0].muted.map((token) => notation.vocabulary.tokens[token]).sort()).toEqual([
    'B',
    'K',
    'N',
    'P',
    'Q',
    'R',
  ]);
});

test('for an ap model piece names are targets and none is muted', async () => {
  const { engine, asked } = flatEngine(-1, 64);
  const oracle = unwrap(chess.notation('ap'));
  const castled = unwrap(replay('e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1'));
  const report = unwrap(await perplexity(engine, [castled], oracle, { rowsPerBatch: 8 }));
  // Six moves of a name and two squares, castling of two squares, the end: 21 targets; moves: 7, and an end.
  expect(report).toMatchObject({ games: 1, moves: 7 });
  expect(report.perplexity).toBeCloseTo(Math.exp(21 / 8), 10);
  expect(asked[0].muted).toEqual([]);
});

test('batching changes nothing', async () => {
  const { engine, asked } = flatEngine(-0.5, 64);
  const report = unwrap(await perplexity(engine, games, notation, { rowsPerBatch: 1 }));
  expect(asked).toHaveLength(2);
  expect(report.perplexity).toBeCloseTo(Math.exp(5 / 6), 10);
});

test('a game longer than the context is counted, not cut', async () => {
  const { engine } = flatEngine(-1, 6);
  const report = unwrap(await perplexity(engine, games, notation, { rowsPerBatch: 8 }));
  expect(report).toMatchObject({ games: 1, moves: 1, tooLong: 1 });
});

test('no game at all is a failure that says so', async () => {
  const { engine } = flatEngine(-1, 64);
  expect(await perplexity(engine, [], notation, { rowsPerBatch: 8 })).toMatchObject({
    ok: false,
    error: { code: 'no-games' },
  });
});

import { describe, expect, it } from 'vitest';
import { fail, ok, unwrap, type Result } from '../base/result.ts';
import type { GameMeta, GameRecord } from './game-record.ts';
import { prepare, testbedFilters, type Filters } from './prepare.ts';

const record = (events: number[], meta: GameMeta = {}): Result<GameRecord> =>
  ok({ events: Uint16Array.from(events), meta, where: {} });
const ofLength = (plies: number, first = 1) => Array.from({ length: plies }, (_, i) => first + i);

async function* each(games: Result<GameRecord>[]) {
  yield* games;
}
const run = async (
  games: Result<GameRecord>[],
  filters: Partial<Filters> = {},
  shares = { train: 0.5, dev: 0.5 },
  seed = 1,
) => unwrap(await prepare(each(games), { filters: { ...testbedFilters, ...filters }, shares, seed }));

describe('prepare', () => {
  it('keeps lengths from the least to the most, both included', async () => {
    const { counts, corpus } = await run([9, 10, 150, 151].map((plies) => record(ofLength(plies))));
    expect(counts).toMatchObject({ read: 4, kept: 2, plies: 160, dropped: { 'too short': 1, 'too long': 1 } });
    expect([...corpus].map((trace) => trace.length)).toEqual([10, 150]);
  });

  it('keeps the first of equal games, and games that share all but the last ply', async () => {
    const { counts, meta } = await run([
      record(ofLength(20), { result: 'first' }),
      record(ofLength(20), { result: 'second' }),
      record([...ofLength(19), 99]),
      record(ofLength(21)),
    ]);
    expect(counts.dropped.duplicate).toBe(1);
    expect(meta[0].result).toBe('first');
    expect(counts.kept).toBe(3);
  });

  it('drops games of unknown or too low ratings only where a rating is asked for', async () => {
    const games = [
      record(ofLength(20, 1), { whiteElo: 2000, blackElo: 2000 }),
      record(ofLength(20, 2), { whiteElo: 2400, blackElo: 1999 }),
      record(ofLength(20, 3), { whiteElo: 2400 }),
    ];
    expect((await run(games)).counts.kept).toBe(3);
    expect((await run(games, { minElo: 2000 })).counts).toMatchObject({ kept: 1, dropped: { rating: 2 } });
  });

  it('counts unreadable games, stops at the limit, and fails where nothing is left', async () => {
    const bad = fail('illegal-move', 'g, line 1: no', { line: 1 });
    const { counts } = await run([bad, ...[1, 2, 3].map((first) => record(ofLength(20, first)))], { limit: 2 });
    expect(counts).toMatchObject({ read: 3, kept: 2, dropped: { illegal: 1 } });
    const none = await prepare(each([bad]), { filters: testbedFilters, shares: { train: 1 }, seed: 1 });
    expect(none).toMatchObject({
      ok: false,
      error: { code: 'no-games', message: expect.stringContaining('g, line 1') },
    });
  });

  it('splits every kept game once, by share and seed', async () => {
    const games = Array.from({ length: 101 }, (_, i) => record(ofLength(12, i)));
    const shares = { train: 0.9, dev: 0.05, test: 0.05 };
    const one = (await run(games, {}, shares as never, 1)).splits;
    expect(Object.values(one).map((split) => split.length)).toEqual([91, 5, 5]);
    expect(
      Object.values(one)
        .flatMap((split) => [...split])
        .sort((a, b) => a - b),
    ).toEqual(ofLength(101, 0));
    expect((await run(games, {}, shares as never, 1)).splits).toEqual(one);
    expect((await run(games, {}, shares as never, 2)).splits).not.toEqual(one);
  });
});

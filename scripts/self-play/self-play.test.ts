import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import { readParquet } from '../../src/data/parquet/parquet.ts';
import { chess } from '../../src/domains/chess/chess.ts';
import { UciEngine } from './engine.ts';
import { playGame } from './game.ts';
import { Rules } from './rules.ts';
import { drawStyle } from './style.ts';

const ENGINE = process.env.BLINDFOLD_UCI_ENGINE ?? '/usr/games/stockfish';
const SHARDS = new URL('../../public/data/chess-selfplay/', import.meta.url);

describe('Rules', () => {
  const ended = (line: string) => {
    const rules = new Rules();
    for (const move of line.split(' ')) rules.play(move);
    return rules.ending();
  };

  it('ends games by mate, stalemate and threefold repetition, and no sooner', () => {
    expect(ended('f2f3 e7e5 g2g4 d8h4')).toBe('checkmate');
    // The shortest known stalemate (Loyd).
    expect(
      ended('e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6'),
    ).toBe('stalemate');
    const shuttle = 'g1f3 g8f6 f3g1 f6g8';
    expect(ended(shuttle)).toBeNull();
    expect(ended(`${shuttle} ${shuttle}`)).toBe('repetition');
    expect(() => ended('e2e5')).toThrow('not legal');
  });
});

describe('the self-play data set', () => {
  it.skipIf(!existsSync(ENGINE))('is what the script makes today (needs Stockfish 15.1)', async ({ skip }) => {
    const engine = await UciEngine.start(ENGINE);
    if (engine.name !== 'Stockfish 15.1') {
      engine.quit();
      return skip(`the engine is ${engine.name}`);
    }
    const packed = new Map<string, string | undefined>();
    for (const file of readdirSync(SHARDS).filter((name) => name.endsWith('.parquet'))) {
      for await (const game of readParquet(new Uint8Array(readFileSync(new URL(file, SHARDS))), file, chess.traces)) {
        const { events, meta } = unwrap(game);
        packed.set(chess.traces.format(events), `${meta.result} ${meta.termination}`);
      }
    }
    let found = 0;
    for (const game of [1, 2, 3, 4, 5, 29_999, 30_000]) {
      const random = seededRandom('self-play', 1, game);
      const played = await playGame(engine, drawStyle(random), random, { nodes: 200, maxPlies: 150 });
      if (played.termination === 'unfinished') continue;
      expect(packed.get(played.moves.join(' ')), `game ${game}`).toBe(`${played.result} ${played.termination}`);
      found++;
    }
    engine.quit();
    expect(found).toBeGreaterThan(3);
  });
});

import { createReadStream } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { Chess } from 'chess.js';
import { describe, expect, it } from 'vitest';
import { excerpt, sharedData } from '../../fixtures/shared-data.ts';
import type { Failure } from '../base/result.ts';
import { decompressed, textLines } from '../base/streams.ts';
import { uciLine } from '../domains/chess/replay.ts';
import type { GameRecord } from './game-record.ts';
import { parquetOf } from './parquet/parquet.ts';
import { readGames } from './sources.ts';

const lichess = sharedData('data/chess/lichess-12k.pgn.zst');

async function read(name: string, content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  async function* stream() {
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
  }
  const games: GameRecord[] = [];
  const failures: Failure[] = [];
  for await (const game of readGames({ name, stream: stream() })) {
    if (game.ok) games.push(game.value);
    else failures.push(game.error);
  }
  return { games, lines: games.map(({ events }) => uciLine(events)), failures };
}

const scholar = 'e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7';

describe('readGames', () => {
  it('reads a game a line, and goes on after one that is not legal', async () => {
    const { lines, failures } = await read('g.uci.txt', `${scholar}\n\ne2e4 e7e5 e4e5\nd2d4 0000\nd2d4\r\n`);
    expect(lines).toEqual([scholar, 'd2d4']);
    expect(failures.map(({ where }) => where)).toEqual([
      { file: 'g.uci.txt', line: 3, ply: 3 },
      { file: 'g.uci.txt', line: 4, ply: 2 },
    ]);
    expect(failures[0].message).toMatch(/^g\.uci\.txt, line 3: Ply 3/);
  });

  it('reads JSON Lines with moves as text or list, and names what is wrong with others', async () => {
    const { games, lines, failures } = await read(
      'g.jsonl',
      `{"moves":"e2e4 e7e5","result":"1-0","white_elo":2000}\n{"moves":["d2d4"],"WhiteElo":"1800","BlackElo":"?"}\n{"game":1}\nnot json\n{"moves":"e2e5"}\n`,
    );
    expect(lines).toEqual(['e2e4 e7e5', 'd2d4']);
    expect(games.map(({ meta }) => [meta.result, meta.whiteElo, meta.blackElo])).toEqual([
      ['1-0', 2000, undefined],
      [undefined, 1800, undefined],
    ]);
    expect(failures.map(({ code, where }) => [code, where?.line])).toEqual([
      ['not-a-game', 3],
      ['not-a-game', 4],
      ['illegal-move', 5],
    ]);
  });

  it('tells the kind by content where the name says nothing', async () => {
    expect((await read('standard input', scholar + '\n')).lines).toEqual([scholar]);
    expect((await read('standard input', '\n[Event "x"]\n\n1. e4 *\n')).lines).toEqual(['e2e4']);
    expect((await read('standard input', '{"moves":"e2e4"}')).lines).toEqual(['e2e4']);
    expect((await read('x', parquetOf([{ moves: 'e2e4', plies: 1, meta: {} }], 'test'))).lines).toEqual(['e2e4']);
    const { failures } = await read('page.html', '<!doctype html><p>Not found</p>');
    expect(failures).toMatchObject([{ code: 'unknown-kind', where: { file: 'page.html' } }]);
  });

  it('reads every file of a zip by its own kind, and gzip by its content', async () => {
    const zip = zipSync({
      'a.pgn': new TextEncoder().encode('1. e4 e5 *'),
      'b/c.uci.txt.gz': new Uint8Array(gzipSync('d2d4\n')),
    });
    expect((await read('all.zip', zip)).lines).toEqual(['e2e4 e7e5', 'd2d4']);
    expect((await read('wrongly-named.uci.txt', new Uint8Array(gzipSync(scholar)))).lines).toEqual([scholar]);
  });

  it('gives the games before the place where compressed input is cut off', async () => {
    const whole = gzipSync(Array.from({ length: 20_000 }, (_, i) => (i % 3 ? scholar : 'a2a3 h7h6')).join('\n'));
    let games = 0;
    const reading = (async () => {
      const stream = (async function* () {
        yield new Uint8Array(whole.subarray(0, whole.length - 100));
      })();
      for await (const game of readGames({ name: 'g.uci.txt.gz', stream })) if (game.ok) games++;
    })();
    await expect(reading).rejects.toThrow(/g\.uci\.txt\.gz: the gzip data are cut off/);
    expect(games).toBeGreaterThan(0);
  });

  it('names a Parquet file that is cut off, is something else, or lacks the column', async () => {
    const good = parquetOf([{ moves: scholar, plies: 7, meta: {} }], 'test');
    expect((await read('g.parquet', good.subarray(0, good.length - 20))).failures).toMatchObject([{ code: 'damaged' }]);
    expect((await read('g.parquet', 'hello')).failures).toMatchObject([{ code: 'damaged' }]);
    const bent = good.slice();
    bent[60] ^= 255;
    expect((await read('g.parquet', bent)).failures).toMatchObject([{ code: 'damaged', where: { file: 'g.parquet' } }]);
    const renamed = new TextDecoder('latin1').decode(good).replaceAll('moves', 'mover');
    const { failures } = await read(
      'g.parquet',
      Uint8Array.from(renamed, (character) => character.charCodeAt(0)),
    );
    expect(failures[0]?.message).toMatch(/no column "moves" among mover, plies/);
  });
});

describe('PGN as a stream', () => {
  it('cuts games at headers, and at results where headers are missing', async () => {
    const { games, lines, failures } = await read(
      'g.pgn',
      [
        '[Event "a"]',
        '[Result "1-0"]',
        '',
        '1. e4 {a comment over lines',
        '[%clk 0:01:00] and',
        '',
        'an empty one} e5 1-0',
        '[Event "no empty line before"]',
        '[WhiteElo "2100"]',
        '[BlackElo "1990"]',
        '',
        '1. d4 (1. c4 c5) d5 1/2-1/2',
        '',
        '1. c4 *',
        '',
        '1. Nf3 Nf6',
        '0-1',
        '[Event "illegal"]',
        '',
        '1. e4 e5',
        '2. Ke3 *',
        '',
        '[Event "comment never closed"]',
        '',
        '1. e4 { oh',
        '[Event "last"]',
        '',
        '1. g3',
      ].join('\n'),
    );
    expect(lines).toEqual(['e2e4 e7e5', 'd2d4 d7d5', 'c2c4', 'g1f3 g8f6', 'g2g3']);
    expect(games.map(({ where }) => where.line)).toEqual([1, 8, 14, 16, 26]);
    expect(games[1].meta).toMatchObject({ result: '1/2-1/2', whiteElo: 2100, blackElo: 1990 });
    expect(failures.map(({ where }) => where)).toMatchObject([{ line: 21, ply: 3 }, { file: 'g.pgn' }]);
  });

  for (const [what, { path, present }, games, stride] of [
    ['sixty games', excerpt('lichess/sixty-games.pgn.zst'), 60, 1],
    [`12,000 games, a sample ${lichess.needed}`, lichess, 12_000, 600],
  ] as const)
    it.skipIf(!present)(`reads ${what} as chess.js reads them`, async () => {
      // Unpacked once for both readers; src/base/streams.test.ts unpacks the same files.
      const unpacked: Uint8Array[] = [];
      for await (const chunk of decompressed(createReadStream(path), path)) unpacked.push(chunk.slice());
      const inMemory = async function* () {
        yield* unpacked;
      };
      const pieces: string[] = [];
      for await (const { text } of textLines(inMemory(), path)) {
        if (text.startsWith('[Event ')) pieces.push('');
        pieces[pieces.length - 1] += text + '\n';
      }
      let n = 0;
      for await (const game of readGames({ name: 'games.pgn', stream: inMemory() })) {
        if (!game.ok) throw new Error(game.error.message);
        if (n % stride === 0) {
          const oracle = new Chess();
          oracle.loadPgn(pieces[n]);
          expect(uciLine(game.value.events)).toBe(
            oracle
              .history({ verbose: true })
              .map(({ lan }) => lan)
              .join(' '),
          );
          expect(String(game.value.meta.whiteElo)).toBe(oracle.getHeaders().WhiteElo);
        }
        n++;
      }
      expect(n).toBe(games);
      expect(pieces.length).toBe(games);
    });
});

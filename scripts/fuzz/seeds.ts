import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { parquetOf } from '../../src/data/parquet/parquet.ts';
import { Xxhash64 } from '../../src/base/xxhash64.ts';
import { concatenated } from '../../src/base/bytes.ts';

/** Small files of games of every kind, by the name that opens them. */
const lines = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6\nd2d4 d7d5 c2c4\ne2e4 c7c5\n';
const pgn = `[Event "A"]\n[WhiteElo "2100"]\n[Result "1-0"]\n\n1. e4 {a comment} e5 2. Nf3 (2. f4 exf4) Nc6 $1 1-0\n\n[Event "B"]\n\n1. d4 d5 ; rest\n2. c4 *\n`;
const jsonl = '{"moves":"e2e4 e7e5","result":"1-0","white_elo":2000}\n{"moves":["d2d4","d7d5"],"WhiteElo":"1800"}\n';
const rows = lines
  .trim()
  .split('\n')
  .map((moves, i) => ({ moves, plies: moves.split(' ').length, meta: { result: '1-0', whiteElo: 2000 + i } }));
const eva = [
  ...['id,ANA201904040', 'version,2', 'info,visteam,TEX', 'info,hometeam,ANA'],
  ...[...'abcdefghi'].map((p, i) => `start,${p},"${p}, the visitor",0,${i + 1},${i + 1}`),
  ...[...'jklmnopqr'].map((p, i) => `start,${p},"${p}",1,${i + 1},${i + 1}`),
  ...['play,1,0,a,12,CFBX,S7', 'play,1,0,b,00,X,D8.1-H', 'play,1,0,c,02,SSS,K'],
  ...['sub,x,"X",0,4,11', 'play,1,0,x,00,X,64(1)3/GDP'],
].join('\r\n');
const xml = `<game><inning num="1" away_team="aaa" home_team="hhh"><top><atbat num="1" b="4" s="0" o="0" batter="11" event="Walk"><pitch des="Ball" type="B"/><runner id="11" start="" end="1B" event="Walk"/></atbat><atbat num="2" o="2" batter="12" event="Grounded Into DP"><pitch des="In play, out(s)" type="X"/><runner id="11" start="1B" end="" event="x"/></atbat></top></inning></game>`;
const statsapi = JSON.stringify({
  gamePk: 7,
  gameData: { teams: { away: { abbreviation: 'AAA' }, home: { abbreviation: 'HHH' } } },
  liveData: {
    plays: {
      allPlays: [
        {
          result: { type: 'atBat', eventType: 'single', awayScore: 0, homeScore: 0 },
          about: { inning: 1, isTopInning: true },
          count: { outs: 0 },
          matchup: { batter: { id: 1 } },
          playEvents: [{ isPitch: true, details: { call: { code: 'X' } } }],
          runners: [
            {
              movement: { start: null, end: '1B', outBase: null, isOut: false },
              details: { runner: { id: 1 }, playIndex: 0 },
            },
          ],
        },
      ],
    },
  },
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A zstd frame of one raw block with its checksum. */
function zstd(content: Uint8Array): Uint8Array {
  const hash = new Xxhash64();
  hash.update(content);
  const header = (content.length << 3) | 1;
  return concatenated([
    Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 4, 0x38, header, header >> 8, header >> 16),
    content,
    new Uint8Array(Uint32Array.of(hash.digest()).buffer),
  ]);
}

export const gameFiles: Record<string, Uint8Array> = {
  'g.uci.txt': bytes(lines),
  'g.pgn': bytes(pgn),
  'g.jsonl': bytes(jsonl),
  'g.parquet': parquetOf(rows, 'fuzz'),
  'g.uci.txt.gz': new Uint8Array(gzipSync(lines)),
  'g.pgn.zst': zstd(bytes(pgn)),
  'g.zip': zipSync({ 'a.pgn': bytes(pgn), 'b.uci.txt': [bytes(lines), { level: 0 }] }),
  'utf16.uci.txt': new Uint8Array(Buffer.from(`\ufeff${lines}`, 'utf16le')),
  'standard input': bytes(pgn),
};

export const baseballFiles: Record<string, Uint8Array> = {
  'g.EVA': bytes(eva),
  'g.xml': bytes(xml),
  'g.json': bytes(statsapi),
  'season.zip': zipSync({ 'a.EVA': bytes(eva), 'b.xml': bytes(xml), 'c.json': bytes(statsapi) }),
};

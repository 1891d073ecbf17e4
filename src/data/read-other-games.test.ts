import { createReadStream } from 'node:fs';
import { gzipSync, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../fixtures/shared-data.ts';
import { unwrap, type Failure } from '../base/result.ts';
import { baseball } from '../domains/baseball/baseball.ts';
import { simulateGames } from '../domains/baseball/simulator/game.ts';
import { domainNamed, type AnyDomain } from '../domains/domains.ts';
import { RETROSHEET_NOTICE } from './baseball/sources.ts';
import { filtersOf, tokenCounter } from './filters.ts';
import type { GameRecord } from './game-record.ts';
import { parquetOf } from './parquet/parquet.ts';
import { prepare } from './prepare.ts';
import { readManifest, readShards, shardGames, writeShards } from './shards.ts';
import { readGames } from './sources.ts';

const season = sharedData('data/baseball/retrosheet-2019.zip');

async function read(name: string, content: string | Uint8Array, domain: string | AnyDomain = 'baseball') {
  const bytes = typeof content === 'string' ? strToU8(content) : content;
  async function* stream() {
    for (let at = 0; at < bytes.length; at += 300) yield bytes.subarray(at, at + 300);
  }
  const games: GameRecord[] = [];
  const failures: Failure[] = [];
  const wanted = typeof domain === 'string' ? unwrap(domainNamed(domain)) : domain;
  for await (const game of readGames({ name, stream: stream() }, wanted)) {
    if (game.ok) games.push(game.value);
    else failures.push(game.error);
  }
  return { games, lines: games.map(({ events }) => wanted.traces.format(events)), failures };
}

const [first, second] = Array.from(simulateGames(2, 3), (trace) => baseball.traces.format(trace));

/** A Retrosheet game of one play: the visitors' first batter singles. Names as no league has them. */
const retrosheet = (id: string, ...plays: string[]) =>
  [
    `id,${id}`,
    'version,2',
    'info,visteam,AAA',
    'info,hometeam,BBB',
    ...[0, 1].flatMap((side) => [...'abcdefghi'].map((p, i) => `start,${p}${side},"${p}",${side},${i + 1},${i + 1}`)),
    ...plays,
  ].join('\r\n') + '\r\n';
const SINGLE = 'play,1,0,a0,11,CBX,S7';
const SINGLE_VERBS = '<sog> <newbatter> (id_100) <strike> <ball> <hit> <advance> (plate) (first) <atbat>';

const GAMEDAY = `<?xml version="1.0"?><game><inning num="1" away_team="aaa" home_team="hhh"><top>
  <atbat num="1" b="1" s="0" o="0" batter="11" event="Single"><pitch des="Ball" type="B"/><pitch des="In play" type="X"/>
  <runner id="11" start="" end="1B" event="Single"/></atbat></top></inning></game>`;
const STATSAPI = JSON.stringify({
  copyright: 'nobody',
  gamePk: 7,
  gameData: { teams: { away: { abbreviation: 'AAA' }, home: { abbreviation: 'HHH' } } },
  liveData: {
    plays: {
      allPlays: [
        {
          result: { type: 'atBat', eventType: 'single', awayScore: 0, homeScore: 0 },
          about: { inning: 1, isTopInning: true },
          count: { outs: 0 },
          matchup: { batter: { id: 11 } },
          playEvents: [
            { isPitch: true, details: { call: { code: 'B' } } },
            { isPitch: true, details: { call: { code: 'X' } } },
          ],
          runners: [
            {
              movement: { originBase: null, start: null, end: '1B', outBase: null, isOut: false },
              details: { runner: { id: 11 }, playIndex: 1 },
            },
          ],
        },
      ],
    },
  },
});
const ONE_BALL = '<sog> <newbatter> (id_100) <ball> <hit> <advance> (plate) (first) <atbat>';

describe('games of baseball', () => {
  it('are read as verbs a line, JSON Lines and Parquet, by name or by their first bytes', async () => {
    const both = `${first}\n[start] ${second} [end]\n`;
    for (const name of ['games.txt', 'standard input'])
      expect((await read(name, both)).lines, name).toEqual([first, second]);
    const json = `{"id":"x","away":"A","home":"B","tokens":"${first}"}\n{"moves":${JSON.stringify(second.split(' '))}}`;
    for (const name of ['games.jsonl', 'standard input'])
      expect((await read(name, json)).lines, name).toEqual([first, second]);
    const table = parquetOf([{ moves: first, plies: 1, meta: {} }], 'test');
    expect((await read('games.parquet', table)).lines).toEqual([first]);
  });

  it('are read from play-by-play of each source, with the line of a game that cannot be', async () => {
    const file = retrosheet('AAA1', SINGLE) + retrosheet('AAA2', 'play,1,0,a0,00,,S7', 'play,1,0,b0,00,,W.3-H');
    const { games, lines, failures } = await read('2019AAA.EVA', file);
    expect(lines).toEqual([SINGLE_VERBS, expect.stringContaining('<advance>')]);
    expect(failures).toEqual([]);
    expect(games[0]).toMatchObject({ notice: RETROSHEET_NOTICE, where: { file: '2019AAA.EVA', line: 1 } });
    const broken = await read('standard input', file.replace('play,1,0,a0,00,,S7', 'play,one,0,a0,00,,S7'));
    expect(broken.lines).toEqual([SINGLE_VERBS]);
    expect(broken.failures.map(({ where }) => where)).toEqual([{ file: 'standard input', line: 46 }]);
    for (const [name, content] of [
      ['inning_all.xml', GAMEDAY],
      ['game.json', STATSAPI],
      ['standard input', GAMEDAY],
      ['standard input', STATSAPI],
    ]) {
      const { lines, failures, games } = await read(name, content);
      expect([lines, failures], name).toEqual([[ONE_BALL], []]);
      expect(games[0].notice).toBeUndefined();
    }
  });

  it('are read from archives, whose rosters are passed over; box scores without plays are not games', async () => {
    const zip = zipSync({
      'AAA2019.ROS': strToU8('a0,Name,First,R,R,AAA,P\n'),
      TEAM2019: strToU8('AAA,A,City,Team\n'),
      '2019AAA.EVN': strToU8(retrosheet('AAA1', SINGLE)),
      'more/inning_all.xml': gzipSync(strToU8(GAMEDAY)),
      '2019AAA.EBA': strToU8(retrosheet('AAA3', 'stat,bline,a0,0,1,1')),
    });
    const { lines, failures } = await read('2019.zip', zip);
    expect(lines).toEqual([SINGLE_VERBS, ONE_BALL]);
    expect(failures).toMatchObject([{ code: 'no-plays', where: { file: '2019.zip: 2019AAA.EBA', line: 1 } }]);
    const rosters = await read('rosters.zip', zipSync({ 'AAA2019.ROS': strToU8('a0,Name,First,R,R,AAA,P\n') }));
    expect(rosters.failures).toMatchObject([
      { code: 'unknown-kind', message: expect.stringContaining('Retrosheet event files') },
    ]);
  });

  it('carry the notice of Retrosheet into the set and out of it again', async () => {
    const records = (async function* () {
      const lines = [`{"tokens":"${first}","source":"retrosheet"}`, `{"tokens":"${second}"}`].join('\n');
      yield* readGames({ name: 'g.jsonl', stream: new Blob([lines]).stream() }, baseball);
    })();
    const files = new Map<string, Uint8Array>();
    const options = { name: 'x', source: 'Read from x', licence: 'as the source', splitSeed: 1, createdBy: 'test' };
    const filters = filtersOf('baseball');
    const prepared = unwrap(
      await prepare(records, { filters, tokens: tokenCounter(baseball), shares: { train: 1 }, seed: 1 }),
    );
    const write = async (path: string, bytes: Uint8Array): Promise<void> => void files.set(path, bytes);
    await writeShards(prepared, { ...options, filters, domain: baseball, write });
    const fetchBytes = async (path: string) => files.get(path)!;
    const manifest = unwrap(await readManifest(fetchBytes));
    expect(manifest).toMatchObject({
      domain: 'baseball',
      source: `Read from x. ${RETROSHEET_NOTICE}`,
      licence: `as the source. ${RETROSHEET_NOTICE}`,
      notice: RETROSHEET_NOTICE,
      filters: { maxTokens: 1000 },
    });
    expect((await readShards(manifest, 'train', { fetchBytes, domain: baseball })).corpus.length).toBe(2);
    for await (const game of shardGames(manifest, 'train', fetchBytes, baseball))
      expect(unwrap(game).notice).toBe(RETROSHEET_NOTICE);
  });

  it('longer than a thousand tokens are dropped, and counted', async () => {
    // A plate appearance of n balls is n + 4 tokens; [start], <sog> and [end] make three more.
    const game = (balls: number) =>
      `<sog> <newbatter> (id_100) ${'<ball> '.repeat(balls)}<advance> (plate) (first) <atbat>`;
    const trace = (balls: number) => ({ events: unwrap(baseball.traces.parse(game(balls))), meta: {}, where: {} });
    const kept = unwrap(baseball.notation('splat'));
    const long = Uint16Array.from({ length: 998 }, (_, i) => trace(1).events[i === 0 ? 0 : 2]);
    const records = [trace(2).events, long, long.subarray(1)];
    const counted = records.map((events) => kept.encode(events, { random: null, closed: true }).length);
    expect(counted).toEqual([11, 1000, 999]);
    async function* games() {
      for (const events of [records[0], long, Uint16Array.of(...long, long[5])])
        yield { ok: true as const, value: { events, meta: {}, where: {} } };
    }
    const options = { filters: filtersOf('baseball'), tokens: tokenCounter(baseball), shares: { train: 1 }, seed: 1 };
    expect(unwrap(await prepare(games(), options)).counts).toMatchObject({ kept: 2, dropped: { 'too long': 1 } });
  });

  it.skipIf(!season.present)(`of a real season are read ${season.needed}`, async () => {
    const games: Uint16Array[] = [];
    for await (const game of readGames({ name: season.path, stream: createReadStream(season.path) }, baseball)) {
      games.push(unwrap(game).events);
      if (games.length === 300) break;
    }
    // Nine innings of three outs for each team, with few exceptions (rain, a home team that leads at the end).
    const outs = games.map((events) => baseball.traces.format(events).match(/<out>|<caught_stealing>/g)!.length);
    expect(outs.filter((n) => n >= 51).length / outs.length).toBeGreaterThan(0.95);
  });
});

describe('a file of another game', () => {
  const cases: [file: string, content: string | Uint8Array, wanted: string, told: string][] = [
    ['games.txt', 'e2e4 e7e5\nd2d4\n', 'baseball', 'this holds games of chess; choose Chess first.'],
    ['standard input', 'e2e4 e7e5\nd2d4\n', 'baseball', 'this holds games of chess; choose Chess first.'],
    ['games.pgn', '1. e4 e5 *', 'baseball', 'this holds games of chess; choose Chess first.'],
    [
      'games.jsonl',
      '{"moves":"e2e4"}\n{"moves":"d2d4"}\n',
      'baseball',
      'this holds games of chess; choose Chess first.',
    ],
    ['games.txt', `${first}\n${second}\n`, 'chess', 'this holds games of baseball; choose Baseball first.'],
    ['standard input', first, 'chess', 'this holds games of baseball; choose Baseball first.'],
    ['2019AAA.EVA', retrosheet('AAA1', SINGLE), 'chess', 'this holds games of baseball; choose Baseball first.'],
    [
      'games.parquet',
      parquetOf([{ moves: first, plies: 1, meta: {} }], ''),
      'chess',
      'this holds games of baseball; choose Baseball first.',
    ],
  ];
  it.each(cases)('%s gives one clear failure (%#)', async (file, content, wanted, text) => {
    const { games, failures } = await read(file, content, wanted);
    expect(games).toEqual([]);
    expect(failures).toEqual([{ code: 'other-game', message: `${file}: ${text}`, where: { file } }]);
  });

  it('is told whole where nothing else is read, and games of the right kind are never taken for others', async () => {
    async function* games() {
      yield* readGames({ name: 'g.txt', stream: new Blob(['e2e4 e7e5']).stream() }, baseball);
    }
    const options = { filters: filtersOf('noughts'), shares: { train: 1 }, seed: 1 };
    expect(await prepare(games(), options)).toMatchObject({
      ok: false,
      error: { code: 'other-game', message: 'g.txt: this holds games of chess; choose Chess first.' },
    });
    const { lines, failures } = await read('g.txt', `${first}\ne2e4 e7e5\n`);
    expect(lines).toEqual([first]);
    expect(failures).toMatchObject([{ code: 'not-a-verb', where: { line: 2 } }]);
  });
});

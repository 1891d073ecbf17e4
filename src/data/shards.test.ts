import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chess } from 'chess.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { ok, unwrap, type Result } from '../base/result.ts';
import { replay, uciLine } from '../domains/chess/replay.ts';
import type { GameRecord } from './game-record.ts';
import { parseManifest } from './manifest.ts';
import { prepare, testbedFilters, type PreparedGames } from './prepare.ts';
import { MANIFEST, overHttp, readManifest, readShards, shardGames, writeShards } from './shards.ts';

const PYTHON = process.env.BLINDFOLD_PYTHON ?? 'python3';
const hasModule = (name: string) => spawnSync(PYTHON, ['-c', `import ${name}`]).status === 0;

/** Random legal games, by chess.js. */
async function* randomGames(count: number): AsyncGenerator<Result<GameRecord>> {
  for (let game = 0; game < count; game++) {
    const random = seededRandom('test', game);
    const board = new Chess();
    const plies = 10 + random.below(20);
    while (board.history().length < plies && !board.isGameOver()) {
      const moves = board.moves();
      board.move(moves[random.below(moves.length)]);
    }
    const line = board
      .history({ verbose: true })
      .map(({ lan }) => lan)
      .join(' ');
    const meta = game % 2 ? { result: '1-0', whiteElo: 2000 + game } : { termination: 'játszma' };
    yield ok({ events: unwrap(replay(line)), meta, where: {} });
  }
}

let games: PreparedGames;
const files = new Map<string, Uint8Array>();
const writeTo = (to: Map<string, Uint8Array>) =>
  writeShards(games, {
    name: 'random',
    source: 'chess.js',
    licence: 'CC0-1.0',
    filters: testbedFilters,
    splitSeed: 1,
    createdBy: 'test',
    gamesPerShard: 20,
    write: async (path, bytes) => void to.set(path, bytes),
  });
const fetchFrom = (from: Map<string, Uint8Array>) => async (path: string) => {
  const bytes = from.get(path);
  if (!bytes) throw new Error('no such file');
  return bytes;
};

beforeAll(async () => {
  games = unwrap(
    await prepare(randomGames(60), { filters: testbedFilters, shares: { train: 0.8, dev: 0.2 }, seed: 1 }),
  );
  await writeTo(files);
});

describe('shards', () => {
  it('come back as they were written, and are the same bytes when written again', async () => {
    const manifest = unwrap(await readManifest(fetchFrom(files)));
    for (const split of ['train', 'dev']) {
      const numbers = [...games.splits[split]];
      const { corpus, failures } = await readShards(manifest, split, { fetchBytes: fetchFrom(files) });
      expect(failures).toEqual([]);
      expect([...corpus]).toEqual(numbers.map((game) => games.corpus.trace(game)));
      const metas: unknown[] = [];
      for await (const game of shardGames(manifest, split, fetchFrom(files))) metas.push(unwrap(game).meta);
      expect(metas).toEqual(numbers.map((game) => games.meta[game]));
      expect(manifest.splits[split]).toMatchObject({ games: corpus.length, plies: corpus.events.length });
    }
    const again = new Map<string, Uint8Array>();
    await writeTo(again);
    expect(again).toEqual(files);
  });

  it('reports a shard that is missing, cut or bent, and gives the games of the others', async () => {
    const manifest = unwrap(await readManifest(fetchFrom(files)));
    const [first, second] = manifest.splits.train.files;
    const bent = files.get(first.path)!.slice();
    bent[100] ^= 1;
    const cases: [Uint8Array | null, string][] = [
      [null, 'shard-missing'],
      [files.get(first.path)!.subarray(0, 500), 'shard-damaged'],
      [bent, 'shard-damaged'],
      [files.get(second.path)!, 'shard-damaged'],
    ];
    for (const [bytes, code] of cases) {
      const folder = new Map(files);
      if (bytes) folder.set(first.path, bytes);
      else folder.delete(first.path);
      const { corpus, failures } = await readShards(manifest, 'train', { fetchBytes: fetchFrom(folder) });
      expect(failures).toMatchObject([{ code, where: { file: first.path } }]);
      expect(failures[0].message).toMatch(/(put it back|copy or download it)/);
      expect(corpus.length).toBe(manifest.splits.train.games - first.games);
    }
  });

  it('refuses a manifest that is missing, not JSON, incomplete or edited', async () => {
    const text = new TextDecoder().decode(files.get(MANIFEST));
    expect(await readManifest(fetchFrom(new Map()))).toMatchObject({ error: { code: 'shard-missing' } });
    for (const wrong of ['{', '{}', text.replace('"games": ', '"games": 1'), text.replace('CC0-1.0', 'MIT')]) {
      expect(await parseManifest(wrong, 'm')).toMatchObject({ ok: false, error: { code: 'bad-manifest' } });
    }
    expect((await parseManifest(text.replace('"version": 1', '"version": 2'), 'm')) as unknown).toMatchObject({
      error: { message: expect.stringContaining('version') },
    });
  });

  it('names the splits there are where another is asked for', async () => {
    const manifest = unwrap(await readManifest(fetchFrom(files)));
    const { failures } = await readShards(manifest, 'validation', { fetchBytes: fetchFrom(files) });
    expect(failures[0].message).toMatch(/the splits of random are train, dev/);
  });

  it.each(['pyarrow', 'duckdb'])('are read by %s (skipped where python3 lacks it)', (module) => {
    if (!hasModule(module)) return console.info(`skipped: ${PYTHON} has no ${module}`);
    const folder = mkdtempSync(join(tmpdir(), 'blindfold-'));
    for (const [path, bytes] of files) writeFileSync(join(folder, path), bytes);
    const script =
      module === 'pyarrow'
        ? `import json,sys,pyarrow.parquet as p; t=p.read_table(sys.argv[1]); print(json.dumps([t.column('moves').to_pylist(), t.column('white_elo').to_pylist(), t.column('plies').to_pylist()]))`
        : `import json,sys,duckdb; r=duckdb.sql("select moves, white_elo, plies from read_parquet('"+sys.argv[1]+"')").fetchall(); print(json.dumps([list(c) for c in zip(*r)]))`;
    const read = JSON.parse(
      execFileSync(PYTHON, ['-c', script, join(folder, 'dev-00000.parquet')], { encoding: 'utf8' }),
    );
    const numbers = [...games.splits.dev];
    expect(read).toEqual([
      numbers.map((game) => uciLine(games.corpus.trace(game))),
      numbers.map((game) => games.meta[game].whiteElo ?? null),
      numbers.map((game) => games.corpus.trace(game).length),
    ]);
  });
});

describe('the self-play data set', () => {
  it('is whole: every shard fits the manifest and every game is legal', async () => {
    const folder = new URL('../../public/data/chess-selfplay/', import.meta.url).pathname;
    const fetchBytes = async (path: string) => new Uint8Array(readFileSync(join(folder, path)));
    const manifest = unwrap(await readManifest(fetchBytes));
    const seen = new Set<string>();
    let games = 0;
    for (const split of Object.keys(manifest.splits)) {
      const { corpus, failures } = await readShards(manifest, split, { fetchBytes });
      expect(failures).toEqual([]);
      expect(corpus).toHaveLength(manifest.splits[split].games);
      for (const trace of corpus) seen.add(uciLine(trace));
      games += corpus.length;
    }
    expect(seen.size).toBe(games);
    expect(Object.keys(manifest.splits)).toEqual(['train', 'dev', 'test', 'probe']);
  });
});

describe('overHttp', () => {
  it('asks for the manifest at its address and for shards beside it', async () => {
    const asked: string[] = [];
    const before = globalThis.fetch;
    globalThis.fetch = async (input) => {
      asked.push(String(input));
      return new Response(null, { status: 404 });
    };
    try {
      const fetchBytes = overHttp('https://example.org/data/manifest.json?v=1');
      await expect(fetchBytes(MANIFEST)).rejects.toThrow('404');
      await expect(fetchBytes('train-00000.parquet')).rejects.toThrow('404');
    } finally {
      globalThis.fetch = before;
    }
    expect(asked).toEqual([
      'https://example.org/data/manifest.json?v=1',
      'https://example.org/data/train-00000.parquet',
    ]);
  });
});

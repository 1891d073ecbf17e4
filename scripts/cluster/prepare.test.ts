import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seededRandom } from '../../src/base/random.ts';
import { unwrap } from '../../src/base/result.ts';
import { readManifest, readShards } from '../../src/data/shards.ts';
import { randomGame } from '../../src/domains/chess/rules/random-game.ts';
import { uciLine } from '../../src/domains/chess/replay.ts';

const PYTHON = process.env.BLINDFOLD_PYTHON ?? '/usr/bin/python3';
const hasDuckdb = spawnSync(PYTHON, ['-c', 'import duckdb']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'blindfold-cluster-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = new URL('./prepare.py', import.meta.url).pathname;
const prepare = (out: string, ...args: string[]) =>
  spawnSync(
    PYTHON,
    [
      script,
      join(folder, 'games.csv'),
      '--out',
      join(folder, out),
      '--name',
      'Játszmák',
      '--source',
      'Random moves.',
      '--licence',
      'CC0-1.0',
      ...args,
    ],
    { encoding: 'utf8' },
  );

it.skipIf(!hasDuckdb)(
  `DuckDB makes shards that open here${hasDuckdb ? '' : ' (needs duckdb)'}`,
  async () => {
    const games = Array.from({ length: 90 }, (_, i) => uciLine(randomGame(seededRandom('cluster', i), 10 + (i % 30))));
    const kept = games.filter((game) => game.split(' ').length >= 10);
    // One game again, and one that is too short.
    const rows = [...games, games[3], 'e2e4 e7e5'].map((moves, i) => `${moves},${i % 2 ? '1-0' : ''},${1500 + i}`);
    writeFileSync(join(folder, 'games.csv'), ['uci,result,white_elo', ...rows, ''].join('\n'));
    const made = prepare('shards', '--moves', 'uci', '--games-per-shard', '40', '--split', 'train=0.8,dev=0.2');
    if (made.status !== 0) throw new Error(made.stderr);
    const fetchBytes = async (path: string) => new Uint8Array(readFileSync(join(folder, 'shards', path)));
    const manifest = unwrap(await readManifest(fetchBytes));
    expect(manifest.splits.train.files.length).toBe(2);
    expect(readdirSync(join(folder, 'shards')).sort()).toEqual([
      'dev-00000.parquet',
      'manifest.json',
      'train-00000.parquet',
      'train-00001.parquet',
    ]);
    const read: string[] = [];
    for (const split of ['train', 'dev']) {
      const { corpus, failures } = await readShards(manifest, split, { fetchBytes });
      expect(failures).toEqual([]);
      expect(corpus.length).toBe(manifest.splits[split].games);
      read.push(...Array.from(corpus, (trace) => uciLine(trace)));
    }
    expect(read.sort()).toEqual([...new Set(kept)].sort());

    expect(prepare('shards', '--moves', 'uci').stderr).toContain('already holds prepared games');
    expect(prepare('other').stderr).toContain("There is no column 'moves' among result, uci, white_elo");
  },
  120_000,
);

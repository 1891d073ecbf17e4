/**
 * Packs games that main.ts made as the page's own data set, Parquet shards and manifest.json:
 *
 *   npx tsx scripts/self-play/pack.ts --from DIR --out public/data/chess-selfplay
 *
 * Takes every games-N.uci.txt and games-N.jsonl in DIR, in the order of N; drops duplicates; splits by seed.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unwrap, type Result } from '../../src/base/result.ts';
import { metaOf, recordOf, type GameRecord } from '../../src/data/game-record.ts';
import { prepare, testbedFilters } from '../../src/data/prepare.ts';
import { writeShards } from '../../src/data/shards.ts';
import { replay } from '../../src/domains/chess/replay.ts';
import packageJson from '../../package.json' with { type: 'json' };

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    out: { type: 'string', default: 'public/data/chess-selfplay' },
    seed: { type: 'string', default: '1' },
    /** Games held out; all others are for training. */
    dev: { type: 'string', default: '1000' },
    test: { type: 'string', default: '1000' },
    probe: { type: 'string', default: '2000' },
  },
});
const { from, out } = values;
if (!from) {
  console.error('say where the games are with --from DIR');
  process.exit(2);
}

const starts = readdirSync(from)
  .map((file) => /^games-(\d+)\.uci\.txt$/.exec(file)?.[1])
  .filter((start) => start !== undefined)
  .sort((a, b) => Number(a) - Number(b));

async function* playedGames(folder: string): AsyncGenerator<Result<GameRecord>> {
  for (const start of starts) {
    const linesOf = (ending: string) =>
      readFileSync(join(folder, `games-${start}.${ending}`), 'utf8')
        .trimEnd()
        .split('\n');
    const facts = linesOf('jsonl');
    for (const [i, line] of linesOf('uci.txt').entries()) {
      const fact = JSON.parse(facts[i]) as Record<string, unknown>;
      const moves = unwrap(replay(line));
      if (fact.plies !== moves.length)
        throw new Error(`games-${start}, line ${i + 1}: the two files do not belong together`);
      yield recordOf({ ok: true, value: moves }, metaOf(fact), `games-${start}.uci.txt`, i + 1);
    }
  }
}

const seed = Number(values.seed);
// Two passes: shares are of the games kept, which are known only after duplicates are gone.
const counted = unwrap(await prepare(playedGames(from), { filters: testbedFilters, shares: { train: 1 }, seed }));
const { kept } = counted.counts;
const [dev, test, probe] = [values.dev, values.test, values.probe].map(Number);
const shares = { train: (kept - dev - test - probe) / kept, dev: dev / kept, test: test / kept, probe: probe / kept };
const prepared = unwrap(await prepare(playedGames(from), { filters: testbedFilters, shares, seed }));

mkdirSync(out, { recursive: true });
const manifest = await writeShards(prepared, {
  name: 'Engine self-play',
  source:
    'Played for this lab by Stockfish 15.1 against itself, 200 nodes a move, its moves drawn by a seeded generator.',
  licence: 'CC0-1.0',
  filters: testbedFilters,
  splitSeed: seed,
  createdBy: `${packageJson.name} ${packageJson.version}`,
  write: async (path, bytes) => writeFileSync(join(out, path), bytes),
});
const bytes = Object.values(manifest.splits).flatMap(({ files }) => files.map((file) => file.bytes));
console.log(JSON.stringify({ ...prepared.counts, bytes: bytes.reduce((a, b) => a + b, 0), hash: manifest.hash }));

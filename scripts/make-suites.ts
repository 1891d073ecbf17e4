/**
 * Makes the suites over moves that the lab ships (public/suites): of chess from the embedded games that no run learns
 * from, of baseball from invented games. The same sources give the same bytes.
 *
 *   npm run suites
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { unwrap } from '../src/base/result.ts';
import { readManifest, readShards } from '../src/data/shards.ts';
import { simulateGames } from '../src/domains/baseball/simulator/game.ts';
import { buildSuites } from '../src/studies/syntaxgym/builders/build-suite.ts';
import { baseballSuites, chessSuites } from '../src/studies/syntaxgym/builders/suite-games.ts';
import { writeSuite } from '../src/studies/syntaxgym/read-suite.ts';

const ITEMS = 200;
const SEED = 1;
const BASEBALL_GAMES = 6000;
/** Of the simulator; runs on invented games have small seeds. */
const BASEBALL_SEED = 20261122;

const games = new URL('../public/data/chess-selfplay/', import.meta.url);
const out = fileURLToPath(new URL('../public/suites/', import.meta.url));

const progress = (read: number, open: number): void => {
  if (read % 500 === 0) console.error(`${read} games, ${open} suites want items`);
};

const manifest = unwrap(await readManifest(async (path) => new Uint8Array(await readFile(new URL(path, games)))));
const heldOut = async (split: string) =>
  (
    await readShards(manifest, split, {
      fetchBytes: async (path) => new Uint8Array(await readFile(new URL(path, games))),
    })
  ).corpus;
const chessGames = [...(await heldOut('probe')), ...(await heldOut('test')), ...(await heldOut('dev'))];

const suites = [
  ...buildSuites(chessSuites, chessGames, {
    items: ITEMS,
    seed: SEED,
    source: 'Made from games that an engine played against itself, and from random legal moves after them.',
    progress,
  }),
  ...buildSuites(baseballSuites, simulateGames(BASEBALL_GAMES, BASEBALL_SEED), {
    items: ITEMS,
    seed: SEED,
    source: 'Made from invented games.',
    progress,
  }),
];

await mkdir(out, { recursive: true });
for (const suite of suites) {
  await writeFile(`${out}${suite.meta.name}.json`, writeSuite(suite));
  console.log(`${suite.meta.name}: ${suite.items.length} items`);
}

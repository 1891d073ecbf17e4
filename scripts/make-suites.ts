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
import { domainNamed } from '../src/domains/domains.ts';
import { baselinesOf, ngramBaselines } from '../src/studies/syntaxgym/baselines.ts';
import { buildSuites } from '../src/studies/syntaxgym/builders/build-suite.ts';
import { baseballSuites, chessSuites } from '../src/studies/syntaxgym/builders/suite-games.ts';
import type { Suite } from '../src/studies/syntaxgym/suite.ts';
import { writeSuite } from '../src/studies/syntaxgym/read-suite.ts';

const ITEMS = 200;
const LIVE_ITEMS = 16;
const SEED = 1;
const BASEBALL_GAMES = 6000;
const COUNTED_BASEBALL_GAMES = 1000;
/** Of the simulator; runs on invented games have small seeds. */
const BASEBALL_SEED = 20261122;

const games = new URL('../public/data/chess-selfplay/', import.meta.url);
const out = fileURLToPath(new URL('../public/suites/', import.meta.url));

const progress = (read: number, open: number): void => {
  if (read % 500 === 0) console.error(`${read} games, ${open} suites want items`);
};

const fetchBytes = async (path: string) => new Uint8Array(await readFile(new URL(path, games)));
const manifest = unwrap(await readManifest(fetchBytes));
const gamesOf = async (split: string) => (await readShards(manifest, split, { fetchBytes })).corpus;
const chessGames = [...(await gamesOf('probe')), ...(await gamesOf('test')), ...(await gamesOf('dev'))];

const how = { items: ITEMS, seed: SEED, progress };
const suites = [
  ...buildSuites(chessSuites, chessGames, {
    ...how,
    source: 'Made from games that an engine played against itself, and from random legal moves after them.',
  }),
  ...buildSuites(baseballSuites, simulateGames(BASEBALL_GAMES, BASEBALL_SEED), {
    ...how,
    source: 'Made from invented games.',
  }),
];

/** What is counted for the baselines: the games that runs learn from, and invented ones of other seeds. */
const counted: Record<string, { notation: string; games: Iterable<ArrayLike<number>> }> = {
  chess: { notation: 'uci', games: await gamesOf('train') },
  baseball: { notation: 'splat', games: simulateGames(COUNTED_BASEBALL_GAMES, BASEBALL_SEED + 1) },
};
const models = new Map(
  Object.entries(counted).map(([domain, { notation, games: known }]) => {
    const tokens = unwrap(unwrap(domainNamed(domain)).notation(notation));
    return [domain, ngramBaselines(tokens, known)];
  }),
);

/** The shortest pairs of items of a suite: what a model in training is asked. */
function livePart(suite: Suite): Suite {
  const length = (item: Suite['items'][number]): number => JSON.stringify(item).length;
  const pairs = Array.from({ length: suite.items.length / 2 }, (_, i) => suite.items.slice(2 * i, 2 * i + 2));
  const shortest = pairs.sort((a, b) => length(a[0]) + length(a[1]) - length(b[0]) - length(b[1]));
  const items = shortest.slice(0, LIVE_ITEMS / 2).flat();
  return { ...suite, items: items.map((item, i) => ({ ...item, item_number: i + 1 })) };
}

await mkdir(`${out}live`, { recursive: true });
for (const suite of suites) {
  const { bigram, position } = unwrap(await baselinesOf(suite, models.get(suite.meta.domain!)!));
  suite.meta.baselines = { bigram, position };
  await writeFile(`${out}${suite.meta.name}.json`, writeSuite(suite));
  console.log(`${suite.meta.name}: ${suite.items.length} items, bigram ${bigram}, position ${position}`);
}
const listed = suites.map(({ meta: { name, title, domain, tags }, items }) => ({
  ...{ name, title, domain, tags },
  ...{ items: items.length, file: `${name}.json` },
}));
await writeFile(`${out}index.json`, `${JSON.stringify({ suites: listed }, null, 2)}\n`);
for (const { domain } of [chessSuites, baseballSuites]) {
  const parts = suites.filter(({ meta }) => meta.domain === domain).map(livePart);
  await writeFile(`${out}live/${domain}.json`, `${JSON.stringify(parts)}\n`);
}

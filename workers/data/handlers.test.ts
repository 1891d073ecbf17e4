import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { craftedFiles } from '../../fixtures/crafted-files.ts';
import { gameLines } from '../../fixtures/given-games.ts';
import { OVER_LIMIT } from '../../src/base/budget.ts';
import { unwrap } from '../../src/base/result.ts';
import { prepare, testbedFilters } from '../../src/data/prepare.ts';
import { MANIFEST, writeShards } from '../../src/data/shards.ts';
import { readGames } from '../../src/data/sources.ts';
import { baseball } from '../../src/domains/baseball/baseball.ts';
import { simulateGames } from '../../src/domains/baseball/simulator/game.ts';
import { DOMAINS } from '../../src/domains/domains.ts';
import { memoryGameFolders } from './game-folders.ts';
import { gamesOverPort } from './games-port.ts';
import type { DataHost } from './data-host.ts';
import { dataHandlers } from './handlers.ts';
import { EMBEDDED } from './store-games.ts';
import type { DataProgress, DataService } from './protocol.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function host(): Promise<DataHost & { damaged: Set<string> }> {
  const files = new Map<string, Uint8Array>();
  const games = readGames({ name: 'made.uci.txt', stream: new Blob([gameLines(400, 'made', 20)]).stream() });
  const prepared = unwrap(
    await prepare(games, { filters: testbedFilters, shares: { train: 0.8, dev: 0.1, probe: 0.1 }, seed: 1 }),
  );
  await writeShards(prepared, {
    name: 'Made',
    source: 'A test.',
    licence: 'CC0',
    filters: testbedFilters,
    splitSeed: 1,
    createdBy: 'test',
    gamesPerShard: 100,
    write: async (path, bytes) => void files.set(path, bytes),
  });
  const damaged = new Set<string>();
  return {
    damaged,
    embedded: async (path) => {
      const bytes = files.get(path);
      if (!bytes) throw new Error('not there');
      return damaged.has(path) ? bytes.slice(0, 50) : bytes;
    },
    folders: memoryGameFolders(),
    fetch: async (url) =>
      new Response(url.endsWith('.uci.txt') ? gameLines(200, 'net', 15) : 'no', {
        status: url.endsWith('.uci.txt') ? 200 : 404,
      }),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    clock: () => performance.now(),
  };
}

const quiet = () => {};
const ALL = { train: null, dev: null, test: null, probe: null };

/** The games as another worker reads them. */
function overPort(service: DataService) {
  const { port1, port2 } = new MessageChannel();
  const reader = gamesOverPort();
  void service.connect(port1);
  void reader.connectGames(port2);
  return reader;
}

/** Keys of the sets that are not the lab's own. */
async function importedKeys(service: DataService): Promise<string[]> {
  const keys = (await service.list()).map(({ key }) => key);
  return keys.filter((key) => key !== EMBEDDED && !key.startsWith('invented-'));
}

test('the embedded games open with progress, split by split', async () => {
  const progress: DataProgress[] = [];
  const service = overPort(dataHandlers(await host()));
  const opened = unwrap(
    await service.read({ key: EMBEDDED, splits: ALL }, { onProgress: (event) => progress.push(event) }),
  );
  expect([opened.train, opened.dev, opened.probe].map(({ offsets }) => offsets.length - 1)).toEqual([320, 40, 40]);
  expect(opened.failures).toEqual([]);
  expect(opened.summary.lengths[2]).toBe(400);
  await expect.poll(() => progress.at(-1)).toMatchObject({ share: 1, games: 400 });
});

test('a damaged shard is a failure that names it; the rest is there', async () => {
  const made = await host();
  made.damaged.add('train-00001.parquet');
  const opened = unwrap(await dataHandlers(made).read({ key: EMBEDDED, splits: ALL }));
  expect(opened.train.offsets.length - 1).toBe(220);
  expect(opened.failures.map(({ code, message }) => [code, message.includes('train-00001.parquet')])).toEqual([
    ['shard-damaged', true],
  ]);
  for (const name of ['00000', '00001', '00002', '00003']) made.damaged.add(`train-${name}.parquet`);
  expect(await dataHandlers(made).read({ key: EMBEDDED, splits: ALL })).toMatchObject({
    ok: false,
    error: { code: 'no-games' },
  });
  made.damaged.add(MANIFEST);
  expect(await dataHandlers(made).read({ key: EMBEDDED, splits: ALL })).toMatchObject({
    ok: false,
    error: { code: 'bad-manifest' },
  });
});

test('a reader gets the splits that it asks for, no more games of each than it wants, and no view of the others', async () => {
  const made = await host();
  const reads: string[] = [];
  const { embedded } = made;
  made.embedded = (path) => (reads.push(path), embedded(path));
  const reader = overPort(dataHandlers(made));
  const {
    train,
    dev,
    test: none,
    probe,
    manifest,
    summary,
  } = unwrap(await reader.read({ key: EMBEDDED, splits: { train: 7, dev: null } }));
  expect([train, dev, none, probe].map(({ offsets }) => offsets.length - 1)).toEqual([7, 40, 0, 0]);
  expect(train.events.byteLength).toBe(train.events.buffer.byteLength);
  expect(train.events.length).toBe(train.offsets[7]);
  expect(manifest).toBe(summary.hash);
  expect(reads).toEqual([MANIFEST, 'train-00000.parquet', 'dev-00000.parquet']);
  // Splits that have been read are not read again.
  reads.length = 0;
  const more = unwrap(await reader.read({ key: EMBEDDED, splits: { train: null, probe: null } }));
  expect([more.train, more.probe].map(({ offsets }) => offsets.length - 1)).toEqual([320, 40]);
  expect(reads.filter((path) => !path.startsWith('train'))).toEqual([MANIFEST, 'probe-00000.parquet']);
  expect(reads.filter((path) => path.startsWith('train'))).toHaveLength(4);
  reads.length = 0;
  const fewer = unwrap(await reader.read({ key: EMBEDDED, splits: { train: 9, dev: null } }));
  expect([fewer.train, fewer.dev].map(({ offsets }) => offsets.length - 1)).toEqual([9, 40]);
  expect(reads).toEqual([MANIFEST]);
});

test('a reader whose data worker dies is told so in a sentence, and reads on through a new port', async () => {
  const made = await host();
  const { embedded } = made;
  made.embedded = (path) => (path === MANIFEST ? embedded(path) : new Promise(() => undefined));
  const reader = overPort(dataHandlers(made));
  const request = { key: EMBEDDED, splits: { dev: null } };
  const reading = reader.read(request);
  await reader.connectGames(null);
  const gone = { ok: false, error: { code: 'games-gone', message: expect.stringMatching(/^Reading games stopped/) } };
  expect(await reading).toMatchObject(gone);
  expect(await reader.read(request)).toMatchObject(gone);
  const { port1, port2 } = new MessageChannel();
  await dataHandlers(await host()).connect(port1);
  await reader.connectGames(port2);
  expect(unwrap(await reader.read(request)).dev.offsets.length).toBe(41);
});

test('imported games are filtered, stored, listed, opened and removed', async () => {
  const service = dataHandlers(await host());
  const lines = gameLines(200, 'mine', 16).split('\n');
  const mixed = [lines[0], 'e2e4 e7e5 e1e3', ...lines, 'e2e4 e7e5'].join('\n');
  const report = unwrap(await service.import([new File([mixed], 'Mine.uci.txt')], 'chess', quiet));
  expect(report).toMatchObject({ read: 203, kept: 200, dropped: { duplicate: 1, illegal: 1, 'too short': 1 } });
  expect(report.failures[0].where).toMatchObject({ line: 2, ply: 3 });
  expect(await importedKeys(service)).toEqual([report.summary.key]);
  expect(unwrap(await service.read({ key: report.summary.key, splits: ALL })).train.offsets.length - 1).toBe(180);
  unwrap(await service.remove(report.summary.key));
  expect(await importedKeys(service)).toEqual([]);
  expect(await service.remove(EMBEDDED)).toMatchObject({ ok: false, error: { code: 'embedded' } });
});

test('one broken file among several loses only its own games', async () => {
  const service = dataHandlers(await host());
  const broken = new File([bytesOf('\u001f\u008b')], 'x.gz');
  const cut = new File([new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2])], 'cut.uci.txt.gz');
  const report = unwrap(
    await service.import([broken, cut, new File([gameLines(50, 'good', 12)], 'good.uci.txt')], 'chess', quiet),
  );
  expect(report.kept).toBe(50);
  expect(report.failures).toHaveLength(2);
});

test('what cannot be imported says why and leaves nothing behind', async () => {
  const made = await host();
  const service = dataHandlers(made);
  expect(await service.import([], 'chess', quiet)).toMatchObject({ error: { code: 'no-files' } });
  expect(await service.import([new File([], 'empty.pgn')], 'chess', quiet)).toMatchObject({ ok: false });
  expect(await service.import([new File(['\u0089PNG\r\n'], 'a.png')], 'chess', quiet)).toMatchObject({ ok: false });
  expect(await service.importUrl('javascript:alert(1)', 'chess', quiet)).toMatchObject({
    error: { code: 'bad-address' },
  });
  expect(await service.importUrl('https://example.org/gone.pgn', 'chess', quiet)).toMatchObject({
    error: { code: 'bad-answer' },
  });
  made.folders.write = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  expect(await service.import([new File([gameLines(30, 'x', 12)], 'x.uci.txt')], 'chess', quiet)).toMatchObject({
    error: { code: 'storage-full' },
  });
  expect(await made.folders.keys()).toEqual([]);
});

test('an address gives text of at most so many bytes', async () => {
  const service = dataHandlers(await host());
  const text = unwrap(await service.fetchText('https://example.org/found.uci.txt', 1e6));
  expect(text).toEqual({ name: 'found.uci.txt', text: gameLines(200, 'net', 15) });
  for (const [url, most, code] of [
    ['found.uci.txt', 1e6, 'bad-address'],
    ['file:///etc/passwd', 1e6, 'bad-address'],
    ['https://example.org/gone.json', 1e6, 'bad-answer'],
    ['https://example.org/found.uci.txt', 100, 'too-large'],
  ] as const)
    expect(await service.fetchText(url, most)).toMatchObject({ ok: false, error: { code } });
});

test('what an import left behind whose tab was closed is cleared away', async () => {
  const made = await host();
  await made.folders.write('half', 'train-00000.parquet', new Uint8Array(10));
  expect(await importedKeys(dataHandlers(made))).toEqual([]);
  expect(await made.folders.keys()).toEqual([]);
});

test('an address gives games, and an import can be cancelled', async () => {
  const service = dataHandlers(await host());
  expect(unwrap(await service.importUrl('https://example.org/found.uci.txt', 'chess', quiet)).kept).toBe(200);
  // A percent sign that encodes nothing is a part of the name.
  const odd = await service.importUrl('https://example.org/100%.uci.txt', 'chess', quiet);
  expect(unwrap(odd).kept).toBe(200);
  const cancelling = service.import(
    [new File([gameLines(1200, 'long', 10)], 'long.uci.txt')],
    'chess',
    () => void service.cancel(),
  );
  expect(await cancelling).toMatchObject({ ok: false, error: { code: 'cancelled' } });
});

test('invented games of every domain that has them are listed first, made when opened, and stay', async () => {
  const service = dataHandlers(await host());
  const sets = await service.list();
  const inventing = DOMAINS.filter(({ invented }) => invented !== null).map(({ name }) => name);
  expect(sets.map(({ key }) => key)).toEqual([EMBEDDED, ...inventing.map((name) => `invented-${name}`)]);
  expect(sets.map(({ domain }) => domain)).toEqual(['chess', ...inventing]);
  const [, listed] = sets;
  expect(listed).toMatchObject({ title: 'Invented games', domain: 'baseball' });
  const progress: DataProgress[] = [];
  const reader = overPort(service);
  const request = { key: 'invented-baseball', splits: ALL };
  const opened = unwrap(await reader.read(request, { onProgress: (event) => progress.push(event) }));
  const games = ['train', 'dev', 'test', 'probe'] as const;
  expect(games.map((split) => opened[split].offsets.length - 1)).toEqual([3000, 150, 150, 150]);
  expect(games.map((split) => listed.splits[split].games)).toEqual([3000, 150, 150, 150]);
  expect(opened.summary.hash).toBe(listed.hash);
  expect(opened.summary.splits.train.events).toBe(opened.train.events.length);
  // What the list says of a set that is not made yet comes from a sample of it.
  expect(listed.splits.train.events / opened.train.events.length).toBeGreaterThan(0.9);
  expect(listed.splits.train.events / opened.train.events.length).toBeLessThan(1.1);
  const again = unwrap(await dataHandlers(await host()).read(request));
  expect(again.probe.events).toEqual(opened.probe.events);
  expect(progress.length).toBeGreaterThan(10);
  await expect.poll(() => progress.at(-1)).toMatchObject({ share: 1, games: 3450 });
  expect(await service.remove('invented-baseball')).toMatchObject({ ok: false, error: { code: 'embedded' } });
});

test('making games can be given up, and begun again', async () => {
  const service = dataHandlers(await host());
  const reader = overPort(service);
  const wanted = { key: 'invented-baseball', splits: ALL };
  const other = reader.read({ key: 'invented-noughts', splits: ALL });
  const given = await reader.read(wanted, { cancelled: () => true });
  expect(given).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  // Nobody else's games are given up with them.
  expect(unwrap(await other).train.offsets.length).toBeGreaterThan(1);
  expect(unwrap(await reader.read(wanted)).probe.offsets.length).toBe(151);
});

test('an import belongs to a domain, and another game is refused in one sentence', async () => {
  const service = dataHandlers(await host());
  const verbs = Array.from(simulateGames(60, 9), (trace) => baseball.traces.format(trace));
  const lines = verbs.map((tokens) => JSON.stringify({ tokens, source: 'retrosheet' })).join('\n');
  const report = unwrap(await service.import([new File([lines], 'season.jsonl')], 'baseball', quiet));
  expect(report.summary).toMatchObject({ domain: 'baseball', notice: expect.stringContaining('Retrosheet') });
  expect(report.summary.description).toContain('copyrighted by Retrosheet');
  expect(report.summary.licence).toContain('copyrighted by Retrosheet');
  const opened = unwrap(await service.read({ key: report.summary.key, splits: ALL }));
  expect(opened.train.offsets.length - 1).toBe(report.summary.splits.train.games);
  const chess = new File([gameLines(20, 'other', 12)], 'mine.uci.txt');
  expect(await service.import([chess], 'baseball', quiet)).toMatchObject({
    ok: false,
    error: { code: 'other-game', message: 'mine.uci.txt: this holds games of chess; choose Chess first.' },
  });
  expect(await service.import([chess], 'go', quiet)).toMatchObject({ ok: false, error: { code: 'unknown-domain' } });
});

test('a file that costs too much is refused by its cost, and read anyway where a person says so', async () => {
  const service = dataHandlers(await host());
  const bytes = gzipSync(`${gameLines(20, 'a', 12)}\n${`${' '.repeat(99_999)}\n`.repeat(200)}`);
  const file = new File([new Uint8Array(bytes)], 'spaces.uci.txt.gz');
  const report = unwrap(await service.import([file], 'chess', quiet));
  expect(report).toMatchObject({ kept: 20, failures: [{ code: OVER_LIMIT }] });
  expect(await service.import([new File([craftedFiles['overlapping.zip']()], 'o.zip')], 'chess', quiet)).toMatchObject({
    ok: false,
  });
  expect(
    await service.import(
      [new File([craftedFiles['page-of-two-thousand-million.parquet']()], 'p.parquet')],
      'chess',
      quiet,
    ),
  ).toMatchObject({
    ok: false,
    error: { code: OVER_LIMIT },
  });
  const anyway = unwrap(await service.import([file], 'chess', quiet, 1));
  expect(anyway).toMatchObject({ kept: 20, failures: [] });
});

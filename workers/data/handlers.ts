import { fail, failureOf, ok, type Failure, type Result } from '../../src/base/result.ts';
import { chunks, type ByteStream } from '../../src/base/streams.ts';
import type { GameRecord } from '../../src/data/game-record.ts';
import type { Manifest } from '../../src/data/manifest.ts';
import { prepare, testbedFilters } from '../../src/data/prepare.ts';
import { readManifest, readShards, writeShards, type FetchBytes } from '../../src/data/shards.ts';
import { readGames, type GameSource, type TraceDomain } from '../../src/data/sources.ts';
import { domainNamed } from '../../src/domains/domains.ts';
import { guarded } from '../guarded.ts';
import type { GameFolders } from './game-folders.ts';
import type { CorpusBuffers, DataProgress, DataService, GamesSummary, ImportReport, OpenedGames } from './protocol.ts';

export const EMBEDDED = 'embedded';
const SPLITS = ['train', 'dev', 'test', 'probe'];
const SHARES = { train: 0.9, dev: 0.04, test: 0.02, probe: 0.04 };
const SPLIT_SEED = 1;
const FAILURES_TOLD = 20;
/** Games between two words to the page. */
const TOLD_EVERY = 500;

/** What the host gives: the embedded shards, folders for imported ones, and the network. */
export interface DataHost {
  embedded: FetchBytes;
  folders: GameFolders;
  fetch(url: string): Promise<Response>;
  /** Lets the thread answer waiting messages, so that an import can be cancelled. */
  pause(): Promise<void>;
}

export function dataHandlers(host: DataHost): DataService {
  let cancelled = false;

  const readerOf = (key: string): FetchBytes => (key === EMBEDDED ? host.embedded : host.folders.reader(key));

  async function summaryOf(key: string): Promise<Result<GamesSummary>> {
    const manifest = await readManifest(readerOf(key));
    return manifest.ok ? ok(summarise(key, manifest.value)) : manifest;
  }

  /** Filters, splits and stores games as a new set. */
  async function store(
    title: string,
    source: string,
    licence: string,
    games: AsyncIterable<Result<GameRecord>>,
    onProgress: (progress: DataProgress) => void,
    share: () => number | null,
  ): Promise<Result<ImportReport>> {
    cancelled = false;
    const failures: Failure[] = [];
    let told = 0;
    const prepared = await prepare(untilCancelled(games), {
      filters: testbedFilters,
      shares: SHARES,
      seed: SPLIT_SEED,
      onFailure: (failure) => {
        if (failures.length < FAILURES_TOLD) failures.push(failure);
      },
      onProgress: (read, kept) => {
        if (read - told < TOLD_EVERY) return;
        told = read;
        onProgress({ words: `Reading ${title}: ${read} games, ${kept} kept`, share: share(), games: kept });
      },
    });
    if (cancelled) return fail('cancelled', 'The import was cancelled; nothing was stored.');
    if (!prepared.ok) return prepared;
    const key = await freeKey(title);
    try {
      const store = () =>
        writeShards(prepared.value, {
          name: title,
          source,
          licence,
          filters: testbedFilters,
          splitSeed: SPLIT_SEED,
          createdBy: 'Blindfold',
          write: (path, bytes) => host.folders.write(key, path, bytes),
          onProgress: (written, of) => onProgress({ words: `Storing ${title}`, share: written / of, games: written }),
        });
      const manifest = await host.folders.importing(store);
      const { read, kept, dropped } = prepared.value.counts;
      return ok({ summary: summarise(key, manifest), read, kept, dropped, failures });
    } catch (error) {
      // A set without its manifest must not stay behind half-written.
      await host.folders.remove(key).catch(() => undefined);
      return storageFailure(error);
    }
  }

  async function* untilCancelled(games: AsyncIterable<Result<GameRecord>>): AsyncGenerator<Result<GameRecord>> {
    let read = 0;
    for await (const game of games) {
      if (++read % TOLD_EVERY === 0) await host.pause();
      if (cancelled) return;
      yield game;
    }
  }

  /** A folder name that is not taken. */
  async function freeKey(title: string): Promise<string> {
    const stem =
      title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 40) || 'games';
    const taken = new Set([EMBEDDED, ...(await host.folders.keys())]);
    for (let i = 1; ; i++) {
      const key = i === 1 ? stem : `${stem}-${i}`;
      if (!taken.has(key)) return key;
    }
  }

  return {
    async list() {
      await host.folders.sweep();
      const summaries = await Promise.all([EMBEDDED, ...(await host.folders.keys())].map(summaryOf));
      return summaries.filter((summary) => summary.ok).map((summary) => summary.value);
    },

    async open(key, onProgress) {
      return guarded<OpenedGames>(async () => {
        const reader = readerOf(key);
        const manifest = await readManifest(reader);
        if (!manifest.ok) return manifest;
        const wanted = SPLITS.filter((split) => manifest.value.splits[split]);
        const total = wanted.reduce((sum, split) => sum + manifest.value.splits[split].games, 0);
        let before = 0;
        const failures: Failure[] = [];
        const corpora: Record<string, CorpusBuffers> = {};
        for (const split of SPLITS) {
          if (!wanted.includes(split)) {
            corpora[split] = { moves: new Uint16Array(0), offsets: new Uint32Array(1) };
            continue;
          }
          const loaded = await readShards(manifest.value, split, {
            fetchBytes: reader,
            onProgress: (games) =>
              onProgress({
                words: `Reading ${manifest.value.name}`,
                share: (before + games) / Math.max(1, total),
                games: before + games,
              }),
          });
          before += loaded.corpus.length;
          failures.push(...loaded.failures.slice(0, FAILURES_TOLD - failures.length));
          corpora[split] = { moves: loaded.corpus.moves, offsets: loaded.corpus.offsets };
        }
        if (corpora.train.offsets.length < 2)
          return fail(
            'no-games',
            failures[0]?.message ?? `${manifest.value.name} has no training games; choose another set.`,
          );
        return ok({
          summary: summarise(key, manifest.value),
          train: corpora.train,
          dev: corpora.dev,
          test: corpora.test,
          probe: corpora.probe,
          failures,
        });
      });
    },

    async import(files, domain, onProgress) {
      if (files.length === 0) return fail('no-files', 'No file was given; drop or choose one or more files of games.');
      const named = domainNamed(domain);
      if (!named.ok) return named;
      return guarded(async () => {
        const total = files.reduce((sum, file) => sum + file.size, 0);
        let read = 0;
        const count = (bytes: number) => (read += bytes);
        const title = files.length === 1 ? files[0].name : `${files[0].name} and ${files.length - 1} more`;
        const sources = files.map((file) => ({ name: file.name, stream: counting(file.stream(), count) }));
        const games = allGames(sources, named.value);
        return store(
          title,
          `Read from ${title} on this device.`,
          'as its owner gives it',
          games,
          onProgress,
          () => read / Math.max(1, total),
        );
      });
    },

    async importUrl(url, domain, onProgress) {
      const named = domainNamed(domain);
      if (!named.ok) return named;
      return guarded(async () => {
        const address = URL.canParse(url) ? new URL(url) : null;
        if (!address || !/^https?:$/.test(address.protocol))
          return fail('bad-address', `"${url.slice(0, 200)}" is no web address; give one that begins with https://.`);
        let response: Response;
        try {
          response = await host.fetch(address.href);
        } catch {
          return fail(
            'unreachable-address',
            `${address.href} could not be reached, or its server does not allow other pages to read it. Download the file and drop it here instead.`,
          );
        }
        if (!response.ok || !response.body)
          return fail('bad-answer', `${address.href} answered ${response.status}; check the address.`);
        const total = Number(response.headers.get('content-length')) || null;
        let read = 0;
        const name = decodeURIComponent(address.pathname.split('/').pop() || address.hostname);
        const games = readGames({ name, stream: counting(response.body, (bytes) => (read += bytes)) }, named.value);
        return store(name, `Read from ${address.href}.`, 'as its owner gives it', games, onProgress, () =>
          total ? Math.min(1, read / total) : null,
        );
      });
    },

    async cancel() {
      cancelled = true;
    },

    async remove(key) {
      if (key === EMBEDDED) return fail('embedded', 'The embedded games belong to the lab and stay.');
      return guarded(async () => {
        await host.folders.remove(key);
        return ok(null);
      });
    },
  };
}

function summarise(key: string, manifest: Manifest): GamesSummary {
  return {
    key,
    domain: manifest.domain,
    title: manifest.name,
    words: manifest.source,
    source: manifest.source,
    licence: manifest.licence,
    hash: manifest.hash,
    splits: Object.fromEntries(
      Object.entries(manifest.splits).map(([split, { games, plies }]) => [split, { games, plies }]),
    ),
    lengths: manifest.lengths,
  };
}

async function* allGames(sources: readonly GameSource[], domain: TraceDomain): AsyncGenerator<Result<GameRecord>> {
  for (const source of sources) {
    try {
      yield* readGames(source, domain);
    } catch (error) {
      // One broken file must not lose the games of the others.
      yield { ok: false, error: failureOf(error) };
    }
  }
}

function counting(stream: ByteStream, count: (bytes: number) => void): ByteStream {
  return (async function* () {
    for await (const chunk of chunks(stream)) {
      count(chunk.length);
      yield chunk;
    }
  })();
}

function storageFailure(error: unknown): { ok: false; error: Failure } {
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return fail(
      'storage-full',
      'This browser has no room left for these games. Delete sets or runs that you no longer need, then import again.',
    );
  return { ok: false, error: failureOf(error) };
}

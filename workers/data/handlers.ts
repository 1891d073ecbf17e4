import { Budget, LIMITS, raisedLimits } from '../../src/base/budget.ts';
import { wholeOf } from '../../src/base/whole-of.ts';
import { fail, InputError, ok, type Failure, type Result } from '../../src/base/result.ts';
import type { GameRecord } from '../../src/data/game-record.ts';
import { filtersOf, tokenCounter } from '../../src/data/filters.ts';
import { prepare } from '../../src/data/prepare.ts';
import { readManifest, writeShards, type FetchBytes } from '../../src/data/shards.ts';
import { domainNamed, type AnyDomain } from '../../src/domains/domains.ts';
import type { Arrived } from '../../src/interchange/remote/arrived.ts';
import { fetchModel, type FetchProgress } from '../../src/interchange/remote/fetch-model.ts';
import { decoded } from '../../src/interchange/remote/model-address.ts';
import { guarded } from '../guarded.ts';
import { serve, transferring } from '../wire.ts';
import type { GameFolders } from './game-folders.ts';
import { allGames, counting, storageFailure } from './import-files.ts';
import { inventedKey, inventedSummary, inventingDomain, inventingDomains } from './invented-sets.ts';
import type { DataProgress, DataService, GamesService, GamesSummary, ImportReport } from './protocol.ts';
import { MOST_FAILURES, SetReader, summaryOf } from './set-reader.ts';

export const EMBEDDED = 'embedded';
const SHARES = { train: 0.9, dev: 0.04, test: 0.02, probe: 0.04 };
const SPLIT_SEED = 1;
/** Games between two words to the page. */
const TOLD_EVERY = 500;
/** The page hears of a transfer at most this often, milliseconds. */
const FETCH_REPORTED_EVERY = 100;
/** Games between two looks at the messages that wait; a game of baseball is some six of chess. */
const PAUSE_EVERY = 100;
const CANCELLED = fail('cancelled', 'The import was cancelled; nothing was stored.');

/** What the host gives: the embedded shards, folders for imported ones, and the network. */
export interface DataHost {
  embedded: FetchBytes;
  folders: GameFolders;
  fetch(url: string, init?: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response>;
  /** Lets the thread answer waiting messages, so that an import can be cancelled. */
  pause(): Promise<void>;
  /** Milliseconds. */
  clock(): number;
}

export function dataHandlers(host: DataHost): DataService {
  /** Counts what can be cancelled; all up to `cancelledUpTo` has been. */
  let begun = 0;
  let cancelledUpTo = 0;
  /** Ends requests that wait for their server, which looks at nothing meanwhile. */
  let aborter = new AbortController();
  /** What has arrived of a model whose transfer broke off, by address. */
  let arrived = new Map<string, Arrived>();
  const begin = (): (() => boolean) => {
    const own = ++begun;
    return () => own <= cancelledUpTo;
  };

  /** What reading a file may cost, `upTo` gigabytes where a person said so; while it is decoded it can be cancelled. */
  const budgetOf = (file: string, upTo: number | null, cancelled: () => boolean): Budget =>
    new Budget(file, upTo === null ? LIMITS : raisedLimits(upTo), {
      clock: host.clock,
      pause: async () => {
        await host.pause();
        if (cancelled()) throw new InputError(CANCELLED.error);
      },
    });

  const readerOf = (key: string): FetchBytes => (key === EMBEDDED ? host.embedded : host.folders.reader(key));

  const reader = new SetReader({ readerOf, pause: () => host.pause() });

  async function listed(key: string): Promise<Result<GamesSummary>> {
    const manifest = await readManifest(readerOf(key));
    return manifest.ok ? ok(summaryOf(key, manifest.value)) : manifest;
  }

  /** Filters, splits and stores games as a new set. */
  async function store(
    domain: AnyDomain,
    { title, source, licence }: { title: string; source: string; licence: string },
    games: AsyncIterable<Result<GameRecord>>,
    onProgress: (progress: DataProgress) => void,
    share: () => number | null,
    cancelled: () => boolean,
  ): Promise<Result<ImportReport>> {
    const filters = filtersOf(domain.name);
    const failures: Failure[] = [];
    let told = 0;
    const prepared = await prepare(untilCancelled(games, cancelled), {
      filters,
      tokens: filters.maxTokens ? tokenCounter(domain) : undefined,
      shares: SHARES,
      seed: SPLIT_SEED,
      onFailure: (failure) => {
        if (failures.length < MOST_FAILURES) failures.push(failure);
      },
      onProgress: (read, kept) => {
        if (read - told < TOLD_EVERY) return;
        told = read;
        onProgress({ words: `Reading ${title}: ${read} games, ${kept} kept`, share: share(), games: kept });
      },
    });
    if (cancelled()) return CANCELLED;
    if (!prepared.ok) return prepared;
    const key = await freeKey(title);
    try {
      const store = () =>
        writeShards(prepared.value, {
          name: title,
          source,
          licence,
          domain,
          filters,
          splitSeed: SPLIT_SEED,
          createdBy: 'Blindfold',
          write: (path, bytes) => host.folders.write(key, path, bytes),
          onProgress: (written, of) => onProgress({ words: `Storing ${title}`, share: written / of, games: written }),
        });
      const manifest = await host.folders.importing(store);
      const { read, kept, dropped } = prepared.value.counts;
      return ok({ summary: summaryOf(key, manifest), read, kept, dropped, failures });
    } catch (error) {
      // A set without its manifest must not stay behind half-written.
      await host.folders.remove(key).catch(() => undefined);
      return storageFailure(error);
    }
  }

  async function* untilCancelled(
    games: AsyncIterable<Result<GameRecord>>,
    cancelled: () => boolean,
  ): AsyncGenerator<Result<GameRecord>> {
    let read = 0;
    for await (const game of games) {
      if (++read % PAUSE_EVERY === 0) await host.pause();
      if (cancelled()) return;
      yield game;
    }
  }

  /** What is at an address: its answer, whose body has not been read, and the name of the file there. */
  async function answerOf(url: string) {
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
    const { body } = response;
    return response.ok && body
      ? ok({ address, response, body, name: fileNameOf(address) })
      : fail('bad-answer', `${address.href} answered ${response.status}; check the address.`);
  }

  /** A folder name that is not taken. */
  async function freeKey(title: string): Promise<string> {
    const stem =
      title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 40) || 'games';
    const lab = [EMBEDDED, ...inventingDomains().map(({ name }) => inventedKey(name))];
    const taken = new Set([...lab, ...(await host.folders.keys())]);
    for (let i = 1; ; i++) {
      const key = i === 1 ? stem : `${stem}-${i}`;
      if (!taken.has(key)) return key;
    }
  }

  return {
    read: (request) => reader.read(request),

    async connect(port) {
      serve<GamesService>(reader.service(), port);
    },

    async list() {
      await host.folders.sweep();
      const [embedded, ...imported] = await Promise.all([EMBEDDED, ...(await host.folders.keys())].map(listed));
      const invented = await Promise.all(inventingDomains().map(inventedSummary));
      const values = (results: Result<GamesSummary>[]) => results.filter((one) => one.ok).map((one) => one.value);
      return [...values([embedded]), ...invented, ...values(imported)];
    },

    async import(files, domain, onProgress, upTo = null) {
      if (files.length === 0) return fail('no-files', 'No file was given; drop or choose one or more files of games.');
      const named = domainNamed(domain);
      if (!named.ok) return named;
      return guarded(async () => {
        const total = files.reduce((sum, file) => sum + file.size, 0);
        let read = 0;
        const cancelled = begin();
        const count = (bytes: number) => (read += bytes);
        const title = files.length === 1 ? files[0].name : `${files[0].name} and ${files.length - 1} more`;
        const sources = files.map((file) => ({
          name: file.name,
          stream: counting(file.stream(), count),
          budget: budgetOf(file.name, upTo, cancelled),
        }));
        const games = allGames(sources, named.value);
        return store(
          named.value,
          { title, source: `Read from ${title} on this device.`, licence: 'as its owner gives it' },
          games,
          onProgress,
          () => read / Math.max(1, total),
          cancelled,
        );
      });
    },

    async importUrl(url, domain, onProgress, upTo = null) {
      const named = domainNamed(domain);
      if (!named.ok) return named;
      return guarded(async () => {
        const answer = await answerOf(url);
        if (!answer.ok) return answer;
        const { address, response, body, name } = answer.value;
        const total = Number(response.headers.get('content-length')) || null;
        let read = 0;
        const cancelled = begin();
        const stream = counting(body, (bytes) => (read += bytes));
        const games = allGames([{ name, stream, budget: budgetOf(name, upTo, cancelled) }], named.value);
        return store(
          named.value,
          { title: name, source: `Read from ${address.href}.`, licence: 'as its owner gives it' },
          games,
          onProgress,
          () => (total ? Math.min(1, read / total) : null),
          cancelled,
        );
      });
    },

    fetchText: (url, most) =>
      guarded(async () => {
        const cancelled = begin();
        const answer = await answerOf(url);
        if (!answer.ok) return answer;
        const { body, name } = answer.value;
        let read = 0;
        const counted = counting(body, (bytes) => {
          read += bytes;
          if (cancelled()) throw new InputError(CANCELLED.error);
          if (read > most)
            throw new InputError(
              fail('too-large', `${name} has more than ${most / 1e6} MB. Split it, or use the command line.`).error,
            );
        });
        return ok({ name, text: new TextDecoder().decode(await wholeOf(counted, new Budget(name))) });
      }),

    async fetchModel(url, onProgress, upTo = null) {
      const cancelled = begin();
      const { signal } = aborter;
      let newest: FetchProgress;
      let timer: ReturnType<typeof setTimeout> | null = null;
      const report = (): void => {
        timer = null;
        onProgress(newest);
      };
      const transfer = {
        cancelled,
        fetch: (address: string, headers: Record<string, string>) => host.fetch(address, { headers, signal }),
        wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
      };
      const progress = (event: FetchProgress): void => {
        newest = event;
        timer ??= setTimeout(report, FETCH_REPORTED_EVERY);
      };
      const limits = upTo === null ? LIMITS : raisedLimits(upTo);
      const fetched = await fetchModel(url, transfer, progress, arrived, limits);
      if (timer !== null) clearTimeout(timer);
      if (fetched.ok || fetched.error.code === 'cancelled') arrived = new Map();
      if (!fetched.ok) return fetched;
      return transferring(
        fetched,
        [...fetched.value.files.values()].map(({ buffer }) => buffer as ArrayBuffer),
      );
    },

    async cancel() {
      cancelledUpTo = begun;
      aborter.abort();
      aborter = new AbortController();
    },

    async remove(key) {
      if (key === EMBEDDED) return fail('embedded', 'The embedded games belong to the lab and stay.');
      if (inventingDomain(key) !== null)
        return fail('embedded', 'Invented games are made when they are opened; there is nothing to delete.');
      return guarded(async () => {
        await host.folders.remove(key);
        return ok(null);
      });
    },
  };
}

/** The last part of an address, as a file is called. */
function fileNameOf({ pathname, hostname }: URL): string {
  return decoded(pathname.split('/').pop() || hostname);
}

import { Budget, LIMITS, raisedLimits } from '../../src/base/budget.ts';
import { wholeOf } from '../../src/base/whole-of.ts';
import { fail, InputError, inputError, ok, unwrap, type Result } from '../../src/base/result.ts';
import { readManifest, type FetchBytes } from '../../src/data/shards.ts';
import { domainNamed } from '../../src/domains/domains.ts';
import type { Arrived } from '../../src/interchange/remote/arrived.ts';
import { fetchModel, type FetchProgress } from '../../src/interchange/remote/fetch-model.ts';
import { guarded } from '../guarded.ts';
import { serve, transferring } from '../wire.ts';
import type { DataHost } from './data-host.ts';
import { allGames, counting } from './import-files.ts';
import { inventedSummary, inventingDomain, inventingDomains } from './invented-sets.ts';
import type { DataService, GamesService, GamesSummary } from './protocol.ts';
import { SetReader, summaryOf } from './set-reader.ts';
import { CANCELLED, EMBEDDED, storeGames } from './store-games.ts';
import { answerOf } from './web-file.ts';

/** The page hears of a transfer at most this often, milliseconds. */
const FETCH_REPORTED_EVERY = 100;

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
      return guarded(async () => {
        const of = unwrap(domainNamed(domain));
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
        const set = { title, source: `Read from ${title} on this device.`, games: allGames(sources, of) };
        return storeGames(host, of, set, onProgress, () => read / Math.max(1, total), cancelled);
      });
    },

    importUrl: (url, domain, onProgress, upTo = null) =>
      guarded(async () => {
        const of = unwrap(domainNamed(domain));
        const { address, response, body, name } = await answerOf(host, url);
        const total = Number(response.headers.get('content-length')) || null;
        let read = 0;
        const cancelled = begin();
        const stream = counting(body, (bytes) => (read += bytes));
        const games = allGames([{ name, stream, budget: budgetOf(name, upTo, cancelled) }], of);
        const set = { title: name, source: `Read from ${address.href}.`, games };
        return storeGames(host, of, set, onProgress, () => total && Math.min(1, read / total), cancelled);
      }),

    fetchText: (url, most) =>
      guarded(async () => {
        const cancelled = begin();
        const { body, name } = await answerOf(host, url);
        let read = 0;
        const counted = counting(body, (bytes) => {
          read += bytes;
          if (cancelled()) throw new InputError(CANCELLED.error);
          if (read > most)
            throw inputError('too-large', `${name} has more than ${most / 1e6} MB. Split it, or use the command line.`);
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

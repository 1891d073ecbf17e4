import { fail, ok, type Failure, type Result } from '../../src/base/result.ts';
import type { GameRecord } from '../../src/data/game-record.ts';
import { filtersOf, tokenCounter } from '../../src/data/filters.ts';
import { prepare } from '../../src/data/prepare.ts';
import { writeShards } from '../../src/data/shards.ts';
import type { AnyDomain } from '../../src/domains/domains.ts';
import type { GameFolders } from './game-folders.ts';
import type { DataHost } from './data-host.ts';
import { storageFailure } from './import-files.ts';
import { inventedKey, inventingDomains } from './invented-sets.ts';
import type { DataProgress, ImportReport } from './protocol.ts';
import { MOST_FAILURES, summaryOf } from './set-reader.ts';

/** The key of the games that come with the lab. */
export const EMBEDDED = 'embedded';
const SHARES = { train: 0.9, dev: 0.04, test: 0.02, probe: 0.04 };
const SPLIT_SEED = 1;
/** Games between two reports of progress. */
const REPORTED_EVERY = 500;
/** Games between two looks at the messages that wait; a game of baseball is some six of chess. */
const PAUSE_EVERY = 100;
export const CANCELLED = fail('cancelled', 'The import was cancelled; nothing was stored.');

/** Filters, splits and stores games as a new set. Fails with `cancelled`, or where there is no room. */
export async function storeGames(
  host: Pick<DataHost, 'folders' | 'pause'>,
  domain: AnyDomain,
  { title, source, games }: { title: string; source: string; games: AsyncIterable<Result<GameRecord>> },
  onProgress: (progress: DataProgress) => void,
  share: () => number | null,
  cancelled: () => boolean,
): Promise<Result<ImportReport>> {
  const filters = filtersOf(domain.name);
  const failures: Failure[] = [];
  let reported = 0;
  const prepared = await prepare(untilCancelled(host, games, cancelled), {
    filters,
    tokens: filters.maxTokens ? tokenCounter(domain) : undefined,
    shares: SHARES,
    seed: SPLIT_SEED,
    onFailure: (failure) => {
      if (failures.length < MOST_FAILURES) failures.push(failure);
    },
    onProgress: (read, kept) => {
      if (read - reported < REPORTED_EVERY) return;
      reported = read;
      onProgress({ label: `Reading ${title}: ${read} games, ${kept} kept`, share: share(), games: kept });
    },
  });
  if (cancelled()) return CANCELLED;
  if (!prepared.ok) return prepared;
  const key = await freeKey(host.folders, title);
  try {
    const store = () =>
      writeShards(prepared.value, {
        name: title,
        source,
        licence: 'as its owner gives it',
        domain,
        filters,
        splitSeed: SPLIT_SEED,
        createdBy: 'Blindfold',
        write: (path, bytes) => host.folders.write(key, path, bytes),
        onProgress: (written, of) => onProgress({ label: `Storing ${title}`, share: written / of, games: written }),
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
  { pause }: Pick<DataHost, 'pause'>,
  games: AsyncIterable<Result<GameRecord>>,
  cancelled: () => boolean,
): AsyncGenerator<Result<GameRecord>> {
  let read = 0;
  for await (const game of games) {
    if (++read % PAUSE_EVERY === 0) await pause();
    if (cancelled()) return;
    yield game;
  }
}

/** A folder name that is not taken. */
async function freeKey(folders: GameFolders, title: string): Promise<string> {
  const stem =
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'games';
  const lab = [EMBEDDED, ...inventingDomains().map(({ name }) => inventedKey(name))];
  const taken = new Set([...lab, ...(await folders.keys())]);
  for (let i = 1; ; i++) {
    const key = i === 1 ? stem : `${stem}-${i}`;
    if (!taken.has(key)) return key;
  }
}

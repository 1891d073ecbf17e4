import { fail, inputError, ok, unwrap, type Failure, type Result } from '../../src/base/result.ts';
import { Corpus, SPLITS, type Split } from '../../src/data/corpus.ts';
import type { Manifest } from '../../src/data/manifest.ts';
import { gamesWanted, readManifest, readShards, type FetchBytes } from '../../src/data/shards.ts';
import { domainNamed } from '../../src/domains/domains.ts';
import { guarded } from '../guarded.ts';
import { transferring } from '../wire.ts';
import { inventingDomain, makeInvented } from './invented-sets.ts';
import type { CorpusBuffers, DataProgress, GamesRead, GamesRequest, GamesService, GamesSummary } from './protocol.ts';

/** The first failures of a set are reported, not thousands. */
export const MOST_FAILURES = 20;

/** A set of games, as far as it has been read. */
export interface OpenSet {
  summary: GamesSummary;
  /** Names the training games: the set's hash, and how many there are where some could not be read. */
  manifest: string;
  corpora: Partial<Record<Split, Corpus>>;
  /** Of the splits just read. */
  failures: Failure[];
}

/** Reports progress and lets waiting messages in. Throws where the games are no longer wanted. */
export type ReportGames = (progress: DataProgress) => Promise<void>;

/**
 * Reads sets of games for several readers. The set that was read last stays in memory, since the workers that prepare a
 * run ask for the same games one after another.
 */
export class SetReader {
  private last: OpenSet | null = null;

  constructor(private readonly host: { readerOf(key: string): FetchBytes; pause(): Promise<void> }) {}

  /** What one worker reads games with. */
  service(): GamesService {
    const cancelled = new Set<number>();
    return {
      read: (id, request, onProgress) =>
        this.read(request, onProgress, () => cancelled.has(id)).finally(() => cancelled.delete(id)),
      async cancel(id) {
        cancelled.add(id);
      },
    };
  }

  read(
    { key, splits }: GamesRequest,
    onProgress: (progress: DataProgress) => void = () => undefined,
    cancelled: () => boolean = () => false,
  ): Promise<Result<GamesRead>> {
    const report: ReportGames = async (progress) => {
      onProgress(progress);
      await this.host.pause();
      if (cancelled()) throw inputError('cancelled', 'Reading the games was cancelled.');
    };
    return guarded(async () => {
      const wanted = SPLITS.filter((split) => splits[split] !== undefined);
      const inventing = inventingDomain(key);
      const { summary, manifest, corpora, failures } = await (inventing
        ? this.invented(key, () => makeInvented(inventing, report))
        : this.stored(key, splits, report));
      if (wanted.includes('train') && corpora.train!.length === 0)
        return fail('no-games', failures[0]?.message ?? `${summary.title} has no training games; choose another set.`);
      const sent = Object.fromEntries(
        SPLITS.map((split) => [split, copied(wanted.includes(split) ? corpora[split]!.first(splits[split]!) : NONE)]),
      ) as Record<Split, CorpusBuffers>;
      return transferring(
        ok({ summary, manifest, ...sent, failures }),
        Object.values(sent).flatMap(({ events, offsets }) => [events.buffer, offsets.buffer]),
      );
    });
  }

  private async invented(key: string, make: () => Promise<OpenSet>): Promise<OpenSet> {
    if (this.last?.summary.key !== key) this.last = await make();
    return this.last;
  }

  /** The splits of a set of shards that are wanted, as far as they are, and those that were read before. */
  private async stored(key: string, wanted: GamesRequest['splits'], report: ReportGames): Promise<OpenSet> {
    const fetchBytes = this.host.readerOf(key);
    const manifest = unwrap(await readManifest(fetchBytes));
    const { name, splits, hash } = manifest;
    const domain = unwrap(domainNamed(manifest.domain));
    const known = this.last?.summary.key === key && this.last.summary.hash === hash ? this.last.corpora : {};
    const games = (split: Split): number => gamesWanted(manifest, split, wanted[split]);
    const missing = SPLITS.filter((split) => {
      const before = known[split]?.length;
      return wanted[split] !== undefined && (before === undefined || before < games(split));
    });
    const total = missing.reduce((sum, split) => sum + games(split), 0);
    const whole = { ...known };
    const corpora = { ...known };
    const failures: Failure[] = [];
    let naming = hash;
    let before = 0;
    for (const split of missing) {
      const read =
        splits[split] === undefined
          ? { corpus: NONE, failures: [] }
          : await readShards(manifest, split, {
              ...{ fetchBytes, domain, atMost: wanted[split] },
              onProgress: (games) =>
                report({
                  label: `Reading ${name}`,
                  share: (before + games) / Math.max(1, total),
                  games: before + games,
                }),
            });
      before += read.corpus.length;
      failures.push(...read.failures.slice(0, MOST_FAILURES - failures.length));
      corpora[split] = read.corpus;
      // What could not be read whole is tried again next time.
      if (read.failures.length === 0) whole[split] = read.corpus;
      else if (split === 'train') naming = `${hash}, ${read.corpus.length} games`;
    }
    const summary = summaryOf(key, manifest);
    this.last = { summary, manifest: hash, corpora: whole, failures: [] };
    return { summary, manifest: naming, corpora, failures };
  }
}

const NONE = Corpus.from([]);

/** Arrays that can be moved to another thread without those that stay here. */
function copied({ events, offsets }: Corpus): CorpusBuffers {
  return { events: events.slice(), offsets: offsets.slice() };
}

/** What the list tells of a set of shards. */
export function summaryOf(key: string, manifest: Manifest): GamesSummary {
  return {
    key,
    domain: manifest.domain,
    title: manifest.name,
    description: manifest.source,
    source: manifest.source,
    licence: manifest.licence,
    hash: manifest.hash,
    splits: Object.fromEntries(
      Object.entries(manifest.splits).map(([split, { games, plies }]) => [split, { games, events: plies }]),
    ),
    lengths: manifest.lengths,
    ...(manifest.lengthStep === undefined ? {} : { lengthStep: manifest.lengthStep }),
    ...(manifest.notice === undefined ? {} : { notice: manifest.notice }),
  };
}

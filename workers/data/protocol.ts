import type { Failure, Result } from '../../src/base/result.ts';
import type { Split } from '../../src/data/corpus.ts';
import type { FetchProgress } from '../../src/interchange/remote/fetch-model.ts';

export type { FetchProgress };

/** A corpus as it crosses threads: all events end to end, and where each game starts. */
export interface CorpusBuffers {
  events: Uint16Array;
  /** games + 1 entries. */
  offsets: Uint32Array;
}

export interface SplitSummary {
  games: number;
  /** Plies of chess, verbs of baseball, moves of others; about as many where a set is still to be made. */
  events: number;
}

/** A set of games that can be trained on. */
export interface GamesSummary {
  /** "embedded" (chess), "invented-DOMAIN" for games made up on the spot, or the key of an imported set. */
  key: string;
  /** The game, as src/domains/domains.ts names it. */
  domain: string;
  title: string;
  /** Where the games come from and under what terms, one or two plain sentences. */
  description: string;
  source: string;
  licence: string;
  /** sha256 of the manifest; of an invented set what names its games. */
  hash: string;
  splits: Record<string, SplitSummary>;
  /** Histogram of game lengths in events, bins of `lengthStep` from 0; of a sample where a set is still to be made. */
  lengths: number[];
  /** 10 where it is left out. */
  lengthStep?: number;
  /** What must be said wherever these games are used; `words` and `licence` say it too. */
  notice?: string;
}

/** The games of a set that somebody needs. */
export interface GamesRequest {
  key: string;
  /** The splits to read, each with the most games to give of it; null for all. */
  splits: Partial<Record<Split, number | null>>;
}

export interface GamesRead extends Record<Split, CorpusBuffers> {
  summary: GamesSummary;
  /** Names the training games in a run's config: the hash of the set, and where some could not be read how many there were. */
  manifest: string;
  /** Shards that could not be read; the rest is there. */
  failures: Failure[];
}

export interface DataProgress {
  /** What is happening, for people: "Reading shard 3 of 10". */
  label: string;
  /** 0 to 1, or null where the size is unknown. */
  share: number | null;
  games: number;
}

export interface ImportReport {
  summary: GamesSummary;
  read: number;
  kept: number;
  dropped: Record<string, number>;
  /** The first twenty games that could not be read, with file, line and ply. */
  failures: Failure[];
}

/** Gives games to a worker that needs some, through a port of its own (games-port.ts). */
export interface GamesService {
  /** As DataService has it; `id` is what `cancel` calls it. */
  read(id: number, request: GamesRequest, onProgress: (progress: DataProgress) => void): Promise<Result<GamesRead>>;
  /** Ends that reading, which then fails with `cancelled`. */
  cancel(id: number): Promise<void>;
}

/** A worker that reads games. */
export interface GamesReader {
  /** From now on games come through this port; null where the data worker has died. What is being read then fails. */
  connectGames(port: MessagePort | null): Promise<void>;
}

/** Reads games: the embedded shards, and whatever a person drops on the page. */
export interface DataService {
  /** Every set known on this device, of every game, those of the lab first. */
  list(): Promise<GamesSummary[]>;
  /** Reads a set, or makes it where it is an invented one. Splits that are not asked for, or that it has none of, are empty. */
  read(request: GamesRequest): Promise<Result<GamesRead>>;
  /** Another reader: a GamesService on this port. */
  connect(port: MessagePort): Promise<void>;
  /**
   * Filters (as the domain's paper does), splits and stores games of one domain from files; the set is then
   * listed under its key. `upTo`: gigabytes that a file may take, where a person wants it read although it costs more than
   * is usual (`over-limit`).
   */
  import(
    files: File[],
    domain: string,
    onProgress: (progress: DataProgress) => void,
    upTo?: number | null,
  ): Promise<Result<ImportReport>>;
  /** The same from an address. */
  importUrl(
    url: string,
    domain: string,
    onProgress: (progress: DataProgress) => void,
    upTo?: number | null,
  ): Promise<Result<ImportReport>>;
  /** The text at an address, of at most so many bytes, for what is no set of games. */
  fetchText(url: string, most: number): Promise<Result<{ name: string; text: string }>>;
  /**
   * The files of a model at an address (fetch-model.ts). What has arrived stays here where the transfer breaks off, and
   * the next call takes it up. `upTo`: gigabytes that it may take, as of `import`.
   */
  fetchModel(
    url: string,
    onProgress: (progress: FetchProgress) => void,
    upTo?: number | null,
  ): Promise<Result<{ name: string; files: Map<string, Uint8Array> }>>;
  /** Ends what is being imported or fetched, which then fails with `cancelled`. */
  cancel(): Promise<void>;
  remove(key: string): Promise<Result<null>>;
}

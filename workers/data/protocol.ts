import type { Failure, Result } from '../../src/base/result.ts';

/** A corpus as it crosses threads: all moves end to end, and where each game starts. */
export interface CorpusBuffers {
  moves: Uint16Array;
  /** games + 1 entries. */
  offsets: Uint32Array;
}

export interface SplitSummary {
  games: number;
  /** Plies of chess, verbs of baseball, moves of others; about as many where a set is still to be made. */
  plies: number;
}

/** A set of games that can be trained on. */
export interface GamesSummary {
  /** "embedded" (chess), "invented-DOMAIN" for games made up on the spot, or the key of an imported set. */
  key: string;
  /** The game, as src/domains/domains.ts names it. */
  domain: string;
  title: string;
  /** Where the games come from and under what terms, one or two plain sentences. */
  words: string;
  source: string;
  licence: string;
  /** sha256 of the manifest; of an invented set what names its games. */
  hash: string;
  splits: Record<string, SplitSummary>;
  /** Histogram of game lengths in plies (verbs, moves), bins of `lengthStep` from 0; of a sample where a set is still to be made. */
  lengths: number[];
  /** 10 where it is left out. */
  lengthStep?: number;
  /** What must be said wherever these games are used; `words` and `licence` say it too. */
  notice?: string;
}

export interface OpenedGames {
  summary: GamesSummary;
  train: CorpusBuffers;
  dev: CorpusBuffers;
  /** Empty where the set has none. */
  test: CorpusBuffers;
  probe: CorpusBuffers;
  /** Shards that could not be read; the rest is there. */
  failures: Failure[];
}

export interface DataProgress {
  /** What is happening, for people: "Reading shard 3 of 10". */
  words: string;
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

/** Reads games: the embedded shards, and whatever a person drops on the page. */
export interface DataService {
  /** Every set known on this device, of every game, those of the lab first. */
  list(): Promise<GamesSummary[]>;
  /** Reads a set, or makes it where it is an invented one. */
  open(key: string, onProgress: (progress: DataProgress) => void): Promise<Result<OpenedGames>>;
  /** Filters (as the domain's paper does), splits and stores games of one domain from files; the set is then listed under its key. */
  import(files: File[], domain: string, onProgress: (progress: DataProgress) => void): Promise<Result<ImportReport>>;
  /** The same from an address. */
  importUrl(url: string, domain: string, onProgress: (progress: DataProgress) => void): Promise<Result<ImportReport>>;
  /** Ends what is being imported or made, which then fails with `cancelled`. */
  cancel(): Promise<void>;
  remove(key: string): Promise<Result<null>>;
}

import { sha256 } from '../base/bytes.ts';
import { fail, ok, wordsOf, type Failure, type Result } from '../base/result.ts';
import { chess } from '../domains/chess/chess.ts';
import { CorpusBuilder, lengthHistogram, lengthStep, type Corpus } from './corpus.ts';
import { OTHER_GAME, type GameRecord } from './game-record.ts';
import { parseManifest, sealed, type Manifest, type ManifestFile } from './manifest.ts';
import { parquetOf, readParquet } from './parquet/parquet.ts';
import type { Filters } from './filters.ts';
import type { PreparedGames } from './prepare.ts';
import type { TraceDomain } from './sources.ts';

/** A folder of shards to read from: the bytes of a file by its path relative to the manifest; rejects where there is none. */
export type FetchBytes = (path: string) => Promise<Uint8Array>;

export const MANIFEST = 'manifest.json';
const GAMES_PER_SHARD = 3000;

/**
 * Writes prepared games as Parquet shards and, last, manifest.json, so that a folder with a manifest is whole.
 * The same games and options give the same bytes. What the sources of the games want said becomes part of the
 * manifest's source and licence.
 */
export async function writeShards(
  games: Omit<PreparedGames, 'counts'>,
  options: {
    name: string;
    source: string;
    licence: string;
    filters: Filters;
    splitSeed: number;
    /** The program and its version. */
    createdBy: string;
    domain?: TraceDomain;
    gamesPerShard?: number;
    write: (path: string, bytes: Uint8Array) => Promise<void>;
    onProgress?: (written: number, of: number) => void;
  },
): Promise<Manifest> {
  const { domain = chess, gamesPerShard = GAMES_PER_SHARD, write } = options;
  const { corpus, meta } = games;
  const notice = games.notices.join(' ');
  const step = lengthStep(corpus);
  const splits: Manifest['splits'] = {};
  let written = 0;
  for (const [split, numbers] of Object.entries(games.splits)) {
    const files: ManifestFile[] = [];
    for (let at = 0; at < numbers.length; at += gamesPerShard) {
      const rows = Array.from(numbers.subarray(at, at + gamesPerShard), (game) => {
        const trace = corpus.trace(game);
        return { moves: domain.traces.format(trace), plies: trace.length, meta: meta[game] };
      });
      const bytes = parquetOf(rows, options.createdBy);
      const path = `${split}-${String(files.length).padStart(5, '0')}.parquet`;
      await write(path, bytes);
      const plies = rows.reduce((sum, row) => sum + row.plies, 0);
      files.push({ path, games: rows.length, plies, bytes: bytes.length, sha256: await sha256(bytes) });
      written += rows.length;
      options.onProgress?.(written, corpus.length);
    }
    splits[split] = { games: numbers.length, plies: files.reduce((sum, file) => sum + file.plies, 0), files };
  }
  const manifest = await sealed({
    version: 1,
    name: options.name,
    domain: domain.name,
    source: withNotice(options.source, notice),
    licence: withNotice(options.licence, notice),
    // What was not there before is left out where it says nothing, so that sets made by older builds keep their hash.
    ...(notice === '' ? {} : { notice }),
    filters: { ...options.filters },
    splitSeed: options.splitSeed,
    createdBy: options.createdBy,
    splits,
    lengths: lengthHistogram(corpus, step),
    ...(step === 10 ? {} : { lengthStep: step }),
  });
  await write(MANIFEST, new TextEncoder().encode(JSON.stringify(manifest, null, 2) + '\n'));
  return manifest;
}

/** A text with what must be said behind it, once. */
function withNotice(text: string, notice: string): string {
  if (notice === '' || text.includes(notice)) return text;
  return `${text}${/[.!?]$/.test(text) ? '' : '.'} ${notice}`;
}

/** Reads shards over HTTP, next to a manifest's address. */
export function overHttp(manifestUrl: string): FetchBytes {
  return async (path) => {
    const response = await fetch(path === MANIFEST ? manifestUrl : new URL(path, manifestUrl));
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
}

/** The manifest of a folder of shards. Fails with `shard-missing` or `bad-manifest`. */
export async function readManifest(fetchBytes: FetchBytes): Promise<Result<Manifest>> {
  try {
    return await parseManifest(new TextDecoder().decode(await fetchBytes(MANIFEST)), MANIFEST);
  } catch (error) {
    return fail('shard-missing', `${MANIFEST} cannot be read (${wordsOf(error)}); check the folder or address.`, {
      file: MANIFEST,
    });
  }
}

/**
 * The games of a split, shard by shard. Each file's size, sha256 and number of games are checked against the
 * manifest; one that is missing or does not fit is a failure that names it, and the next is read.
 */
export async function* shardGames(
  manifest: Manifest,
  split: string,
  fetchBytes: FetchBytes,
  domain: TraceDomain = chess,
): AsyncGenerator<Result<GameRecord>> {
  const files = manifest.splits[split]?.files;
  if (!files) {
    const message = `There is no split "${split}"; the splits of ${manifest.name} are ${Object.keys(manifest.splits).join(', ')}.`;
    yield fail('no-such-split', message, { file: MANIFEST });
    return;
  }
  if (manifest.domain !== domain.name) {
    const message = `${manifest.name} holds games of ${manifest.domain}, not of ${domain.name}; choose ${manifest.domain} first.`;
    yield fail(OTHER_GAME, message, { file: MANIFEST });
    return;
  }
  for (const file of files) {
    const bytes = await checkedBytes(file, fetchBytes);
    if (!bytes.ok) {
      yield bytes;
      continue;
    }
    let games = 0;
    for await (const game of readParquet(bytes.value, file.path, domain.traces)) {
      games++;
      yield game.ok && manifest.notice !== undefined ? ok({ ...game.value, notice: manifest.notice }) : game;
    }
    if (games !== file.games) {
      const message = `${file.path} holds ${games} games and the manifest says ${file.games}; make the shards again.`;
      yield fail('shard-count', message, { file: file.path });
    }
  }
}

export interface LoadedSplit {
  corpus: Corpus;
  /** Shards and games that could not be read; the corpus holds the rest. */
  failures: Failure[];
}

/** Games of a split that there are and that are wanted. */
export function gamesWanted({ splits }: Manifest, split: string, atMost: number | null = null): number {
  const games = splits[split]?.games ?? 0;
  return Math.min(games, atMost ?? games);
}

/**
 * A split as a corpus, with what could not be read. `onProgress` is awaited after each thousand games and at the end.
 * @param options.atMost games to read, from the first on; shards behind them are not fetched
 */
export async function readShards(
  manifest: Manifest,
  split: string,
  options: {
    fetchBytes: FetchBytes;
    domain?: TraceDomain;
    atMost?: number | null;
    onProgress?: (games: number, of: number) => void | Promise<void>;
  },
): Promise<LoadedSplit> {
  const builder = new CorpusBuilder();
  const failures: Failure[] = [];
  const { atMost = null } = options;
  const total = gamesWanted(manifest, split, atMost);
  for await (const game of shardGames(manifest, split, options.fetchBytes, options.domain)) {
    if (!game.ok) failures.push(game.error);
    else {
      builder.add(game.value.events);
      if (atMost !== null && builder.length === total) break;
      if (builder.length % 1000 === 0) await options.onProgress?.(builder.length, total);
    }
  }
  await options.onProgress?.(builder.length, total);
  return { corpus: builder.finish(), failures };
}

async function checkedBytes(file: ManifestFile, fetchBytes: FetchBytes): Promise<Result<Uint8Array<ArrayBuffer>>> {
  const where = { file: file.path };
  let bytes: Uint8Array;
  try {
    bytes = await fetchBytes(file.path);
  } catch (error) {
    return fail(
      'shard-missing',
      `${file.path} cannot be read (${wordsOf(error)}); put it back beside the manifest, or load again.`,
      where,
    );
  }
  if (bytes.length !== file.bytes) {
    const message = `${file.path} has ${bytes.length} bytes and the manifest says ${file.bytes}; copy or download it again.`;
    return fail('shard-damaged', message, where);
  }
  if ((await sha256(bytes)) !== file.sha256) {
    return fail(
      'shard-damaged',
      `${file.path} is damaged: its sha256 is not the manifest's; copy or download it again.`,
      where,
    );
  }
  return ok(bytes as Uint8Array<ArrayBuffer>);
}

import { createReadStream, existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Budget, LIMITS, MOST_GIGABYTES, raisedLimits } from '../src/base/budget.ts';
import { jsonValue } from '../src/base/json.ts';
import { InputError, inputError, unwrap, type Failure, type Result } from '../src/base/result.ts';
import { decompressed, type ByteStream } from '../src/base/streams.ts';
import { wholeOf } from '../src/base/whole-of.ts';
import { OTHER_GAME, type GameRecord } from '../src/data/game-record.ts';
import type { Manifest } from '../src/data/manifest.ts';
import { MANIFEST, readManifest, shardGames, type FetchBytes } from '../src/data/shards.ts';
import { readGames } from '../src/data/sources.ts';
import { domainNamed, DOMAIN_NAMES, type AnyDomain } from '../src/domains/domains.ts';
import { inventedRecords } from './invented-games.ts';
import { readable } from './readable.ts';
import { gamesPath } from './shipped-file.ts';

export const STANDARD_INPUT = '-';

export function standardInput(): ByteStream {
  return process.stdin;
}

let limits = LIMITS;

/** Raises what reading a file may cost from now on, as --read-up-to says. */
export function readUpTo(gigabytes: string): void {
  const count = Number(gigabytes);
  if (!(count > 0 && count <= MOST_GIGABYTES))
    throw usageError(`--read-up-to ${gigabytes}: give gigabytes, at most ${MOST_GIGABYTES}.`);
  limits = raisedLimits(count);
}

/** What reading a file may cost. */
export function budgetOf(path: string): Budget {
  return new Budget(nameOf(path), limits, { clock: () => performance.now() });
}

/** The value; where there is none, an InputError whose words begin with the place, such as a file. */
export function unwrapAt<T>(place: string, result: Result<T>): T {
  if (result.ok) return result.value;
  throw new InputError({ ...result.error, message: `${place}: ${result.error.message}` });
}

/** The bytes of a file, or of standard input for "-". InputError where it cannot be read. */
export async function* openBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* path === STANDARD_INPUT ? process.stdin : createReadStream(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** A file's content, unpacked where it is under .gz, .zst or .zip. */
export function openText(path: string): AsyncGenerator<Uint8Array> {
  return decompressed(openBytes(path), nameOf(path), budgetOf(path));
}

/** The same as one string. */
export async function wholeText(path: string): Promise<string> {
  return new TextDecoder().decode(await wholeOf(openText(path), budgetOf(path)));
}

/** JSON of a file, packed or not. Fails as InputError with the code; the message ends with what to give. */
export async function jsonFile(path: string, code: string, give: string): Promise<unknown> {
  const read = jsonValue(await wholeText(path), new Budget(nameOf(path)));
  if (read.ok) return read.value;
  throw inputError(code, `${nameOf(path)}: ${read.error.message}; give ${give}.`);
}

/** How messages name a GAMES argument. */
export function nameOf(path: string): string {
  return path === STANDARD_INPUT ? 'standard input' : path;
}

/** A folder with a manifest, or the embedded games of that name, opened; null where the path is no folder. */
export async function openShardFolder(given: string): Promise<{ manifest: Manifest; fetchBytes: FetchBytes } | null> {
  const path = gamesPath(given);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return null;
  if (!existsSync(join(path, MANIFEST))) {
    throw inputError(
      'no-manifest',
      `${path} is a folder without ${MANIFEST}; give the files in it, or a folder that "prepare" wrote.`,
    );
  }
  const fetchBytes = (file: string) => readFile(join(path, file));
  return { manifest: unwrap(await readManifest(fetchBytes)), fetchBytes };
}

/** The domain that --domain names; anything else is wrong usage. */
export function wantedDomain(name: string): AnyDomain {
  const domain = domainNamed(name);
  if (domain.ok) return domain.value;
  throw usageError(`--domain ${name}: choose ${DOMAIN_NAMES.join(' or ')}.`);
}

/**
 * The games of any GAMES arguments, one after another: files of every kind, "-", shard folders (all splits, or one as
 * FOLDER:SPLIT), and "invented" ones. Games that are not legal are failures, and reading goes on; InputError where a
 * whole file or shard cannot be read. What a source wants said is said on standard error, once.
 */
export async function* gamesFrom(
  paths: readonly string[],
  domain: AnyDomain = unwrap(domainNamed('chess')),
): AsyncGenerator<Result<GameRecord>> {
  const notices = new Set<string>();
  for await (const game of everyGame(paths, domain)) {
    // A failure without a line is of the file, not of one game in it.
    if (!game.ok && game.error.where?.line === undefined) throw new InputError(withOption(game.error));
    if (game.ok && game.value.notice !== undefined && !notices.has(game.value.notice)) {
      notices.add(game.value.notice);
      report(game.value.notice);
    }
    yield game;
  }
}

/** "Choose Chess first" is for the page; here it is an option that chooses. */
function withOption(failure: Failure): Failure {
  if (failure.code !== OTHER_GAME) return failure;
  return { ...failure, message: `${failure.message} On the command line --domain says which game it is.` };
}

async function* everyGame(paths: readonly string[], domain: AnyDomain): AsyncGenerator<Result<GameRecord>> {
  for (const path of paths) {
    const invented = inventedRecords(path, domain, progressBar('games'));
    if (invented !== null) {
      yield* invented;
      continue;
    }
    const chosen = existsSync(path) ? null : /^(.+):([\w-]+)$/.exec(path);
    const folder = await openShardFolder(chosen?.[1] ?? path);
    if (folder) {
      const { manifest, fetchBytes } = folder;
      for (const split of chosen ? [chosen[2]] : Object.keys(manifest.splits))
        yield* shardGames(manifest, split, fetchBytes, domain);
    } else yield* readGames({ name: nameOf(path), stream: openBytes(path), budget: budgetOf(path) }, domain);
  }
}

/** The traces of any GAMES; the first game that cannot be read ends it with InputError. */
export async function* traces(paths: readonly string[], domain?: AnyDomain): AsyncGenerator<Uint16Array> {
  for await (const game of gamesFrom(paths, domain)) yield unwrap(game).events;
}

/** All traces of any GAMES at once; fails as `traces`, and where there are none. */
export async function gamesList(paths: readonly string[], domain?: AnyDomain): Promise<Uint16Array[]> {
  const list: Uint16Array[] = [];
  for await (const trace of traces(paths, domain)) list.push(trace);
  if (list.length > 0) return list;
  throw inputError('no-games', `There are no games in ${paths.map(nameOf).join(', ')}; check the file.`);
}

/** One of many results on standard output, as one line of JSON. */
export function writeJsonLine(value: unknown): void {
  process.stdout.write(JSON.stringify(value) + '\n');
}

let asJson = false;

/** From now on results are JSON at a terminal, too: --json with any command. */
export function wantJson(): void {
  asJson = true;
}

/** What a command has found on standard output: lines for people at a terminal, else one line of JSON. */
export function writeResult(value: unknown): void {
  if (asJson || !process.stdout.isTTY) writeJsonLine(value);
  else process.stdout.write(`${readable(value)}\n`);
}

/** One line for people, on standard error. */
export function report(line: string): void {
  process.stderr.write(line + '\n');
}

export interface ProgressBar {
  /** `of` is left out where the whole is not known. */
  update(done: number, of?: number): void;
  end(): void;
}

/** A bar of the share of a measurement that is done. */
export function shareBar(): { onProgress(progress: { share: number }): void; end(): void } {
  const { update, end } = progressBar('percent');
  return { onProgress: ({ share }) => update(Math.round(100 * share), 100), end };
}

const BAR_WIDTH = 30;
const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 5000;

/** Progress on standard error: a bar on a terminal, a plain line every five seconds elsewhere. `unit` is what is counted. */
export function progressBar(unit: string): ProgressBar {
  const onTerminal = process.stderr.isTTY === true;
  let shown = performance.now();
  let drawn = false;
  return {
    update(done, of) {
      const now = performance.now();
      if (now - shown < (onTerminal ? BAR_EVERY_MS : LINE_EVERY_MS) && !(onTerminal && done === of)) return;
      shown = now;
      const text = of === undefined ? `${done} ${unit}` : `${done} of ${of} ${unit}`;
      if (!onTerminal) return report(text);
      const filled = of ? Math.round((BAR_WIDTH * done) / of) : 0;
      const bar = of === undefined ? '' : `[${'='.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] `;
      process.stderr.write(`\r\x1b[2K${bar}${text}`);
      drawn = true;
    },
    end() {
      if (drawn) process.stderr.write('\n');
    },
  };
}

/** An option's whole number of at least `least`; anything else is wrong usage. */
export function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw usageError(`${option} ${text}: give a whole number from ${least}.`);
}

/** Wrong usage: told on one line, with exit code 2. The name is the one by which citty marks its own such errors. */
export function usageError(message: string): Error {
  const error = new Error(message);
  error.name = 'CLIError';
  return error;
}

function unreadable(path: string, error: unknown): Error {
  if (error instanceof InputError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const why = { ENOENT: 'there is no such file', EACCES: 'it may not be read', EISDIR: 'it is a folder' }[code] ?? code;
  const message = `${nameOf(path)}: ${why}; check the path.`;
  return inputError('unreadable', message);
}

import { sha256 } from '../src/base/bytes.ts';
import { inputError, unwrap } from '../src/base/result.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import { noticeOf } from '../src/config/notice.ts';
import { Corpus } from '../src/data/corpus.ts';
import { filtersOf, tokenCounter } from '../src/data/filters.ts';
import { inventedFacts } from '../src/data/invented.ts';
import { prepare, type PreparedGames } from '../src/data/prepare.ts';
import { readShards } from '../src/data/shards.ts';
import { domainNamed, type AnyDomain } from '../src/domains/domains.ts';
import { checkInvents, inventedCorporaOf, inventedName, type InventedName } from './invented-games.ts';
import { gamesFrom, openShardFolder, progressBar, report } from './node-io.ts';

export interface TrainingGames {
  /** The data folder's own name, or the file's. */
  name: string;
  /** Hash of the manifest, or of the training games where they came from loose files. */
  manifest: string;
  /** What `manifest` is for a run with that limit, so that two runs can be told to have the same games. */
  manifestFor(limit: number | null): Promise<string>;
  /** What must be said wherever these games are used. */
  notice?: string;
  train: Corpus;
  dev: Corpus;
  /** Held out for good, like dev; empty where the games have no such split. */
  test: Corpus;
  /** Games that probing instances are taken from. */
  probe: Corpus;
}

const SHARES = { train: 0.9, dev: 0.05, probe: 0.05 };

/**
 * What `train --data` names: a folder made by `prepare` (its train and dev splits; instances from probe,
 * else test, else dev), loose GAMES, filtered and split here as `prepare` would, or invented ones ("invented",
 * "invented:5000"), which are the same whatever the seed.
 * @param options.domain whose games they are; chess where it is left out
 */
export async function trainingGames(
  path: string,
  options: { limit: number | null; seed: number; domain?: string },
): Promise<TrainingGames> {
  const domain = unwrap(domainNamed(options.domain ?? 'chess'));
  const invented = inventedName(path);
  if (invented !== null) return inventedTraining(path, invented, domain, options.limit);
  const folder = await openShardFolder(path);
  if (folder) {
    const bar = progressBar('games');
    const { manifest, fetchBytes } = folder;
    if (manifest.domain !== domain.name)
      throw inputError(
        'other-game',
        `${path}: this holds games of ${manifest.domain}, not of ${domain.name}; train with --domain ${manifest.domain}, or give other games.`,
      );
    if (manifest.notice !== undefined) report(manifest.notice);
    const read = async (split: string, atMost: number | null = null): Promise<Corpus> => {
      const { corpus, failures } = await readShards(manifest, split, {
        ...{ fetchBytes, domain, atMost },
        onProgress: (done, of) => bar.update(done, of),
      });
      for (const failure of failures) report(failure.message);
      return corpus;
    };
    if (!manifest.splits.train || !manifest.splits.dev)
      throw inputError(
        'no-split',
        `${path}: training needs the splits "train" and "dev"; make them with prepare --split.`,
      );
    const train = await read('train', options.limit);
    const dev = await read('dev');
    const test = manifest.splits.test ? await read('test') : Corpus.from([]);
    const probe = manifest.splits.probe ? await read('probe') : test.length > 0 ? test : dev;
    bar.end();
    return {
      ...{ name: manifest.name, manifest: manifest.hash, manifestFor: async () => manifest.hash },
      ...noticeOf(manifest.notice),
      ...{ train, dev, test, probe },
    };
  }
  const prepared = await preparedGames(path, options.seed, domain);
  const split = (name: keyof typeof SHARES): Corpus =>
    Corpus.from([...prepared.splits[name]].map((game) => prepared.corpus.trace(game)));
  const all = split('train');
  const manifestFor = (limit: number | null): Promise<string> => hashOf(all.first(limit));
  // Loose files have no manifest: the training games themselves name the data, so that a resumed run gets the same.
  return {
    name: path,
    manifest: await manifestFor(options.limit),
    manifestFor,
    ...noticeOf(...prepared.notices),
    train: all.first(options.limit),
    dev: split('dev'),
    test: Corpus.from([]),
    probe: split('probe'),
  };
}

async function inventedTraining(
  path: string,
  name: InventedName,
  domain: AnyDomain,
  limit: number | null,
): Promise<TrainingGames> {
  if (name.split !== null)
    throw inputError('no-split', `${path}: training needs all splits; give "${path.replace(/:[a-z]+$/, '')}".`);
  checkInvents(path, domain);
  const { hash } = await inventedFacts(domain, name.counts);
  const { train, dev, test, probe } = inventedCorporaOf(path, name, domain, progressBar('games'));
  return {
    ...{ name: path, manifest: hash, manifestFor: async () => hash },
    ...{ train: train.first(limit), dev, test, probe },
  };
}

/** Loose GAMES as `prepare` would keep them, split by the seed into train, dev and probe. */
export async function preparedGames(
  path: string,
  seed: number,
  domain: AnyDomain = unwrap(domainNamed('chess')),
): Promise<PreparedGames> {
  const bar = progressBar('games');
  const filters = filtersOf(domain.name);
  const options = { filters, tokens: filters.maxTokens ? tokenCounter(domain) : undefined, shares: SHARES, seed };
  const prepared = await prepare(gamesFrom([path], domain), {
    ...options,
    onProgress: (_, kept) => bar.update(kept),
  });
  bar.end();
  return unwrap(prepared);
}

/** The seed by which loose GAMES were split for a run: its own, or that of the model whose weights it started with. */
export function splitSeedOf({ seed, data }: RunConfig): number {
  return data.splitSeed ?? seed;
}

/** What stands for the manifest where training games came from loose files. */
function hashOf({ events }: Corpus): Promise<string> {
  return sha256(new Uint8Array(events.buffer, events.byteOffset, events.byteLength));
}

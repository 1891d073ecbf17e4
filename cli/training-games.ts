import { fail, InputError, unwrap } from '../src/base/result.ts';
import { Corpus } from '../src/data/corpus.ts';
import { prepare, testbedFilters } from '../src/data/prepare.ts';
import { readShards } from '../src/data/shards.ts';
import { gamesFrom, openShardFolder, progressBar, report } from './node-io.ts';

export interface TrainingGames {
  /** The data folder's own name, or the file's. */
  name: string;
  /** Hash of the manifest; empty for loose files. */
  manifest: string;
  train: Corpus;
  dev: Corpus;
  /** Games that probing instances are taken from. */
  probe: Corpus;
}

const SHARES = { train: 0.9, dev: 0.05, probe: 0.05 };

/**
 * What `train --data` names: a folder made by `prepare` (its train and dev splits; instances from probe,
 * else test, else dev), or loose GAMES, filtered and split here as `prepare` would.
 */
export async function trainingGames(
  path: string,
  options: { limit: number | null; seed: number },
): Promise<TrainingGames> {
  const bar = progressBar('games');
  const folder = await openShardFolder(path);
  if (folder) {
    const { manifest, fetchBytes } = folder;
    const read = async (split: string): Promise<Corpus> => {
      const { corpus, failures } = await readShards(manifest, split, {
        fetchBytes,
        onProgress: (done, of) => bar.update(done, of),
      });
      for (const failure of failures) report(failure.message);
      return corpus;
    };
    if (!manifest.splits.train || !manifest.splits.dev)
      throw new InputError(
        fail('no-split', `${path}: training needs the splits "train" and "dev"; make them with prepare --split.`).error,
      );
    const train = await read('train');
    const dev = await read('dev');
    const probe = manifest.splits.probe ? await read('probe') : manifest.splits.test ? await read('test') : dev;
    bar.end();
    return { name: manifest.name, manifest: manifest.hash, train: first(train, options.limit), dev, probe };
  }
  const prepared = unwrap(
    await prepare(gamesFrom([path]), {
      filters: { ...testbedFilters, limit: options.limit },
      shares: SHARES,
      seed: options.seed,
      onProgress: (_, kept) => bar.update(kept),
    }),
  );
  bar.end();
  const split = (name: keyof typeof SHARES): Corpus =>
    Corpus.from([...prepared.splits[name]].map((game) => prepared.corpus.trace(game)));
  return { name: path, manifest: '', train: split('train'), dev: split('dev'), probe: split('probe') };
}

function first(corpus: Corpus, limit: number | null): Corpus {
  if (limit === null || limit >= corpus.length) return corpus;
  return new Corpus(corpus.moves.slice(0, corpus.offsets[limit]), corpus.offsets.slice(0, limit + 1));
}

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inputError } from '../src/base/result.ts';
import { testbedFilters } from '../src/data/prepare.ts';
import { MANIFEST, writeShards } from '../src/data/shards.ts';
import { writeWhole } from './folder-store.ts';
import { nameOf, openShardFolder, report } from './node-io.ts';
import { preparedGames } from './training-games.ts';

/** Of the one split that all runs of a sweep share, whatever their own seeds. */
export const SPLIT_SEED = 1;

/**
 * The prepared folder that a sweep trains and assesses from: `path` itself, or loose GAMES written to OUT/games. Left to
 * `train`, loose games would be split by each run's own seed, and runs of several seeds would be asked about different
 * games, or about ones they have learned from. A folder of before is taken up where the games are the same; fails with
 * `other-games` where they are not.
 */
export async function preparedOnce(path: string, out: string): Promise<string> {
  if (await openShardFolder(path)) return path;
  const folder = join(out, 'games');
  const before = existsSync(join(folder, MANIFEST)) ? await openShardFolder(folder) : null;
  const prepared = await preparedGames(path, SPLIT_SEED);
  const name = basename(nameOf(path));
  const options = {
    name,
    source: `Prepared from ${name}.`,
    licence: 'as the source files',
    filters: testbedFilters,
    splitSeed: SPLIT_SEED,
    // Without a version, so that a later one comes to the same hash and goes on with the sweep.
    createdBy: 'blindfold sweep',
  };
  if (before !== null) {
    const { hash } = await writeShards(prepared, { ...options, write: async () => {} });
    if (hash === before.manifest.hash) return folder;
    const message = `${folder} holds the games of another sweep than ${path}; name another --out, or move it away.`;
    throw inputError('other-games', message);
  }
  await mkdir(folder, { recursive: true });
  await writeShards(prepared, { ...options, write: (file, bytes) => writeWhole(folder, file, bytes) });
  report(`The games are split once for all runs, in ${folder}.`);
  return folder;
}

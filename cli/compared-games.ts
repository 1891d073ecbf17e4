import { inputError } from '../src/base/result.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import { inventedName } from './invented-games.ts';
import { openShardFolder, report } from './node-io.ts';
import { splitSeedOf, trainingGames, type TrainingGames } from './training-games.ts';

/**
 * Games to compare models on. Loose GAMES are split by the models' seed, as `train` splits them, so that what they have
 * not seen is held out here too. Fails with `other-split` where no split can be right for all: models of several seeds
 * and several sets of training games, some of which may be these games split in other ways.
 * @param configs of the models that tell theirs
 */
export async function comparedGames(path: string, configs: readonly RunConfig[]): Promise<TrainingGames> {
  const loose = inventedName(path) === null && (await openShardFolder(path)) === null;
  const seeds = new Set(configs.map(splitSeedOf));
  const manifests = new Set(configs.map(({ data }) => data.manifest));
  if (loose && seeds.size > 1 && manifests.size > 1)
    throw inputError(
      'other-split',
      `${path} is not split yet, and models with the seeds ${[...seeds].join(', ')} may each have learned from another part of it. Split it first with "blindfold prepare ${path} --out FOLDER", train the models on that folder, and give it as --games.`,
    );
  const games = await trainingGames(path, {
    limit: null,
    seed: configs[0] === undefined ? 1 : splitSeedOf(configs[0]),
    domain: configs[0]?.domain,
  });
  if (!loose) return games;
  let others = 0;
  for (const { data } of configs) if (data.manifest !== (await games.manifestFor(data.limit))) others++;
  if (others > 0)
    report(
      `${others} of ${configs.length} models did not train on this split of ${path}. If they learned from some of these games, their numbers flatter them; a folder made by prepare keeps games apart.`,
    );
  return games;
}

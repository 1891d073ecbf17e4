import { seededRandom } from '../src/base/random.ts';
import { inputError, unwrap } from '../src/base/result.ts';
import type { ModelVocabulary } from '../src/base/text-tokenizer.ts';
import { noticeOf } from '../src/config/notice.ts';
import { parseRunConfig, type RunConfig } from '../src/config/run-config.ts';
import { settled } from '../src/config/settled.ts';
import { leftOutMessage, writtenGames } from '../src/data/written-games.ts';
import type { Notation } from '../src/domains/domain.ts';
import { notationOf } from '../src/domains/domains.ts';
import { initialParameters, type ModelConfig } from '../src/models/model.ts';
import { modelOf } from '../src/models/of-config.ts';
import type { NamedArrays } from '../src/models/parameters.ts';
import { trainingBatches, type TrainingBatches } from '../src/studies/splat/fine-tuning/training-batches.ts';
import { vocabularyIn, type Checkpoint } from '../src/training/checkpoint.ts';
import { Curve } from '../src/training/curve.ts';
import { report, usageError, wholeNumber } from './node-io.ts';
import { splitSeedOf, trainingGames, type TrainingGames } from './training-games.ts';

/** A run whose games are read and whose steps are settled. */
export interface ReadyRun {
  config: RunConfig;
  games: TrainingGames;
  notation: Notation;
  batches: TrainingBatches;
  model: ModelConfig;
}

/**
 * A run made ready on the games that --data names: one that begins with a config, or one that goes on from a checkpoint,
 * which must have learned from these very games. Fails as InputError.
 * @param run words for the run that goes on
 * @param brought the tokens of a model that has its own, where the run does not tell them
 */
export async function readyRun(
  data: string,
  wanted: RunConfig,
  run: { checkpoint: Checkpoint; name: string } | null,
  brought: ModelVocabulary | null = run && unwrap(vocabularyIn(run.checkpoint)),
): Promise<ReadyRun> {
  const { limit } = wanted.data;
  const read = await trainingGames(data, { limit, seed: splitSeedOf(wanted), domain: wanted.domain });
  if (run && wanted.data.manifest !== read.manifest)
    throw inputError(
      'other-games',
      `${data}: these are not the games that the run in ${run.name} was trained on; give the same ones.`,
    );
  const { name, manifest, notice } = read;
  const config = {
    ...wanted,
    data: { ...wanted.data, games: name, manifest, ...noticeOf(wanted.data.notice, notice) },
  };
  const notation = unwrap(notationOf(config, brought));
  const { games: train, leftOut } = writtenGames(read.train, notation);
  const games = { ...read, train };
  const said = leftOutMessage(leftOut, read.train.length);
  if (said !== null) report(said);
  if (games.train.length === 0)
    throw inputError('no-games', `${data}: there are no games to train on; give more, or another folder.`);
  const batches = unwrap(trainingBatches(config, games.train, notation));
  return {
    ...{ config: settled(config, batches.stepsPerEpoch * config.batch), games, notation, batches },
    model: modelOf(config, { size: notation.vocabulary.size, slots: notation.slots }),
  };
}

/** The state of a run before its first step, with the weights that its seed draws. */
export function firstCheckpoint({ config, model }: ReadyRun): Checkpoint {
  const parameters = initialParameters(model, seededRandom('weights', config.seed));
  const moments: NamedArrays = new Map();
  for (const kind of ['m', 'v'])
    for (const [name, { shape, data }] of parameters)
      moments.set(`${kind}.${name}`, { shape, data: new Float32Array(data.length) });
  return {
    config,
    step: 0,
    tokensSeen: 0,
    curve: new Curve(),
    parameters,
    optimizer: { step: 0, moments },
    kept: null,
  };
}

/**
 * The run's config, with more steps where they are asked for: the rate then falls anew, from where the longer schedule
 * has it at this step.
 */
export function longer({ config, step }: Checkpoint, given: string | undefined): RunConfig {
  if (given === undefined) return config;
  const steps = wholeNumber('--steps', given, 1);
  if (steps <= step) throw usageError(`--steps ${given}: the run is at step ${step} already; give more.`);
  return unwrap(parseRunConfig({ ...config, schedule: { ...config.schedule, steps, epochs: null } }));
}

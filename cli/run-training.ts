import { totalmem } from 'node:os';
import { seededRandom } from '../src/base/random.ts';
import { inputError, unwrap } from '../src/base/result.ts';
import type { ModelVocabulary } from '../src/base/text-tokenizer.ts';
import { parseRunConfig, type RunConfig } from '../src/config/run-config.ts';
import type { Engine, NamedArrays } from '../src/engine/engine.ts';
import { FOLDER_FILES } from '../src/interchange/huggingface.ts';
import { initialParameters } from '../src/models/model.ts';
import { trainingMemory, type MemoryBudget } from '../src/models/training-memory.ts';
import { tokensOfLargest, type TrainingBatches } from '../src/studies/splat/fine-tuning/training-batches.ts';
import { makeRunWatch } from '../src/studies/evaluate-run.ts';
import type { Checkpoint } from '../src/training/checkpoint.ts';
import { optimizerAt } from '../src/training/schedule.ts';
import { holdFolder } from './folder-lock.ts';
import { folderStore } from './folder-store.ts';
import { refuseToReplace } from './model-files.ts';
import { report, usageError } from './node-io.ts';
import { engineWith, modelArgs, newestIn } from './open-model.ts';
import { longer, readyRun } from './ready-run.ts';
import { readShipped } from './shipped-file.ts';
import { trainModel } from './train-model.ts';
import type { TrainingGames } from './training-games.ts';

/** What the machine has, or the container that this runs in. */
const MACHINE: MemoryBudget = {
  bytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
  of: 'this machine',
};
/** Steps timed on a model that is thrown away, to turn --minutes into steps. */
const TIMED_STEPS = 6;

/** What every command that trains is given. */
export interface TrainingArgs {
  data: string;
  out: string;
  engine?: string;
  steps?: string;
  minutes?: string;
  resume?: boolean;
}

/** A run that is to begin. */
export interface NewRun {
  config: RunConfig;
  /** Weights to start from; null for random ones, by the config's seed. */
  parameters: NamedArrays | null;
  /** The config of the model that the weights are of; null for random ones. */
  from?: RunConfig | null;
  /** The tokens of a model that brings its own; left out for others. */
  brought?: ModelVocabulary | null;
}

/** Options of every command that trains, as citty takes them. */
export const trainingOptions = {
  out: { type: 'string', required: true, description: 'folder for checkpoints and, at the end, the model' },
  engine: modelArgs.engine,
  steps: { type: 'string', description: 'steps to train' },
  minutes: { type: 'string', description: 'train for about so long' },
  epochs: { type: 'string', description: 'passes over the training games' },
  limit: { type: 'string', description: 'use only the first N training games' },
  resume: {
    type: 'boolean',
    description: 'go on from the newest checkpoint in --out; with --steps N, for longer than it was to be',
  },
} as const;

/**
 * Begins a run in --out, or goes on with the one that lies there where --resume says so, and ends the process with it.
 * @param begin asked for a run that begins
 * @param settings options given that a resumed run takes from its checkpoint instead, by name
 */
export async function runTraining(
  args: TrainingArgs,
  begin: () => Promise<NewRun>,
  settings: readonly string[],
): Promise<void> {
  await holdFolder(args.out);
  const checkpoint = args.resume ? await checkpointToResume(args.out, settings) : null;
  const fresh = checkpoint ? null : await begin();
  const wanted = checkpoint ? longer(checkpoint, args.steps) : fresh!.config;
  if (!checkpoint) await refuseToOverwrite(args.out);
  const ready = await readyRun(args.data, wanted, checkpoint && { checkpoint, name: args.out }, fresh?.brought);
  const { games, notation, batches, model } = ready;
  let { config } = ready;
  if (fresh?.from) await tellOtherGames(args, fresh.from, games);
  const tokens = tokensOfLargest(batches);
  unwrap(trainingMemory(model, config.batch, tokens / config.batch, MACHINE));
  const start = (): NamedArrays => fresh?.parameters ?? initialParameters(model, seededRandom('weights', config.seed));
  const engine = await engineWith(args.engine, model, checkpoint?.parameters ?? start(), {
    precision: config.precision,
    training: { muon: config.optimizer.kind === 'muon', tokens },
  });
  if (checkpoint) engine.setOptimizerState(checkpoint.optimizer);
  else config = await withSteps(config, args, batches, engine, start);
  const { steps, patience } = config.schedule;
  if (patience !== null && batches.stepsPerEpoch >= steps)
    report(
      `--patience ${patience} changes nothing: one pass over the games takes ${batches.stepsPerEpoch} steps, and the run has ${steps}.`,
    );
  const watch = unwrap(await makeRunWatch(config, notation, games, readShipped));
  await trainModel(config, engine, notation, batches, watch, checkpoint, args.out);
}

/** Says where the games are others than the model of before has read, some of which may then be held out here. */
async function tellOtherGames({ data }: TrainingArgs, from: RunConfig, games: TrainingGames): Promise<void> {
  if (from.data.manifest === (await games.manifestFor(from.data.limit))) return;
  report(
    `The model did not train on this split of ${data}, but on ${from.data.games}. If it learned from some of the games that are held out here, its numbers flatter it.`,
  );
}

/** The config with as many steps as --minutes allow, by timing a few. */
async function withSteps(
  config: RunConfig,
  args: TrainingArgs,
  batches: TrainingBatches,
  engine: Engine,
  start: () => NamedArrays,
): Promise<RunConfig> {
  if (args.minutes === undefined) return config;
  const minutes = Number(args.minutes);
  if (!(minutes > 0)) throw usageError(`--minutes ${args.minutes}: give a number above 0.`);
  const optimizer = optimizerAt(config, 0);
  await engine.step(batches.batch(0), optimizer, 0);
  const began = performance.now();
  for (let step = 1; step <= TIMED_STEPS; step++) await engine.step(batches.batch(step), optimizer, step);
  const perStep = (performance.now() - began) / TIMED_STEPS;
  const steps = Math.max(1, Math.floor((minutes * 60_000) / perStep));
  report(
    `At ${perStep.toFixed(0)} ms a step, ${minutes === 1 ? '1 minute is' : `${minutes} minutes are`} about ${steps} steps.`,
  );
  // The timed steps must leave no trace in the run.
  engine.setParameters(start());
  const zeros = await engine.optimizerState();
  for (const { data } of zeros.moments.values()) data.fill(0);
  engine.setOptimizerState({ step: 0, moments: zeros.moments });
  return unwrap(parseRunConfig({ ...config, schedule: { ...config.schedule, steps } }));
}

async function checkpointToResume(out: string, settings: readonly string[]): Promise<Checkpoint> {
  if (settings.length > 0)
    throw usageError(`--resume goes on with the run's own settings; leave out --${settings.join(', --')}.`);
  const newest = await newestIn(out);
  if (!newest) throw inputError('no-checkpoint', `${out} holds no checkpoint to resume; start without --resume.`);
  return newest.checkpoint;
}

/** Another run's checkpoints would be taken for this one's, and files that lie there would be replaced at the end. */
async function refuseToOverwrite(out: string): Promise<void> {
  if ((await folderStore.list(out)).length > 0)
    throw inputError('run-exists', `${out} already holds a run; add --resume to go on with it, or give another --out.`);
  refuseToReplace(out, FOLDER_FILES, 'this run');
}

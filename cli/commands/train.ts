import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { seededRandom } from '../../src/base/random.ts';
import { fail, InputError, ok, unwrap } from '../../src/base/result.ts';
import { presets } from '../../src/config/presets.ts';
import { parseRunConfig, type RunConfig } from '../../src/config/run-config.ts';
import { settled } from '../../src/config/settled.ts';
import { Batches } from '../../src/data/batches.ts';
import { notationOf } from '../../src/domains/domains.ts';
import type { Notation } from '../../src/domains/domain.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { modelFolder } from '../../src/interchange/huggingface.ts';
import { initialParameters, type ModelConfig } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { evaluate, makeWatch, type Watch } from '../../src/probes/evaluate.ts';
import type { Evaluation } from '../../src/probes/scores.ts';
import { encodeCheckpoint, type Checkpoint } from '../../src/training/checkpoint.ts';
import { checkpointOf, newestCheckpoint, saveCheckpoint } from '../../src/training/checkpoint-store.ts';
import { Curve } from '../../src/training/curve.ts';
import { Trainer, type StepEvent } from '../../src/training/loop.ts';
import { optimizerAt } from '../../src/training/schedule.ts';
import { folderStore, writeWhole } from '../folder-store.ts';
import { engineWith } from '../open-model.ts';
import { report, usageError, wholeNumber, writeJsonLine } from '../node-io.ts';
import { trainingGames } from '../training-games.ts';
import { wantedConfig, type Wishes } from '../wanted-config.ts';

/** Steps timed on a model that is thrown away, to turn --minutes into steps. */
const TIMED_STEPS = 6;

export default defineCommand({
  meta: {
    name: 'train',
    description: 'Train a model; checkpoints are written as it goes, and Ctrl-C leaves a state to resume.',
  },
  args: {
    data: { type: 'string', required: true, description: 'a folder made by prepare, or GAMES' },
    out: { type: 'string', required: true, description: 'folder for checkpoints and, at the end, the model' },
    preset: { type: 'string', description: `one of ${presets.map(({ name }) => name).join(', ')}` },
    config: { type: 'string', description: 'a RunConfig as JSON, instead of a preset' },
    notation: {
      type: 'string',
      description: 'uci; rap:P, a piece name before P percent of the moves in training; ap, before every move, always',
    },
    objective: {
      type: 'string',
      description: 'next, the token that was played; valid, all tokens that the rules allow there alike',
    },
    engine: {
      type: 'string',
      description: 'webgpu, wasm or cpu, or tfjs for the reference engine; by default the best there is',
    },
    steps: { type: 'string', description: 'steps to train' },
    minutes: { type: 'string', description: 'train for about so long' },
    epochs: { type: 'string', description: 'passes over the training games' },
    patience: {
      type: 'string',
      description: 'stop after so many epochs without a new lowest dev perplexity, and keep the best epoch',
    },
    limit: { type: 'string', description: 'use only the first N training games' },
    seed: { type: 'string', description: 'seed of weights, batches and piece names' },
    resume: {
      type: 'boolean',
      description: 'go on from the newest checkpoint in --out; with --steps N, for longer than it was to be',
    },
  },
  async run({ args }) {
    const checkpoint = args.resume ? await checkpointToResume(args) : null;
    let config = checkpoint ? longer(checkpoint, args.steps) : await wantedConfig(args);
    if (!checkpoint) await refuseToOverwrite(args.out);
    const games = await trainingGames(args.data, { limit: config.data.limit, seed: config.seed });
    if (checkpoint && config.data.manifest !== games.manifest)
      throw new InputError(
        fail(
          'other-games',
          `${args.data}: these are not the games that the run in ${args.out} was trained on; give the same ones.`,
        ).error,
      );
    if (games.train.length === 0)
      throw new InputError(
        fail('no-games', `${args.data}: there are no games to train on; give more, or another folder.`, {
          file: args.data,
        }).error,
      );
    config = { ...config, data: { ...config.data, games: games.name, manifest: games.manifest } };
    config = settled(config, games.train.length);
    const notation = unwrap(notationOf(config));
    const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
    const batches = new Batches(games.train, notation, {
      games: config.batch,
      seed: config.seed,
      context: model.context,
      objective: config.objective,
    });
    const engine = await engineWith(
      args.engine,
      model,
      checkpoint?.parameters ?? initialParameters(model, seededRandom('weights', config.seed)),
    );
    if (checkpoint) engine.setOptimizerState(checkpoint.optimizer);
    else config = await withSteps(config, args, batches, engine, model);
    const { steps, patience } = config.schedule;
    if (patience !== null && batches.stepsPerEpoch >= steps)
      report(
        `--patience ${patience} changes nothing: one pass over the games takes ${batches.stepsPerEpoch} steps, and the run has ${steps}.`,
      );
    await trainModel(
      config,
      engine,
      notation,
      batches,
      await makeWatch(games, notation, { ...config.evaluation, context: model.context }),
      checkpoint,
      args.out,
    );
  },
});

/** The config with as many steps as --minutes allow, by timing a few. */
async function withSteps(
  config: RunConfig,
  args: Wishes,
  batches: Batches,
  engine: Engine,
  model: ModelConfig,
): Promise<RunConfig> {
  if (args.minutes === undefined) return config;
  const minutes = Number(args.minutes);
  if (!(minutes > 0)) throw usageError(`--minutes ${args.minutes}: give a number above 0.`);
  const start = initialParameters(model, seededRandom('weights', config.seed));
  const optimizer = optimizerAt(config, 0);
  await engine.step(batches.batch(0), optimizer, 0);
  const began = performance.now();
  for (let step = 1; step <= TIMED_STEPS; step++) await engine.step(batches.batch(step), optimizer, step);
  const perStep = (performance.now() - began) / TIMED_STEPS;
  const steps = Math.max(1, Math.floor((minutes * 60_000) / perStep));
  report(`${minutes} minutes are about ${steps} steps of ${perStep.toFixed(0)} ms.`);
  // The timed steps must leave no trace in the run.
  engine.setParameters(start);
  const zeros = await engine.optimizerState();
  for (const { data } of zeros.moments.values()) data.fill(0);
  engine.setOptimizerState({ step: 0, moments: zeros.moments });
  return unwrap(parseRunConfig({ ...config, schedule: { ...config.schedule, steps } }));
}

/**
 * The run's config, with more steps where they are asked for: the rate then falls anew, from where the longer schedule
 * has it at this step.
 */
function longer({ config, step }: Checkpoint, wish: string | undefined): RunConfig {
  if (wish === undefined) return config;
  const steps = wholeNumber('--steps', wish, 1);
  if (steps <= step) throw usageError(`--steps ${wish}: the run is at step ${step} already; give more.`);
  return unwrap(parseRunConfig({ ...config, schedule: { ...config.schedule, steps, epochs: null } }));
}

async function checkpointToResume({ out, ...wishes }: Wishes & { out: string }): Promise<Checkpoint> {
  const settings = ['preset', 'config', 'notation', 'objective', 'minutes', 'epochs', 'patience'] as const;
  const changed = ([...settings, 'limit', 'seed'] as const).filter((name) => wishes[name] !== undefined);
  if (changed.length > 0)
    throw usageError(`--resume goes on with the run's own settings; leave out --${changed.join(', --')}.`);
  const newest = unwrap(await newestCheckpoint(folderStore, out));
  if (!newest)
    throw new InputError(
      fail('no-checkpoint', `${out} holds no checkpoint to resume; start without --resume.`, { file: out }).error,
    );
  if (newest.notice) report(newest.notice.message);
  // The finished model of before would be taken for the newer one if this run were killed.
  for (const name of [
    'model.safetensors',
    'config.json',
    'generation_config.json',
    'blindfold.json',
    'slots.json',
    'README.md',
  ])
    await rm(join(out, name), { force: true });
  return newest.checkpoint;
}

async function refuseToOverwrite(out: string): Promise<void> {
  if ((await folderStore.list(out)).length === 0) return;
  throw new InputError(
    fail('run-exists', `${out} already holds a run; add --resume to go on with it, or give another --out.`, {
      file: out,
    }).error,
  );
}

async function trainModel(
  config: RunConfig,
  engine: Engine,
  notation: Notation,
  batches: Batches,
  watch: Watch,
  checkpoint: Checkpoint | null,
  out: string,
): Promise<void> {
  const curve = checkpoint?.curve ?? new Curve();
  await mkdir(out, { recursive: true });
  let last: StepEvent | null = null;
  let told = 0;
  const state = async (): Promise<Checkpoint> => ({
    config,
    step: trainer.step,
    tokensSeen: trainer.tokensSeen,
    curve,
    parameters: await engine.parameters(),
    optimizer: await engine.optimizerState(),
    kept: trainer.kept,
  });
  const score = async (step: number): Promise<void> => {
    const scores = await evaluate(engine, notation, watch, { step });
    if (!scores.ok) {
      report(scores.error.message);
      return;
    }
    curve.addEvaluation(scores.value);
    report(wordsOf(scores.value));
  };
  const trainer: Trainer = new Trainer({
    engine,
    batches,
    config,
    curve,
    startStep: checkpoint?.step ?? 0,
    tokensSeen: checkpoint?.tokensSeen ?? 0,
    kept: checkpoint?.kept ?? null,
    clock: () => performance.now(),
    onStep: (event) => {
      last = event;
      if (performance.now() - told < 5000 && event.step !== config.schedule.steps) return;
      told = performance.now();
      const left = event.secondsLeft === null ? '' : `, ${Math.ceil(event.secondsLeft / 60)} min left`;
      report(
        `step ${event.step} of ${config.schedule.steps}, loss ${event.loss.toFixed(3)}, ${event.tokensPerSecond.toFixed(0)} tokens/s${left}`,
      );
    },
    onEvaluate: score,
    saveCheckpoint: async () => {
      const bytes = encodeCheckpoint(await state());
      const saved = await saveCheckpoint(folderStore, out, trainer.step, bytes, trainer.best);
      if (!saved.ok) report(saved.error.message);
      return saved;
    },
    restore: async (step) => {
      const best = await checkpointOf(folderStore, out, step);
      if (!best.ok) {
        report(`The weights of step ${step} could not be taken up: ${best.error.message} The last ones are kept.`);
        return best;
      }
      engine.setParameters(best.value.parameters);
      engine.setOptimizerState(best.value.optimizer);
      return ok(undefined);
    },
    yieldToHost: () => new Promise((resolve) => setImmediate(resolve)),
  });
  process.on('SIGINT', () => {
    report('Stopping after this step; go on later with --resume.');
    trainer.stop();
  });
  const end = await trainer.run();
  // A run that diverged has spoilt weights: its checkpoints, which are sound, stay the model of this folder.
  if (end.failure) throw new InputError(end.failure);
  if (end.words !== null) report(`The run is over: ${end.words}.`);
  const step = trainer.kept ?? trainer.step;
  const record = { tokens: notation.vocabulary.tokens, step, evaluations: curve.evaluations };
  for (const [name, bytes] of modelFolder(config, await engine.parameters(), record, notation.slots))
    await writeWhole(out, name, bytes);
  const scores = trainer.kept === null ? curve.evaluations.at(-1) : curve.evaluationOf(trainer.kept);
  const finished: StepEvent | null = last;
  writeJsonLine({
    steps: trainer.step,
    tokens: trainer.tokensSeen,
    tokensPerSecond: (finished as StepEvent | null)?.tokensPerSecond ?? null,
    loss: (finished as StepEvent | null)?.loss ?? curve.losses().at(-1) ?? null,
    devPerplexity: scores?.devPerplexity ?? null,
    engine: engine.name,
    device: `${engine.device.backend} (${engine.device.adapter})`,
    ...(trainer.kept === null || trainer.kept === trainer.step ? {} : { kept: trainer.kept }),
  });
  process.exit(0);
}

function wordsOf({ step, devPerplexity, short, long }: Evaluation): string {
  const percent = (share: number | null): string => (share === null ? '-' : `${(100 * share).toFixed(0)}%`);
  if (!short || !long) return `step ${step}: dev perplexity ${devPerplexity.toFixed(2)}`;
  return `step ${step}: dev perplexity ${devPerplexity.toFixed(1)} a move; End legal ${percent(short.endActual.legal.mean)} short, ${percent(long.endActual.legal.mean)} long; Start legal ${percent(short.startActual.legal.mean)} short, ${percent(long.startActual.legal.mean)} long`;
}

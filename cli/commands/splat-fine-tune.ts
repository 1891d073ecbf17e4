import { basename, resolve } from 'node:path';
import { defineCommand } from 'citty';
import { inputError, unwrap } from '../../src/base/result.ts';
import { presets } from '../../src/config/presets.ts';
import { parseRunConfig, type RunConfig } from '../../src/config/run-config.ts';
import { TEXT_TUNING } from '../../src/config/text-tuning.ts';
import { DOMAIN_NAMES } from '../../src/domains/domains.ts';
import { asksQuestions } from '../../src/studies/splat/questions/questions.ts';
import { usageError, wantedDomain, wholeNumber } from '../node-io.ts';
import { asTextModel, languageOf, readModel, vocabularyOf, type ReadModel } from '../open-model.ts';
import { goalModeOf, customQuestions } from '../question-options.ts';
import { runTraining, trainingOptions, type NewRun } from '../run-training.ts';
import { splitSeedOf } from '../training-games.ts';
import { wantedConfig, wantedSchedule, type ConfigOptions } from '../wanted-config.ts';

/** What a run that is resumed has of itself. */
const SETTINGS = [
  'model',
  'random',
  'preset',
  'config',
  'domain',
  'minutes',
  'epochs',
  'limit',
  'seed',
  'per-game',
  'per-line',
  'goals',
  'learn',
  'own',
] as const;

export default defineCommand({
  meta: {
    name: 'fine-tune',
    description: 'Go on from a model that has read games, on lines with questions about them; or start with --random.',
  },
  args: {
    model: {
      type: 'string',
      description:
        'MODEL that reads "splat": a checkpoint folder or file of ours; or a Hugging Face folder with its tokenizer, such as GPT-2, which learns the questions as text',
    },
    random: { type: 'boolean', description: 'start from random weights instead, as the paper does for comparison' },
    data: {
      type: 'string',
      required: true,
      description: 'a folder made by prepare, GAMES, or "invented" (or "invented:5000"): games to ask about',
    },
    preset: {
      type: 'string',
      description: `with --random, or of text for how it trains, one of ${presets.map(({ name }) => name).join(', ')}`,
    },
    config: { type: 'string', description: 'a RunConfig as JSON instead of a preset' },
    domain: { type: 'string', description: `with --random or of text, ${DOMAIN_NAMES.join(' or ')}` },
    'per-game': { type: 'string', description: 'questions asked of each game in one pass over the games; 1' },
    'per-line': { type: 'string', description: 'questions about one moment in each line; 1, as the authors' },
    goals: { type: 'string', description: 'goal lines of baseball: released (as the authors’) or corrected' },
    learn: { type: 'string', description: 'line, every token of it as the authors do, or answer, what is asked for' },
    own: { type: 'string', description: 'a JSON file with a list of custom questions, learned too' },
    seed: { type: 'string', description: 'seed of batches and questions, and of random weights' },
    ...trainingOptions,
  },
  async run({ args }) {
    const settings = SETTINGS.filter((name) => args[name] !== undefined && args[name] !== false);
    await runTraining(args, () => fineTuning(args), settings);
  },
});

type Args = ConfigOptions &
  Partial<Record<'model' | 'per-game' | 'per-line' | 'goals' | 'learn' | 'own', string>> & { random?: boolean };

/** The run that the options describe: a model's config or a preset's, with questions. */
async function fineTuning(args: Args): Promise<NewRun> {
  if ((args.model === undefined) === !args.random)
    throw usageError('Give either --model MODEL, to go on from it, or --random with a --preset.');
  const start = args.model === undefined ? await randomStart(args) : await modelStart(args.model, args);
  const { learn = 'line' } = args;
  if (learn !== 'line' && learn !== 'answer') throw usageError(`--learn ${learn}: choose line or answer.`);
  const questions = {
    from: args.model === undefined ? null : { id: args.model, name: basename(resolve(args.model)) },
    perGame: args['per-game'] === undefined ? 1 : wholeNumber('--per-game', args['per-game'], 1),
    perLine: args['per-line'] === undefined ? 1 : wholeNumber('--per-line', args['per-line'], 1),
    goals: goalModeOf('--goals', args.goals ?? 'released'),
    learn,
    own: await customQuestions(args.own),
  };
  return { ...start, config: unwrap(parseRunConfig({ ...start.config, questions })) };
}

async function randomStart(args: Args): Promise<NewRun> {
  return { config: await wantedConfig({ ...args, notation: 'splat', objective: 'next' }), parameters: null };
}

/**
 * The weights of a model and the settings that it was trained with; what the options say comes first. The run goes on to
 * its last step and ends with its last weights, whatever the model did: dev perplexity is of whole games, and says nothing
 * of questions. Loose files are split as the model had them, so that what is held out was not read.
 */
async function modelStart(path: string, args: Args): Promise<NewRun> {
  const found = await readModel(path);
  if (found.config === null && found.tokenizer().ok) return textStart(path, found, args);
  for (const option of ['preset', 'config', 'domain'] as const)
    if (args[option] !== undefined)
      throw usageError(`--${option} is for --random: a model of before brings its own settings.`);
  const { notation } = languageOf(path, found);
  const { config } = found;
  if (config === null || !asksQuestions(config))
    throw inputError(
      'not-splat',
      `${path}: questions are asked in the notation "splat", and this model reads "${notation.name}"; train one with --notation splat first, or take --random.`,
    );
  const seed = args.seed === undefined ? config.seed : wholeNumber('--seed', args.seed, 0);
  const split = splitSeedOf(config);
  const wanted: RunConfig = {
    ...config,
    objective: 'next',
    schedule: wantedSchedule({ ...config.schedule, patience: null, keep: 'last' }, args),
    seed,
    data: {
      ...config.data,
      ...(split === seed ? {} : { splitSeed: split }),
      limit: args.limit === undefined ? null : wholeNumber('--limit', args.limit, 1),
    },
  };
  const { parameters } = found.learnable ?? found;
  return { config: unwrap(parseRunConfig(wanted)), parameters, from: config, brought: vocabularyOf(path, found) };
}

/**
 * The weights of a third-party model that reads text, to learn the questions as text. How it trains is a preset's or
 * a file's where one is named, TEXT_TUNING's otherwise; the model is its own.
 */
async function textStart(path: string, found: ReadModel, args: Args): Promise<NewRun> {
  const named = args.preset !== undefined || args.config !== undefined;
  const base = named ? await wantedConfig({ ...args, notation: 'splat', objective: 'next' }) : TEXT_TUNING;
  const domain = args.domain === undefined ? base.domain : wantedDomain(args.domain).name;
  const model = asTextModel(path, found, domain, base);
  const seed = args.seed === undefined ? base.seed : wholeNumber('--seed', args.seed, 0);
  const limit = args.limit === undefined ? null : wholeNumber('--limit', args.limit, 1);
  const { config } = model;
  const wanted = { ...config!, schedule: wantedSchedule(base.schedule, args), seed, data: { ...config!.data, limit } };
  return { config: wanted, parameters: model.parameters, brought: vocabularyOf(path, model) };
}

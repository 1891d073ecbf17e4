import { basename, resolve } from 'node:path';
import { defineCommand } from 'citty';
import { inputError, unwrap } from '../../src/base/result.ts';
import { noticeOf } from '../../src/config/notice.ts';
import { presets } from '../../src/config/presets.ts';
import { parseRunConfig, type RunConfig } from '../../src/config/run-config.ts';
import { MOVES_TUNING } from '../../src/config/text-tuning.ts';
import { DOMAIN_NAMES, notationOf } from '../../src/domains/domains.ts';
import { deepened } from '../../src/models/deepen.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { unwrapAt, usageError } from '../node-io.ts';
import { asMovesModel, languageOf, readModel, vocabularyOf, type ReadModel } from '../open-model.ts';
import { runTraining, trainingOptions, type NewRun } from '../run-training.ts';
import { splitSeedOf } from '../training-games.ts';
import { wantedConfig, withOptions, type ConfigOptions } from '../wanted-config.ts';

/** What a run that is resumed has of itself. */
const SETTINGS = [
  'preset',
  'config',
  'from',
  'domain',
  'notation',
  'objective',
  'minutes',
  'epochs',
  'patience',
  'limit',
  'seed',
] as const;

export default defineCommand({
  meta: {
    name: 'train',
    description: 'Train a model; checkpoints are written as it goes, and Ctrl-C leaves a state to resume.',
  },
  args: {
    data: {
      type: 'string',
      required: true,
      description: 'a folder made by prepare, GAMES, or "invented" (or "invented:5000") where the lab makes games up',
    },
    from: {
      type: 'string',
      description:
        'MODEL to take the first weights from, of the same sizes; layers that it lacks are added to it. One whose tokens are whole moves has its own sizes and tokens, and needs no preset',
    },
    domain: { type: 'string', description: `${DOMAIN_NAMES.join(' or ')}; the preset's own where not said` },
    preset: { type: 'string', description: `one of ${presets.map(({ name }) => name).join(', ')}` },
    config: { type: 'string', description: 'a RunConfig as JSON, instead of a preset' },
    notation: {
      type: 'string',
      description:
        'uci; rap:P, a piece name before P percent of the moves in training; ap, before every move, always; splat, the tokens of SPLAT',
    },
    objective: {
      type: 'string',
      description:
        'next, the token that was played; legal, that token, with a penalty on the probability of illegal ones; valid, all tokens that the rules allow there alike',
    },
    patience: {
      type: 'string',
      description: 'stop after so many epochs without a new lowest dev perplexity, and keep the best epoch',
    },
    seed: { type: 'string', description: 'seed of weights, batches and piece names' },
    ...trainingOptions,
  },
  async run({ args }) {
    const settings = SETTINGS.filter((name) => args[name] !== undefined);
    await runTraining(args, () => newRun(args), settings);
  },
});

/** The run that the options describe, with random weights or with those of --from. */
async function newRun({ from, ...options }: ConfigOptions & { from?: string }): Promise<NewRun> {
  if (from === undefined) return { config: await wantedConfig(options), parameters: null };
  if (from === '') throw usageError('--from needs a MODEL: a checkpoint folder or file.');
  const given = await readModel(from);
  const before = asMovesModel(from, given);
  if (before.config?.notation.startsWith('moves')) return movesStart(from, before, given.config, options);
  const config = await wantedConfig(options);
  const { domain, notation } = languageOf(from, before);
  const wanted = unwrap(notationOf(config));
  if (config.domain !== domain.name || wanted.vocabulary !== notation.vocabulary)
    throw inputError(
      'other-vocabulary',
      `${from}: this model reads "${notation.name}" of ${domain.name}, and the run is to read "${wanted.name}" of ${config.domain}, which has other tokens.`,
    );
  const model = modelOf(config, { size: wanted.vocabulary.size, slots: wanted.slots });
  const learnt = before.learnable ?? before;
  const parameters = unwrapAt(from, deepened(learnt.model, learnt.parameters, model));
  const start = { ...config, from: { id: from, name: basename(resolve(from)) } };
  if (before.config === null) return { config: start, parameters };
  // Loose files are split as the model had them, so that what is held out was not read.
  const { notice, ...data } = { ...config.data, splitSeed: splitSeedOf(before.config) };
  return {
    config: { ...start, data: { ...data, ...noticeOf(notice, before.config.data.notice) } },
    parameters,
    from: before.config,
  };
}

/**
 * A run on games in the whole moves of a third-party model. The model and its tokens are its own; how it trains is a
 * preset's or a file's where one is named, MOVES_TUNING's otherwise.
 * @param trained the config of a model that was trained here
 */
async function movesStart(
  from: string,
  before: ReadModel,
  trained: RunConfig | null,
  options: ConfigOptions,
): Promise<NewRun> {
  for (const option of ['domain', 'notation'] as const)
    if (options[option] !== undefined)
      throw usageError(`--${option} is left out where --from is a model of whole moves: it brings its own.`);
  const named = options.preset !== undefined || options.config !== undefined;
  const wanted = named ? await wantedConfig(options) : withOptions(MOVES_TUNING, options);
  const { domain, notation, model, data: had } = before.config!;
  const { notice, ...data } = { ...wanted.data, ...(trained ? { splitSeed: splitSeedOf(trained) } : {}) };
  const config = {
    ...{ ...wanted, domain, notation, model, questions: null, from: { id: from, name: basename(resolve(from)) } },
    data: { ...data, ...noticeOf(notice, had.notice) },
  };
  return {
    ...{ config: unwrap(parseRunConfig(config)), parameters: before.parameters, from: trained },
    brought: vocabularyOf(from, before),
  };
}

import { basename, resolve } from 'node:path';
import { defineCommand } from 'citty';
import { fail, InputError, unwrap } from '../../src/base/result.ts';
import { noticeOf } from '../../src/config/notice.ts';
import { presets } from '../../src/config/presets.ts';
import { DOMAIN_NAMES, notationOf } from '../../src/domains/domains.ts';
import { deepened } from '../../src/models/deepen.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { usageError } from '../node-io.ts';
import { languageOf, readModel } from '../open-model.ts';
import { runTraining, trainingOptions, type NewRun } from '../run-training.ts';
import { splitSeedOf } from '../training-games.ts';
import { wantedConfig, type Wishes } from '../wanted-config.ts';

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
      description: 'MODEL to take the first weights from, of the same sizes; layers that it lacks are added to it',
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
      description: 'next, the token that was played; valid, all tokens that the rules allow there alike',
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
async function newRun({ from, ...wishes }: Wishes & { from?: string }): Promise<NewRun> {
  const config = await wantedConfig(wishes);
  if (from === undefined) return { config, parameters: null };
  if (from === '') throw usageError('--from needs a MODEL: a checkpoint folder or file.');
  const before = await readModel(from);
  const { domain, notation } = languageOf(from, before);
  const wanted = unwrap(notationOf(config));
  if (config.domain !== domain.name || wanted.vocabulary !== notation.vocabulary)
    throw new InputError(
      fail(
        'other-vocabulary',
        `${from}: this model reads "${notation.name}" of ${domain.name}, and the run is to read "${wanted.name}" of ${config.domain}, which has other tokens.`,
        { file: from },
      ).error,
    );
  const model = modelOf(config, { size: wanted.vocabulary.size, slots: wanted.slots });
  const learnt = before.learnable ?? before;
  const grown = deepened(learnt.model, learnt.parameters, model);
  if (!grown.ok) throw new InputError({ ...grown.error, message: `${from}: ${grown.error.message}` });
  const start = { ...config, from: { id: from, name: basename(resolve(from)) } };
  if (before.config === null) return { config: start, parameters: grown.value };
  // Loose files are split as the model had them, so that what is held out was not read.
  const { notice, ...data } = { ...config.data, splitSeed: splitSeedOf(before.config) };
  return {
    config: { ...start, data: { ...data, ...noticeOf(notice, before.config.data.notice) } },
    parameters: grown.value,
    from: before.config,
  };
}

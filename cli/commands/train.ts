import { defineCommand } from 'citty';
import { presets } from '../../src/config/presets.ts';
import { DOMAIN_NAMES } from '../../src/domains/domains.ts';
import { runTraining, trainingOptions } from '../run-training.ts';
import { wantedConfig } from '../wanted-config.ts';

/** What a run that is resumed has of itself. */
const SETTINGS = [
  'preset',
  'config',
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
    await runTraining(args, async () => ({ config: await wantedConfig(args), parameters: null }), settings);
  },
});

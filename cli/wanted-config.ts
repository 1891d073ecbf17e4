import { unwrap } from '../src/base/result.ts';
import { presetNamed, presets } from '../src/config/presets.ts';
import { parseRunConfig, type RunConfig } from '../src/config/run-config.ts';
import { domainNamed } from '../src/domains/domains.ts';
import { jsonFile, usageError, wantedDomain, wholeNumber } from './node-io.ts';

/** Options of `train` that say what is wanted of a run, as they were typed. */
export type ConfigOptions = Partial<
  Record<'preset' | 'config' | 'domain' | 'notation' | 'objective' | 'limit' | 'seed', string> &
    Record<'steps' | 'minutes' | 'epochs' | 'patience', string>
>;

/** The config that a preset or a file and the options make together. Fails as InputError, or as usage error. */
export async function wantedConfig(args: ConfigOptions): Promise<RunConfig> {
  if ((args.preset === undefined) === (args.config === undefined))
    throw usageError('Give either --preset NAME or --config FILE.');
  let input: unknown;
  if (args.config !== undefined) input = await jsonFile(args.config, 'bad-config', 'a RunConfig file');
  else {
    input = presetNamed(args.preset!)?.config;
    if (input === undefined)
      throw usageError(`--preset ${args.preset}: the presets are ${presets.map(({ name }) => name).join(', ')}.`);
  }
  return withOptions(unwrap(parseRunConfig(input)), args);
}

/** A config with what the options say in its place. */
export function withOptions(base: RunConfig, args: ConfigOptions): RunConfig {
  const domain = args.domain === undefined ? unwrap(domainNamed(base.domain)) : wantedDomain(args.domain);
  return unwrap(
    parseRunConfig({
      ...base,
      domain: domain.name,
      // A preset's notation may be of chess alone; every domain is written in "splat".
      notation: args.notation ?? (domain.notation(base.notation).ok ? base.notation : 'splat'),
      objective: args.objective ?? base.objective,
      schedule: wantedSchedule(base.schedule, args),
      seed: args.seed === undefined ? base.seed : wholeNumber('--seed', args.seed, 0),
      data: { ...base.data, limit: args.limit === undefined ? base.data.limit : wholeNumber('--limit', args.limit, 1) },
    }),
  );
}

/** The schedule with what the options say of its length; --minutes waits for an engine (run-training.ts). */
export function wantedSchedule(schedule: RunConfig['schedule'], args: ConfigOptions): RunConfig['schedule'] {
  if ([args.steps, args.minutes, args.epochs].filter((option) => option !== undefined).length > 1)
    throw usageError('Give only one of --steps, --minutes and --epochs.');
  const wanted = { ...schedule };
  if (args.steps !== undefined) {
    wanted.steps = wholeNumber('--steps', args.steps, 1);
    wanted.epochs = null;
  }
  if (args.minutes !== undefined) wanted.epochs = null;
  if (args.epochs !== undefined) wanted.epochs = wholeNumber('--epochs', args.epochs, 1);
  if (args.patience !== undefined) {
    wanted.patience = wholeNumber('--patience', args.patience, 1);
    wanted.keep = 'best';
  }
  return wanted;
}

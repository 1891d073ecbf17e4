import { readFile } from 'node:fs/promises';
import { inputError, unwrap } from '../src/base/result.ts';
import { layersOf } from '../src/config/model-schema.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import { parseTrainingRecord, type TrainingRecord } from '../src/interchange/records/training-record.ts';

type EarlierRuns = NonNullable<TrainingRecord['training']['earlier']>;

/** The runs that made a shipped model, the first of all first. */
export async function runsUpTo(path: string): Promise<EarlierRuns> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await readFile(path));
  } catch {
    throw inputError('no-file', `${path} cannot be read; give the training-record.json of a shipped model.`);
  }
  const record = unwrap(parseTrainingRecord(bytes));
  const { earlier = [], device, engine, threads, remark } = record.training;
  const own = (count: 'steps' | 'tokens' | 'seconds') =>
    earlier.reduce((left, run) => left - run[count], record.training[count]);
  if (own('steps') < 1 || own('tokens') < 1 || own('seconds') < 0)
    throw inputError(
      'bad-record',
      `${path}: its earlier runs have more steps, tokens or seconds than all runs together.`,
    );
  const counts = { steps: own('steps'), tokens: own('tokens'), seconds: own('seconds') };
  const run = { config: record.config, ...counts, device, engine, threads };
  return [...earlier, { ...run, ...(remark === undefined ? {} : { remark }) }];
}

/** Why of these runs, the first of all first, one cannot have begun with the weights of the one before; null if all can. */
export function misfitOf(runs: readonly RunConfig[]): string | null {
  for (const [i, { domain, model }] of runs.slice(1).entries()) {
    const before = runs[i];
    if (before.domain !== domain) return `reads ${before.domain}`;
    if (before.model.kind !== model.kind || before.model.width !== model.width)
      return `is a ${before.model.kind} of width ${before.model.width}`;
    if (layersOf(before.model) > layersOf(model)) return `has ${layersOf(before.model)} layers`;
  }
  return null;
}

/**
 * What trains such a model again: each run but the first begins with the weights of the one before.
 * @param games the name of each run's games
 */
export function trainingCommands(games: readonly string[]): string[] {
  return games.map((data, i) => {
    const [config, out] = i === games.length - 1 ? ['run.json', 'run'] : [`earlier-${i + 1}.json`, `earlier-${i + 1}`];
    return `blindfold train --data ${data} --config ${config}${i === 0 ? '' : ` --from earlier-${i}`} --out ${out}`;
  });
}

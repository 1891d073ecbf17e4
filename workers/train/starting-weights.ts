import { fail, ok, type Result } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import { parameterMismatch, type ModelConfig } from '../../src/models/model.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import { newestCheckpoint } from '../../src/training/checkpoint-store.ts';
import { openFolder } from '../analyse/open-folder.ts';
import type { TrainHost } from './handlers.ts';

/** Names the model that ships with the page in `questions.from`. */
const SHIPPED = 'shipped';

/** Settings that no weight's shape tells of, and without which the same weights compute something else. */
const UNSEEN = [
  ...['kind', 'heads', 'rotaryBase', 'shift', 'window'],
  ...['pattern', 'chunk', 'buckets', 'kernel', 'localHeads', 'localWindow'],
];

/**
 * The weights that a run begins with where it is fine-tuned from another model (`questions.from`); null where its own
 * are drawn. Fails in plain words where that model is gone, reads other words or has another shape.
 */
export async function startingWeights(
  { runs, checkpoints }: Pick<TrainHost, 'runs' | 'checkpoints'>,
  config: RunConfig,
  model: ModelConfig,
  shipped: Map<string, Uint8Array> | undefined,
): Promise<Result<NamedArrays | null>> {
  const from = config.questions?.from ?? null;
  if (from === null) return ok(null);
  const found = from.id === SHIPPED ? await shippedWeights(shipped) : await weightsOfRun(runs, checkpoints, from);
  if (!found.ok) return found;
  const { parameters, of } = found.value;
  if (of.domain !== config.domain || of.notation !== config.notation)
    return fail(
      'other-words',
      `“${from.name}” has read ${of.domain} in “${of.notation}”, and this run reads ${config.domain} in “${config.notation}”; start from a model of the same game and notation.`,
    );
  const mismatch = differenceOf(of.model, config.model) ?? parameterMismatch(model, parameters);
  if (mismatch === null) return ok(parameters);
  return fail(
    'other-shape',
    `“${from.name}” has another shape than the model of this run (${mismatch}); give this run the same model settings, or start from another.`,
  );
}

interface Found {
  parameters: NamedArrays;
  /** The config that the weights were trained with. */
  of: RunConfig;
}

async function weightsOfRun(
  runs: TrainHost['runs'],
  checkpoints: TrainHost['checkpoints'],
  { id, name }: { id: string; name: string },
): Promise<Result<Found>> {
  if (!(await runs.get(id)))
    return fail(
      'no-run',
      `“${name}”, which this run was to start from, is no longer in the list; choose another model.`,
    );
  const newest = await newestCheckpoint(checkpoints, id);
  if (!newest.ok) return newest;
  if (!newest.value)
    return fail(
      'no-checkpoint',
      `“${name}” has no checkpoint yet; train it until the first is written, then start from it.`,
    );
  const { config, parameters } = newest.value.checkpoint;
  return ok({ parameters, of: config });
}

async function shippedWeights(files: Map<string, Uint8Array> | undefined): Promise<Result<Found>> {
  if (files === undefined)
    return fail('no-shipped', 'No model ships with the page for this game; start from a run of your own.');
  const opened = await openFolder(files);
  if (!opened.ok) return opened;
  const { parameters } = opened.value.learnable ?? opened.value;
  return ok({ parameters, of: opened.value.record.config });
}

/** The first setting of the two models that differs without a trace in their shapes, in words. */
function differenceOf(theirs: RunConfig['model'], ours: RunConfig['model']): string | null {
  const of = (model: RunConfig['model'], field: string) => (model as unknown as Record<string, unknown>)[field];
  const field = UNSEEN.find((name) => of(theirs, name) !== of(ours, name));
  return field === undefined ? null : `${field}: ${String(of(theirs, field))} there, ${String(of(ours, field))} here`;
}

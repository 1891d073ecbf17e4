import { sha256 } from '../../src/base/bytes.ts';
import { fail, ok, type Result } from '../../src/base/result.ts';
import { startOf, type RunConfig } from '../../src/config/run-config.ts';
import { haveSameTokens } from '../../src/domains/domains.ts';
import { parameterMismatch, type ModelConfig } from '../../src/models/model.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import { newestCheckpoint } from '../../src/training/checkpoint-store.ts';
import { openFiles } from '../measure/open-model.ts';
import type { TrainHost } from './handlers.ts';
import type { StartModel } from './protocol.ts';

/** Names the models that ship with the page as starts. */
const SHIPPED: readonly string[] = ['shipped', 'shipped-small'];
/** Begins the name of one that was opened. */
const FILES = 'files:';

type Files = Map<string, Uint8Array>;

/** Settings that no weight's shape tells of, and without which the same weights compute something else. */
const UNSEEN = [
  ...['kind', 'heads', 'rotaryBase', 'shift', 'window'],
  ...['pattern', 'chunk', 'buckets', 'kernel', 'localHeads', 'localWindow'],
];

/**
 * The weights that a run begins with where its config names a model as its start; null where its own are drawn. `files`
 * are those of the shipped model or of one that was opened. Fails in plain words where that model is gone, reads other
 * words or has another shape.
 */
export async function startingWeights(
  { runs, checkpoints, clock }: Pick<TrainHost, 'runs' | 'checkpoints' | 'clock'>,
  config: RunConfig,
  model: ModelConfig,
  files: Files | undefined,
): Promise<Result<NamedArrays | null>> {
  const from = startOf(config);
  if (from === null) return ok(null);
  const isFiles = SHIPPED.includes(from.id) || from.id.startsWith(FILES);
  const found = isFiles ? await weightsOfFiles(from, files, clock) : await weightsOfRun(runs, checkpoints, from);
  if (!found.ok) return found;
  const { parameters, of } = found.value;
  if (!haveSameTokens(of, config))
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

async function weightsOfFiles(
  { id, name }: { id: string; name: string },
  files: Files | undefined,
  clock: () => number,
): Promise<Result<Found>> {
  if (files === undefined)
    return SHIPPED.includes(id)
      ? fail('no-shipped', 'No model ships with the page for this game; start from a run of your own.')
      : fail('no-files', `“${name}”, which this run was to start from, is not open; open its folder again.`);
  if (!SHIPPED.includes(id) && id !== (await idOf(files)))
    return fail('other-files', `The files of “${name}” are not those that this run names; open them again.`);
  const opened = await openFiles(name, files, clock);
  if (!opened.ok) return opened;
  if ('tokenizer' in opened.value) return textModel(name);
  if (opened.value.moves) return wholeMoves(name);
  const { parameters } = opened.value.learnable ?? opened.value;
  return ok({ parameters, of: opened.value.config });
}

/** What a run must have to start from a model in files. */
export async function readStart(name: string, files: Files, clock: () => number): Promise<Result<StartModel>> {
  const opened = await openFiles(name, files, clock);
  if (!opened.ok) return opened;
  if ('tokenizer' in opened.value) return textModel(name);
  if (opened.value.moves) return wholeMoves(name);
  return ok({ id: await idOf(files), config: opened.value.config });
}

const textModel = (name: string) =>
  fail('text-model', `“${name}” reads text, and runs read games; it can be asked on the Suites page.`);

const wholeMoves = (name: string) =>
  fail(
    'whole-moves',
    `“${name}” writes a move as one token, and runs here read squares; it can be asked on the Probe page and played.`,
  );

/** Names the very files. */
async function idOf(files: Files): Promise<string> {
  const names = [...files.keys()].sort();
  const hashes = await Promise.all(names.map(async (name) => `${name} ${await sha256(files.get(name)!)}`));
  return `${FILES}${(await sha256(hashes.join('\n'))).slice(0, 16)}`;
}

/** The first setting of the two models that differs without a trace in their shapes, in words. */
function differenceOf(theirs: RunConfig['model'], ours: RunConfig['model']): string | null {
  const of = (model: RunConfig['model'], field: string) => (model as unknown as Record<string, unknown>)[field];
  const field = UNSEEN.find((name) => of(theirs, name) !== of(ours, name));
  return field === undefined ? null : `${field}: ${String(of(theirs, field))} there, ${String(of(ours, field))} here`;
}

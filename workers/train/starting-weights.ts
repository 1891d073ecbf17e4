import { sha256 } from '../../src/base/bytes.ts';
import { inputError, unwrap } from '../../src/base/result.ts';
import { startOf, type RunConfig } from '../../src/config/run-config.ts';
import { isShipped } from '../../src/config/shipped-ids.ts';
import { TEXT_TUNING } from '../../src/config/text-tuning.ts';
import type { ModelVocabulary } from '../../src/base/text-tokenizer.ts';
import type { Notation } from '../../src/domains/domain.ts';
import { haveSameTokens, notationOf } from '../../src/domains/domains.ts';
import { TEXT } from '../../src/domains/text-notation.ts';
import { asText } from '../../src/interchange/tokenizers/foreign-vocabulary.ts';
import { parameterMismatch } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import { vocabularyIn } from '../../src/training/checkpoint.ts';
import { newestCheckpoint } from '../../src/training/checkpoint-store.ts';
import { openFiles } from '../measure/open-model.ts';
import type { TrainHost } from './handlers.ts';
import type { StartModel } from './protocol.ts';

/** Begins the name of one that was opened. */
const FILES = 'files:';

type Files = Map<string, Uint8Array>;

/** Settings that no weight's shape tells of, and without which the same weights compute something else. */
const UNSEEN = [
  ...['kind', 'heads', 'rotaryBase', 'shift', 'window'],
  ...['pattern', 'chunk', 'buckets', 'kernel', 'localHeads', 'localWindow'],
];

/**
 * The weights that a run begins with where its config names a model as its start, null where its own are drawn, and the
 * notation that it learns. `files` are those of the shipped model or of one that was opened. Fails as InputError where that
 * model is gone, reads other words or has another shape.
 */
export async function startingWeights(
  { runs, checkpoints, clock }: Pick<TrainHost, 'runs' | 'checkpoints' | 'clock'>,
  config: RunConfig,
  files: Files | undefined,
): Promise<Start> {
  const from = startOf(config);
  if (from === null) return { parameters: null, notation: unwrap(notationOf(config)) };
  const isFiles = isShipped(from.id) || from.id.startsWith(FILES);
  const found = isFiles ? await weightsOfFiles(from, files, clock) : await weightsOfRun(runs, checkpoints, from);
  const { parameters, of, brought } = found;
  // What a model of text reads is its tokenizer's to say, whatever the game.
  if (!haveSameTokens({ ...of, domain: of.notation === TEXT ? config.domain : of.domain }, config))
    throw inputError(
      'other-words',
      `“${from.name}” has read ${of.domain} in “${of.notation}”, and this run reads ${config.domain} in “${config.notation}”; start from a model of the same game and notation.`,
    );
  const notation = unwrap(notationOf(config, brought));
  const { vocabulary, slots } = notation;
  const model = modelOf(config, { size: vocabulary.size, slots });
  const mismatch = differenceOf(of.model, config.model) ?? parameterMismatch(model, parameters);
  if (mismatch === null) return { parameters, notation };
  throw inputError(
    'other-shape',
    `“${from.name}” has another shape than the model of this run (${mismatch}); give this run the same model settings, or start from another.`,
  );
}

/** What a run begins with. */
interface Start {
  /** Null for random ones. */
  parameters: NamedArrays | null;
  /** The config's, in the tokens of the weights where they brought such. */
  notation: Notation;
}

interface Found {
  parameters: NamedArrays;
  /** The config that the weights were trained with. */
  of: RunConfig;
  brought: ModelVocabulary | null;
}

async function weightsOfRun(
  runs: TrainHost['runs'],
  checkpoints: TrainHost['checkpoints'],
  { id, name }: { id: string; name: string },
): Promise<Found> {
  if (!(await runs.get(id)))
    throw inputError(
      'no-run',
      `“${name}”, which this run was to start from, is no longer in the list; choose another model.`,
    );
  const newest = unwrap(await newestCheckpoint(checkpoints, id));
  if (!newest)
    throw inputError(
      'no-checkpoint',
      `“${name}” has no checkpoint yet; train it until the first is written, then start from it.`,
    );
  const { config, parameters } = newest.checkpoint;
  return { parameters, of: config, brought: unwrap(vocabularyIn(newest.checkpoint)) };
}

async function weightsOfFiles(
  { id, name }: { id: string; name: string },
  files: Files | undefined,
  clock: () => number,
): Promise<Found> {
  if (files === undefined)
    throw isShipped(id)
      ? inputError('no-shipped', 'No model ships with the page for this game; start from a run of your own.')
      : inputError('no-files', `“${name}”, which this run was to start from, is not open; open its folder again.`);
  if (!isShipped(id) && id !== (await idOf(files)))
    throw inputError('other-files', `The files of “${name}” are not those that this run names; open them again.`);
  const { config: of, brought, parameters, learnable } = await openStart(name, files, clock);
  return { parameters: learnable?.parameters ?? parameters, of, brought };
}

/** What a run must have to start from a model in files. Fails as InputError. */
export async function readStart(name: string, files: Files, clock: () => number): Promise<StartModel> {
  const { config, brought } = await openStart(name, files, clock);
  const start = { id: await idOf(files), config };
  return brought ? { ...start, tokens: { files: new Map(brought.tokenizer.files), rows: brought.rows } } : start;
}

/** A model in files as one to start from; one of another maker that reads text learns as TEXT_TUNING says. */
async function openStart(
  name: string,
  files: Files,
  clock: () => number,
): Promise<Omit<Found, 'of'> & { config: RunConfig; learnable?: { parameters: NamedArrays } }> {
  const opened = await openFiles(name, files, clock);
  const { model, parameters, learnable } = opened;
  if ('tokenizer' in opened) {
    const config = unwrap(asText({ model }, TEXT_TUNING, TEXT_TUNING.domain));
    return { parameters, config, brought: { tokenizer: opened.tokenizer, rows: model.vocabulary } };
  }
  const { config, notation, learned = notation } = opened;
  const brought = learned.brought && {
    tokenizer: learned.text?.tokenizer ?? { vocabulary: learned.vocabulary.tokens, files: learned.brought.files },
    rows: model.vocabulary,
  };
  return { parameters, learnable, config, brought: brought ?? null };
}

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

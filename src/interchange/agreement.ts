import { fail, ok, type Result } from '../base/result.ts';
import type { RunConfig } from '../config/run-config.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { recordDiffers, type FittedModel, type FolderRecord } from './folder.ts';

/** What the fields of a run's config that weights' shapes do not tell are called in config.json. */
const LIBRARY_NAMES: Record<string, string> = {
  ...{ kind: 'model_type', rotaryBase: 'rope_theta', window: 'sliding_window', pattern: 'layer_types' },
  ...{ context: 'max_position_embeddings', heads: 'num_attention_heads', tied: 'tie_word_embeddings' },
};

/**
 * A failure `record-differs` where a model as config.json and the weights have it is not the one that blindfold.json
 * describes: one of the two files was changed or belongs to another model, and nothing says which.
 */
export function agreeing(found: FittedModel, config: RunConfig): Result<FittedModel> {
  const read = (found.learnable ?? found).model as unknown as Record<string, unknown>;
  for (const [field, recorded] of Object.entries(config.model)) {
    const has = field === 'slots' ? read.slots !== null : read[field];
    if (has === recorded) continue;
    const name = field in LIBRARY_NAMES ? `${field} (${LIBRARY_NAMES[field]})` : field;
    return recordDiffers(name, has, recorded);
  }
  return ok(found);
}

/** A failure `not-finite` where a weight is no number: such a model answers nothing. */
export function finite(parameters: NamedArrays, file: string): Result<NamedArrays> {
  for (const [name, { data }] of parameters)
    if (!allFinite(data))
      return fail(
        'not-finite',
        `${file}: ${name} holds values that are no numbers; the run diverged or the file is damaged. Take an older checkpoint.`,
        { file },
      );
  return ok(parameters);
}

/** A loop over all: with `every` the numbers of a model that ships take 50 ms, which a page waits for. */
function allFinite(data: Float32Array): boolean {
  for (let i = 0; i < data.length; i++) if (!(Math.abs(data[i]) < Infinity)) return false;
  return true;
}

/** A model from files, as far as it tells how it spells what it reads. */
interface Spelt {
  model: { vocabulary: number };
  config: RunConfig | null;
  record: FolderRecord | null;
  /** From a folder, whose blindfold.json must list the tokens; a checkpoint's config alone tells them. */
  folder: boolean;
}

/**
 * The config of a model that can be asked in the notation that it names, whose tokens `tokensOf` gives. Token ids are an
 * agreement: a model that has other tokens, or the same in another order, would be asked about other squares in silence.
 * Fails with `no-vocabulary` where nothing tells the tokens, and `other-vocabulary` where they are others.
 */
export function askable(
  { model, config, record, folder }: Spelt,
  tokensOf: (config: RunConfig) => Result<readonly string[]>,
): Result<RunConfig> {
  const file = { file: 'blindfold.json' };
  if (config === null)
    return fail(
      'no-vocabulary',
      'Nothing here says which token each id means: there is no blindfold.json. Where another maker trained it, "blindfold import" matches its tokens.',
      file,
    );
  const tokens = tokensOf(config);
  if (!tokens.ok) return tokens;
  if (model.vocabulary !== tokens.value.length)
    return fail(
      'other-vocabulary',
      `The model has ${model.vocabulary} tokens and its notation ${tokens.value.length}; it was made by another build, or is no model of games.`,
    );
  if (!folder) return ok(config);
  const told: unknown = record?.tokens;
  if (!Array.isArray(told))
    return fail(
      'no-vocabulary',
      'blindfold.json does not say which token each id means: record.tokens is no list. Take the folder again as it was exported.',
      file,
    );
  const other = tokens.value.findIndex((token, id) => told[id] !== token);
  if (other < 0 && told.length === tokens.value.length) return ok(config);
  const id = other < 0 ? tokens.value.length : other;
  return fail(
    'other-vocabulary',
    `This model's tokens are not those that moves are spelt with here: id ${id} is ${JSON.stringify(told[id] ?? null)} in blindfold.json and ${JSON.stringify(tokens.value[id] ?? null)} here. It was made by another build, or the file was changed.`,
    file,
  );
}

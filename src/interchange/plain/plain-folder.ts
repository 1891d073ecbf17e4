import type { Result } from '../../base/result.ts';
import type { SlotGrammar } from '../../base/slot-grammar.ts';
import type { ModelSettings } from '../../config/model-schema.ts';
import { tokenEmbeddingName } from '../../models/model.ts';
import { modelOf } from '../../models/of-config.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { recordDiffers, weightsDiffer, type FittedModel, type FolderForm, type Own } from '../folder.ts';
import { fittedPairs, pairsOf, tablesOf, type SlotPairs } from '../forms/slot-pairs.ts';
import { narrowed, plainParameters } from './plain-model.ts';
import { readingsOf, type Reading } from './readings.ts';
import { wideningOf, type PlainKind } from './stretch.ts';

/** What config.json says of sizes otherwise than the model's settings. */
export interface PlainSizes {
  /** Rows of the token embedding: the tokens, or the readings of a plain model. */
  rows: number;
  /** Columns of the residual stream, of a plain model. */
  width?: number;
}

/** The folder of a kind that Hugging Face has a class for; a model with slots becomes a plain one. */
export function writePlain<Model extends ModelSettings>(
  settings: Model,
  parameters: NamedArrays,
  slots: SlotGrammar | null,
  configOf: (settings: Model, sizes: PlainSizes) => object,
): ReturnType<FolderForm['write']> {
  if (!slots) {
    const [rows] = parameters.get(tokenEmbeddingName(settings.kind))!.shape;
    return { hugging: configOf(settings, { rows }), tensors: parameters, readme: '' };
  }
  const readings = readingsOf(slots);
  const model = plainKind(settings, slots);
  const pairs = pairsOf(slots);
  // A model that came from a folder has a row for each pair of a slot and a token.
  const paired = parameters.get(tablesOf(model.kind).slots)!.shape[0] === pairs.tokens.length;
  const rowOf = paired ? (reading: Reading) => pairOf(pairs, reading) : undefined;
  const { width, parameters: tensors } = plainParameters(model, parameters, readings, rowOf);
  return { hugging: configOf(settings, { rows: readings.list.length, width }), readings, tensors, readme: '' };
}

/** Whether config.json, of which this is the `size` of the residual stream, is of a model with slots that was made plain. */
export function isPlain<M extends ModelSettings>(own: Own<M> | null, size: unknown): own is Own<M> & WithSlots {
  if (!own?.slots || !own.config.model.slots) return false;
  return Number(size) > own.config.model.width;
}

interface WithSlots {
  slots: SlotGrammar;
}

/**
 * The model with slots that a plain one was made of. It is asked with a row for each pair of a slot and a token, as they
 * are stored.
 * @param expected the config.json that such a model has
 */
export function fromPlain<Model extends ModelSettings>(
  { config, slots }: Own<Model> & WithSlots,
  expected: (settings: Model, sizes: PlainSizes) => object,
  hugging: Record<string, unknown>,
  tensors: NamedArrays,
  file: string,
): Result<FittedModel> {
  const model = plainKind(config.model, slots);
  const readings = readingsOf(slots);
  const { added } = wideningOf(model, readings.states);
  const sizes = { rows: readings.list.length, width: model.width + added };
  for (const [field, wanted] of Object.entries(expected(config.model, sizes))) {
    const found = hugging[field];
    if (found === undefined || JSON.stringify(found) === JSON.stringify(wanted)) continue;
    return recordDiffers(field, found, wanted);
  }
  const narrow = narrowed(model, tensors, readings);
  if (typeof narrow === 'string') return weightsDiffer(file, `${narrow} is missing or has another shape`);
  const { width } = model;
  const pairs = pairsOf(slots);
  const rows = new Float32Array(pairs.tokens.length * width);
  for (const [pair, token] of pairs.tokens.entries()) {
    const reading = readings.list.findIndex((one) => one.token === token && one.slot === pairs.slots[pair]);
    rows.set(narrow.rows.subarray(reading * width, (reading + 1) * width), pair * width);
  }
  return fittedPairs(model, narrow.parameters, { rows, head: narrow.head, pairs, width }, '', file);
}

const pairOf = (pairs: SlotPairs, { slot, token }: Reading): number =>
  pairs.tokens.findIndex((one, pair) => one === token && pairs.slots[pair] === slot);

function plainKind(settings: ModelSettings, slots: SlotGrammar): PlainKind {
  const model = modelOf({ model: settings }, { size: slots.slot.length / slots.states, slots });
  if (model.kind !== 'gpt2' && model.kind !== 'qwen3' && model.kind !== 'lfm2')
    throw new Error(`Hugging Face has no class for ${model.kind}`);
  return model;
}

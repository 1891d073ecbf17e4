import { fail, ok, type Result } from '../../base/result.ts';
import type { SlotGrammar } from '../../base/slot-grammar.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { modelOf } from '../../models/of-config.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { fitted, recordDiffers, type FittedModel, type Own } from '../folder.ts';
import { pairParameters, pairsOf, partedTables, type SlotPairs } from '../forms/slot-pairs.ts';
import { narrowed, plainParameters, tablesOf } from './plain-model.ts';
import { readingsOf, type Reading, type Readings } from './readings.ts';
import { wideningOf, type PlainKind } from './stretch.ts';

/** The sizes of a model with slots where it is a plain one. */
export interface PlainSizes {
  /** Rows of the token embedding: the readings. */
  rows: number;
  /** Columns of the residual stream. */
  width: number;
}

export function plainModel(
  config: RunConfig,
  parameters: NamedArrays,
  slots: SlotGrammar,
): PlainSizes & { parameters: NamedArrays; readings: Readings } {
  const readings = readingsOf(slots);
  const model = plainKind(config, slots);
  const pairs = pairsOf(slots);
  // A model that came from a folder has a row for each pair of a slot and a token.
  const paired = parameters.get(tablesOf(model.kind).slots)!.shape[0] === pairs.tokens.length;
  const rowOf = paired ? (reading: Reading) => pairOf(pairs, reading) : undefined;
  return { ...plainParameters(model, parameters, readings, rowOf), rows: readings.list.length, readings };
}

/** Whether config.json, of which this is the `size` of the residual stream, is of a model with slots that was made plain. */
export function isPlain(own: Own | null, size: unknown): own is Own & { slots: SlotGrammar } {
  if (!own?.slots || !own.config.model.slots) return false;
  return Number(size) > own.config.model.width;
}

/**
 * The model with slots that a plain one was made of. It is asked with a row for each pair of a slot and a token, as they
 * are stored.
 * @param expected the config.json that such a model has
 */
export function fromPlain(
  own: Own & { slots: SlotGrammar },
  expected: (config: RunConfig, sizes: PlainSizes) => object,
  hugging: unknown,
  tensors: NamedArrays,
  file: string,
): Result<FittedModel> {
  const { config, slots } = own;
  const model = plainKind(config, slots);
  const readings = readingsOf(slots);
  const { added } = wideningOf(model, readings.states);
  const sizes = { rows: readings.list.length, width: model.width + added };
  for (const [field, wanted] of Object.entries(expected(config, sizes))) {
    const found = (hugging as Record<string, unknown>)[field];
    if (found === undefined || JSON.stringify(found) === JSON.stringify(wanted)) continue;
    return recordDiffers(field, found, wanted);
  }
  const narrow = narrowed(model, tensors, readings);
  if (typeof narrow === 'string')
    return fail(
      'weights-differ',
      `${file} and the model's config do not agree: ${narrow} is missing or has another shape.`,
      { file },
    );
  const { width } = model;
  const pairs = pairsOf(slots);
  const rows = new Float32Array(pairs.tokens.length * width);
  for (const [pair, token] of pairs.tokens.entries()) {
    const reading = readings.list.findIndex((one) => one.token === token && one.slot === pairs.slots[pair]);
    rows.set(narrow.rows.subarray(reading * width, (reading + 1) * width), pair * width);
  }
  const tables = tablesOf(model.kind);
  const parameters = pairParameters(narrow.parameters, rows, narrow.head, width, tables);
  const asked = fitted({ ...model, slots: pairs.grammar, tied: false }, parameters, '', file);
  if (!asked.ok) return asked;
  const parted = partedTables(parameters, slots, pairs, model.tied !== false, tables);
  const learnable = fitted(model, parted, '', file);
  return learnable.ok ? ok({ ...asked.value, learnable: learnable.value }) : learnable;
}

const pairOf = (pairs: SlotPairs, { slot, token }: Reading): number =>
  pairs.tokens.findIndex((one, pair) => one === token && pairs.slots[pair] === slot);

function plainKind(config: RunConfig, slots: SlotGrammar): PlainKind {
  const model = modelOf(config, { size: slots.slot.length / slots.states, slots });
  if (model.kind !== 'gpt2' && model.kind !== 'qwen3' && model.kind !== 'lfm2')
    throw new Error(`Hugging Face has no class for ${model.kind}`);
  return model;
}

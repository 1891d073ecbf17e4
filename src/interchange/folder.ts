import { excerpt } from '../base/excerpt.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { SlotGrammar } from '../base/slot-grammar.ts';
import type { ModelKindName, ModelSettings } from '../config/model-schema.ts';
import type { RunConfig } from '../config/run-config.ts';
import { lmHead } from '../models/gpt.ts';
import { parameterMismatch, parameterShapes, type ModelConfig } from '../models/model.ts';
import { modelOf } from '../models/of-config.ts';
import type { Readings } from './plain/readings.ts';
import type { NamedArrays } from '../models/parameters.ts';

/** Files of a folder by name. */
export type Files = Map<string, Uint8Array>;

/** The weights' file in a folder. */
export const WEIGHTS = 'model.safetensors';

/** What is known of how a model came to be. */
export interface FolderRecord {
  /** The vocabulary's tokens in the order of their ids. */
  tokens: readonly string[];
  step: number;
  /** Anything else worth keeping, plain JSON. */
  [more: string]: unknown;
}

/** What blindfold.json says, with the grammar of the config's notation. */
export interface Own<Model extends ModelSettings = ModelSettings> {
  config: RunConfig & { model: Model };
  record: FolderRecord | null;
  slots: SlotGrammar | null;
}

export interface FittedModel {
  model: ModelConfig;
  parameters: NamedArrays;
  /**
   * The model that its config describes, to go on learning with, where the stored rows do not tell its tables exactly:
   * the tables nearest to them. Absent where `model` itself is that model.
   */
  learnable?: { model: ModelConfig; parameters: NamedArrays };
}

/** One kind of model as a folder that its own library reads. */
export interface FolderForm<Model extends ModelSettings = ModelSettings> {
  /**
   * The parts of the folder that differ between kinds; `hugging` is null where Hugging Face has no class for it, and
   * `readings` is the vocabulary where that is not the notation's.
   */
  write(
    model: Model,
    parameters: NamedArrays,
    slots: SlotGrammar | null,
  ): { hugging: object | null; readings?: Readings | null; tensors: NamedArrays; readme: string };
  /** A model from the parsed config.json, the tensors of `file`, and what is known where the folder is ours. */
  read(
    hugging: Record<string, unknown>,
    tensors: NamedArrays,
    own: Own<Model> | null,
    file: string,
  ): Result<FittedModel>;
}

/** Special tokens of every domain: <pad> 0, <s> 1, </s> 2. */
export const special = { pad_token_id: 0, bos_token_id: 1, eos_token_id: 2 } as const;

export const otherModel = (what: string) => fail('other-model', `config.json: ${what}.`, { file: 'config.json' });

/** What config.json says of a field, and what it would say by blindfold.json. */
export const recordDiffers = (field: string, found: unknown, recorded: unknown) =>
  fail(
    'record-differs',
    `config.json and blindfold.json describe different models: ${field} is ${excerpt(found)} in the one and ${excerpt(recorded)} by the other. Take the folder again as it was exported.`,
    { file: 'config.json' },
  );

/** The first field of a config.json that is not what this project's model does, in words; null where all agree. */
export function firstDifference(wanted: readonly (readonly [string, unknown, unknown])[]): string | null {
  for (const [field, found, needed] of wanted)
    if (found !== needed) return `${field} is ${excerpt(found ?? null)} where this model has ${excerpt(needed)}`;
  return null;
}

/** A config.json whose fields of these names are counts, none larger than `most` says. */
export function countsOf<K extends string>(
  config: Record<string, unknown>,
  most: Record<K, number>,
): Result<Record<K, number>> {
  for (const [field, limit] of Object.entries<number>(most)) {
    const value = config[field] as number;
    if (!(Number.isSafeInteger(value) && value >= 1 && value <= limit))
      return otherModel(`${field} is missing or not a count that a model can have`);
  }
  return ok(config as Record<K, number>);
}

/** What weights and a model's config do not agree in. */
export const weightsDiffer = (file: string, what: string) =>
  fail('weights-differ', `${file} and the model's config do not agree: ${what}.`, { file });

/**
 * Tensors as the parameters of a model in its own order: names may lack `prefix`, which an untied lm_head never has; a
 * tied lm_head, attention's mask buffers and what a checkpoint holds besides are passed over, anything else is foreign.
 */
export function fitted(model: ModelConfig, tensors: NamedArrays, prefix: string, file: string): Result<FittedModel> {
  const differ = (what: string) => weightsDiffer(file, what);
  const { slots } = model;
  if (slots && slots.slot.length !== slots.states * model.vocabulary)
    return differ(`the model has ${model.vocabulary} tokens and its notation ${slots.slot.length / slots.states}`);
  const named = prefixed(tensors, prefix);
  const shapes = parameterShapes(model);
  const known = new Set(shapes.map((parameter) => parameter.name));
  const foreign = [...named.keys()].find((name) => !known.has(name) && !isPassedOver(withoutPrefix(name, prefix)));
  if (foreign) return differ(`${foreign} is not a parameter of this model`);
  const parameters: NamedArrays = new Map();
  for (const { name } of shapes) {
    const tensor = named.get(name);
    if (tensor) parameters.set(name, tensor);
  }
  const mismatch = parameterMismatch(model, parameters);
  return mismatch ? differ(mismatch) : ok({ model, parameters });
}

/**
 * A model that blindfold.json alone describes, since no library has its kind: the config's model over as many tokens as
 * the embedding has rows.
 */
export function labModel(
  kind: ModelKindName,
  embeddingName: string,
  tensors: NamedArrays,
  own: Own | null,
  file: string,
): Result<FittedModel> {
  const embedding = tensors.get(embeddingName);
  if (!own || !embedding) {
    const what = `${file} holds no ${kind} of this lab (${embeddingName} and blindfold.json).`;
    return fail('weights-differ', what, { file });
  }
  return fitted(modelOf(own.config, { size: embedding.shape[0], slots: own.slots }), tensors, '', file);
}

/**
 * Rows of the token embedding, by its name with or without the prefix. Fails where there is none, and where a head that is
 * `tied` to it is written out and differs.
 */
export function embeddingOf(
  tensors: NamedArrays,
  name: string,
  prefix: string,
  { tied, title, file }: { tied: boolean; title: string; file: string },
): Result<{ shape: number[]; data: Float32Array }> {
  const embedding = tensors.get(name) ?? tensors.get(name.slice(prefix.length));
  if (!embedding)
    return fail('weights-differ', `${file} holds no token embedding (${name}): it is no ${title}.`, { file });
  const { data } = embedding;
  const head = tensors.get(lmHead)?.data;
  if (!tied || !head || (head.length === data.length && head.every((x, i) => Object.is(x, data[i]))))
    return ok(embedding);
  return fail(
    'head-untied',
    `${file}: lm_head differs from the token embedding, and config.json says that they are one. If the head is its own, set tie_word_embeddings to false there.`,
    { file },
  );
}

function prefixed(tensors: NamedArrays, prefix: string): NamedArrays {
  const whole = (name: string) => (name === lmHead ? name : prefix + withoutPrefix(name, prefix));
  return new Map([...tensors].map(([name, tensor]) => [whole(name), tensor]));
}

const withoutPrefix = (name: string, prefix: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : name);

const isPassedOver = (name: string) =>
  name === lmHead ||
  /\.attn\.(bias|masked_bias)$/.test(name) ||
  name.startsWith('optimizer.') ||
  name === 'curve.losses';

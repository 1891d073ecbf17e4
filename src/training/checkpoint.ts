import { excerpt } from '../base/excerpt.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { bringsTokens } from '../config/brought-tokens.ts';
import { parseRunConfig, type RunConfig } from '../config/run-config.ts';
import type { ModelVocabulary, TextTokenizer } from '../base/text-tokenizer.ts';
import { parameterMismatch, parameterShapes, tokenEmbeddingName, type ModelConfig } from '../models/model.ts';
import { modelOf } from '../models/of-config.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { notationOf } from '../domains/domains.ts';
import { readSafetensors, writeSafetensors } from '../interchange/safetensors.ts';
import { modelVocabulary } from '../interchange/tokenizers/model-vocabulary.ts';
import { packTokenizer, unpackTokenizer } from '../interchange/tokenizers/text-tokenizer.ts';
import { Curve, type EvaluationRecord } from './curve.ts';

/** All that a run needs to go on as if it had never stopped. */
export interface Checkpoint {
  config: RunConfig;
  /** Steps taken. */
  step: number;
  tokensSeen: number;
  curve: Curve;
  parameters: NamedArrays;
  /** As Engine.optimizerState gives it: moments under m.NAME and v.NAME. */
  optimizer: { step: number; moments: NamedArrays };
  /**
   * Step whose weights and moments these are, where a finished run has put those of its best epoch in the last ones'
   * place; null where they are of `step`.
   */
  kept: number | null;
  /** The files of the tokens that the model brought; left out where tokens are a notation's. */
  tokenizer?: TextTokenizer['files'];
}

/** What __metadata__.format says; a reader of weights alone may ignore it. */
export const CHECKPOINT_FORMAT = 'blindfold-checkpoint';
export const CHECKPOINT_VERSION = '1';

const lossName = 'curve.losses';
const optimizerPrefix = 'optimizer.';

/**
 * One safetensors file: parameters under their own names, moments under optimizer.m.NAME and optimizer.v.NAME, the loss
 * curve as a tensor, everything else as strings of __metadata__. Any safetensors reader can take the weights out.
 */
export function encodeCheckpoint(checkpoint: Checkpoint): Uint8Array {
  const tensors: NamedArrays = new Map(checkpoint.parameters);
  for (const [name, moment] of checkpoint.optimizer.moments) tensors.set(optimizerPrefix + name, moment);
  const losses = checkpoint.curve.losses();
  tensors.set(lossName, { shape: [losses.length], data: losses });
  return writeSafetensors(tensors, {
    format: CHECKPOINT_FORMAT,
    version: CHECKPOINT_VERSION,
    config: JSON.stringify(checkpoint.config),
    step: String(checkpoint.step),
    tokensSeen: String(checkpoint.tokensSeen),
    optimizerStep: String(checkpoint.optimizer.step),
    ...(checkpoint.kept === null ? {} : { kept: String(checkpoint.kept) }),
    ...(checkpoint.tokenizer ? { tokenizer: packTokenizer(checkpoint.tokenizer) } : {}),
    evaluations: JSON.stringify(checkpoint.curve.evaluations),
  });
}

export function decodeCheckpoint(bytes: Uint8Array): Result<Checkpoint> {
  const file = readSafetensors(bytes);
  if (!file.ok) return file;
  const { metadata, tensors } = file.value;
  if (metadata.format !== CHECKPOINT_FORMAT)
    return fail(
      'checkpoint-kind',
      'This is a safetensors file but no checkpoint of a run: it holds no run to go on with. It may be opened as a model.',
    );
  if (metadata.version !== CHECKPOINT_VERSION)
    return fail(
      'checkpoint-version',
      `This checkpoint is of version ${excerpt(metadata.version ?? null)}; this build reads version ${CHECKPOINT_VERSION}. Open it with the build that wrote it.`,
    );
  const damaged = (what: string) =>
    fail('checkpoint-damaged', `This checkpoint cannot be used: ${what}. Go back to an older one.`);

  const config = parseRunConfig(jsonOf(metadata.config));
  if (!config.ok) return config;
  const [step, tokensSeen, optimizerStep] = [metadata.step, metadata.tokensSeen, metadata.optimizerStep].map(countOf);
  if (step === null || tokensSeen === null || optimizerStep === null)
    return damaged('its step or token count is missing');
  const evaluations = jsonOf(metadata.evaluations);
  if (!Array.isArray(evaluations) || !evaluations.every(isEvaluation)) return damaged('its evaluations are not a list');

  const losses = tensors.get(lossName);
  if (!losses) return damaged('its loss curve is missing');
  const parameters: NamedArrays = new Map();
  const moments: NamedArrays = new Map();
  for (const [name, tensor] of tensors) {
    if (name.startsWith(optimizerPrefix)) moments.set(name.slice(optimizerPrefix.length), tensor);
    else if (name !== lossName) parameters.set(name, tensor);
  }
  const language = bringsTokens(config.value) ? ok(broughtOf(parameters, config.value)) : notationOf(config.value);
  if (!language.ok) return language;
  const { vocabulary, slots } = language.value;
  const tokenizer = metadata.tokenizer === undefined ? undefined : unpackTokenizer(metadata.tokenizer);
  if (tokenizer === null) return damaged('its tokenizer is no set of files');
  const model = modelOf(config.value, { size: vocabulary.size, slots });
  const mismatch = parameterMismatch(model, parameters) ?? momentMismatch(model, moments);
  if (mismatch) return damaged(mismatch);
  return ok({
    config: config.value,
    step,
    tokensSeen,
    curve: new Curve(losses.data, evaluations.filter(isMeasured)),
    parameters,
    optimizer: { step: optimizerStep, moments },
    kept: countOf(metadata.kept),
    ...(tokenizer ? { tokenizer } : {}),
  });
}

/** What a checkpoint's model brought of its tokens; null where they are a notation's. Fails as `modelVocabulary` does. */
export function vocabularyIn({ config, parameters, tokenizer }: Checkpoint): Result<ModelVocabulary | null> {
  return modelVocabulary(config, new Map(tokenizer), broughtOf(parameters, config).vocabulary.size);
}

/** A model that brings its tokens has as many as its embedding has rows. */
function broughtOf(parameters: NamedArrays, { model }: RunConfig) {
  const size = parameters.get(tokenEmbeddingName(model.kind))?.shape[0] ?? 0;
  return { vocabulary: { size }, slots: null };
}

function momentMismatch(model: ModelConfig, moments: NamedArrays): string | null {
  const shapes = parameterShapes(model);
  for (const kind of ['m', 'v'])
    for (const { name, shape } of shapes)
      if (moments.get(`${kind}.${name}`)?.shape.join() !== shape.join())
        return `the optimiser's ${kind}.${name} is missing or of another shape`;
  return moments.size === 2 * shapes.length ? null : 'it holds optimiser state of another model';
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function countOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function isEvaluation(value: unknown): value is EvaluationRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'step' in value &&
    typeof value.step === 'number' &&
    'devPerplexity' in value
  );
}

/** JSON writes a perplexity beyond all numbers as null: such an evaluation is missing, and the run goes on without it. */
function isMeasured({ devPerplexity }: EvaluationRecord): boolean {
  return Number.isFinite(devPerplexity);
}

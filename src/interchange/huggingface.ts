import { fail, ok, type Result } from '../base/result.ts';
import { parseRunConfig, type RunConfig } from '../config/run-config.ts';
import { parameterMismatch, parameterShapes, type GptConfig, type NamedArrays } from '../models/gpt.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';

/** Files of a folder by name. */
export type Files = Map<string, Uint8Array>;

/** What is known of how a model came to be. */
export interface TrainingRecord {
  /** The vocabulary's tokens in the order of their ids. */
  tokens: readonly string[];
  step: number;
  /** Anything else worth keeping, plain JSON. */
  [more: string]: unknown;
}

export interface ImportedModel {
  model: GptConfig;
  parameters: NamedArrays;
  /** Present in folders and checkpoints of ours. */
  config: RunConfig | null;
  record: TrainingRecord | null;
}

/** Special tokens of every domain: <pad> 0, <s> 1, </s> 2. */
const special = { pad_token_id: 0, bos_token_id: 1, eos_token_id: 2 } as const;

const jsonFile = (value: unknown) => new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);

/**
 * A folder that `GPT2LMHeadModel.from_pretrained` reads as it is: config.json and model.safetensors, and blindfold.json
 * with the run's config and its vocabulary. Weights are the same 32 bits in both places.
 */
export function gpt2Folder(config: RunConfig, parameters: NamedArrays, record: TrainingRecord): Files {
  const { layers, width, heads, context, dropout } = config.model;
  const hugging = {
    model_type: 'gpt2',
    architectures: ['GPT2LMHeadModel'],
    vocab_size: parameters.get('transformer.wte.weight')?.shape[0] ?? record.tokens.length,
    n_positions: context,
    n_ctx: context,
    n_embd: width,
    n_layer: layers,
    n_head: heads,
    n_inner: null,
    activation_function: 'gelu_new',
    layer_norm_epsilon: 1e-5,
    initializer_range: 0.02,
    resid_pdrop: dropout,
    embd_pdrop: dropout,
    attn_pdrop: dropout,
    scale_attn_weights: true,
    tie_word_embeddings: true,
    torch_dtype: 'float32',
    ...special,
  };
  return new Map([
    ['config.json', jsonFile(hugging)],
    ['model.safetensors', writeSafetensors(parameters, { format: 'pt' })],
    ['blindfold.json', jsonFile({ config, record })],
  ]);
}

/**
 * A model from the files of a folder, ours or any Hugging Face GPT-2 whose arithmetic is ours, or from one checkpoint
 * file of ours. Names may have the `transformer.` prefix or not; attention's mask buffers and a tied lm_head are passed over.
 */
export function modelFromFiles(files: Files): Result<ImportedModel> {
  const weightFiles = [...files.keys()].filter((name) => name.endsWith('.safetensors'));
  const weights = files.has('model.safetensors')
    ? 'model.safetensors'
    : weightFiles.length === 1
      ? weightFiles[0]
      : null;
  if (weights === null)
    return fail(
      'no-weights',
      weightFiles.length > 1
        ? 'The folder holds several .safetensors files and none is named model.safetensors; give one file.'
        : "There is no model.safetensors here; a model in PyTorch's .bin form must be saved again with safe_serialization=True.",
    );
  const where = { file: weights };
  const read = readSafetensors(files.get(weights)!);
  if (!read.ok) return { ok: false, error: { ...read.error, where: { ...read.error.where, ...where } } };
  const { tensors, metadata } = read.value;

  if (metadata.format === 'blindfold-checkpoint') {
    const config = parseRunConfig(parsed(metadata.config));
    if (!config.ok) return config;
    return finish(config.value.model, tensors, config.value, null, where);
  }
  const configFile = files.get('config.json');
  if (!configFile)
    return fail(
      'no-config',
      `config.json is missing beside ${weights}; it says how many layers and heads the model has.`,
      where,
    );
  const shape = shapeOf(parsed(new TextDecoder().decode(configFile)));
  if (!shape.ok) return shape;
  const ours = files.get('blindfold.json');
  const kept = ours ? ownRecord(parsed(new TextDecoder().decode(ours))) : null;
  if (kept && !kept.ok) return kept;
  return finish(shape.value, tensors, kept?.value.config ?? null, kept?.value.record ?? null, where);
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** The model a config.json describes, or the first thing about it that this project's GPT-2 does differently. */
function shapeOf(config: unknown): Result<Omit<GptConfig, 'vocabulary'>> {
  const bad = (what: string) => fail('other-model', `config.json: ${what}.`, { file: 'config.json' });
  if (typeof config !== 'object' || config === null) return bad('it is not a JSON object');
  const c = config as Record<string, unknown>;
  if (c.model_type !== 'gpt2') return bad(`model_type is ${JSON.stringify(c.model_type)}; only "gpt2" can be read`);
  const wanted: [string, unknown, unknown][] = [
    ['activation_function', c.activation_function ?? 'gelu_new', 'gelu_new'],
    ['layer_norm_epsilon', c.layer_norm_epsilon ?? 1e-5, 1e-5],
    ['scale_attn_weights', c.scale_attn_weights ?? true, true],
    ['scale_attn_by_inverse_layer_idx', c.scale_attn_by_inverse_layer_idx ?? false, false],
    ['tie_word_embeddings', c.tie_word_embeddings ?? true, true],
    ['add_cross_attention', c.add_cross_attention ?? false, false],
    ['n_inner', c.n_inner ?? null, null],
  ];
  for (const [field, found, needed] of wanted)
    if (found !== needed && !(field === 'n_inner' && found === 4 * Number(c.n_embd)))
      return bad(`${field} is ${JSON.stringify(found)} where this model has ${JSON.stringify(needed)}`);
  const [layers, width, heads, context] = ['n_layer', 'n_embd', 'n_head', 'n_positions'].map((field) => c[field]);
  for (const [field, value] of Object.entries({ n_layer: layers, n_embd: width, n_head: heads, n_positions: context }))
    if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > (field === 'n_layer' ? 1000 : 1e6))
      return bad(`${field} is missing or not a count that a model can have`);
  if ((width as number) % (heads as number) !== 0) return bad(`n_embd ${width} is not a multiple of n_head ${heads}`);
  const dropout = typeof c.resid_pdrop === 'number' ? c.resid_pdrop : 0;
  return ok({
    kind: 'gpt2',
    layers: layers as number,
    width: width as number,
    heads: heads as number,
    context: context as number,
    dropout,
  });
}

function ownRecord(value: unknown): Result<{ config: RunConfig; record: TrainingRecord | null }> {
  if (typeof value !== 'object' || value === null || !('config' in value))
    return fail('record-invalid', 'blindfold.json is not JSON with a config; remove it to open the weights alone.', {
      file: 'blindfold.json',
    });
  const config = parseRunConfig(value.config);
  if (!config.ok) return { ok: false, error: { ...config.error, where: { file: 'blindfold.json' } } };
  const record = 'record' in value && typeof value.record === 'object' ? (value.record as TrainingRecord | null) : null;
  return ok({ config: config.value, record });
}

/** Names as ours, buffers passed over, and every shape checked. */
function finish(
  shape: Omit<GptConfig, 'vocabulary'>,
  tensors: NamedArrays,
  config: RunConfig | null,
  record: TrainingRecord | null,
  where: { file: string },
): Result<ImportedModel> {
  const named: NamedArrays = new Map();
  for (const [name, tensor] of tensors)
    named.set(name.startsWith('transformer.') ? name : `transformer.${name}`, tensor);
  const embedding = named.get('transformer.wte.weight');
  if (!embedding)
    return fail(
      'weights-differ',
      `${where.file} holds no token embedding (transformer.wte.weight): it is no GPT-2.`,
      where,
    );
  const model: GptConfig = { ...shape, vocabulary: embedding.shape[0] };
  const head = tensors.get('lm_head.weight');
  if (head && !same(head.data, embedding.data))
    return fail(
      'head-untied',
      `${where.file}: lm_head differs from the token embedding; only models with a tied head can be read.`,
      where,
    );
  const shapes = parameterShapes(model);
  const known = new Set(shapes.map((parameter) => parameter.name));
  const parameters: NamedArrays = new Map();
  for (const { name } of shapes) {
    const tensor = named.get(name);
    if (tensor) parameters.set(name, tensor);
  }
  const foreign = [...tensors.keys()].find(
    (name) => !isPassedOver(name) && !known.has(name.startsWith('transformer.') ? name : `transformer.${name}`),
  );
  const mismatch = foreign ? `${foreign} is not a parameter of this model` : parameterMismatch(model, parameters);
  if (mismatch) return fail('weights-differ', `${where.file} and the model's config do not agree: ${mismatch}.`, where);
  return ok({ model, parameters, config, record });
}

const isPassedOver = (name: string) =>
  name === 'lm_head.weight' ||
  /\.attn\.(bias|masked_bias)$/.test(name) ||
  name.startsWith('optimizer.') ||
  name === 'curve.losses';

function same(a: Float32Array, b: Float32Array): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}

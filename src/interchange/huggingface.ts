import { excerpt } from '../base/excerpt.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { SlotGrammar } from '../base/slot-grammar.ts';
import type { TextTokenizer } from '../base/text-tokenizer.ts';
import type { TokenizerRules } from '../base/tokenizer-rules.ts';
import { libraryOf, MODEL_KINDS, modelKinds, type ModelKindName, type SettingsOf } from '../config/model-schema.ts';
import { learnsPieces } from '../config/objectives.ts';
import { parseRunConfig, type RunConfig } from '../config/run-config.ts';
import { tokenEmbeddingName } from '../models/model.ts';
import { modelOf } from '../models/of-config.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { agreeing, finite } from './agreement.ts';
import {
  fitted,
  otherModel,
  recordDiffers,
  WEIGHTS,
  type Files,
  type FittedModel,
  type FolderForm,
  type Own,
  type FolderRecord,
} from './folder.ts';
import { gpt2Form } from './forms/gpt2-form.ts';
import { lfm2Form } from './forms/lfm2-form.ts';
import { lstmForm } from './forms/lstm-form.ts';
import { modelCard } from './records/model-card.ts';
import { performerForm } from './forms/performer-form.ts';
import type { Readings } from './plain/readings.ts';
import { qwen3Form } from './forms/qwen3-form.ts';
import { reformerForm } from './forms/reformer-form.ts';
import { readSafetensors, writeHalfSafetensors, writeSafetensors } from './safetensors.ts';
import { TOKENIZER_FILES, unpackTokenizer } from './tokenizers/text-tokenizer.ts';
import { tokenizerFiles, vocabularyOf, type FolderVocabulary } from './tokenizers/tokenizer-files.ts';
import { weightsOf } from './weights.ts';

export { WEIGHTS, type Files, type FolderRecord } from './folder.ts';
export { PYTORCH_WEIGHTS } from './weights.ts';

export interface ImportedModel extends FittedModel {
  /** Present in folders and checkpoints of ours. */
  config: RunConfig | null;
  record: FolderRecord | null;
  /** Whether it came from a folder's files; else it is one checkpoint of ours. */
  folder: boolean;
  /** Its tokenizer's files, of a checkpoint of a model of text; a folder has them beside the weights. */
  tokenizerFiles?: Files;
}

/** The grammar of a config's notation, null where there is none: this layer knows no domain. */
export type GrammarOf = (config: Pick<RunConfig, 'domain' | 'notation'>) => SlotGrammar | null;

/** Every name that `modelFolder` may write. */
export const FOLDER_FILES = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  ...TOKENIZER_FILES.filter((name) => !name.startsWith('tokenizer')),
  WEIGHTS,
  'blindfold.json',
  'slots.json',
  'README.md',
] as const;

const forms: { [K in ModelKindName]: FolderForm<SettingsOf<K>> } = {
  gpt2: gpt2Form,
  qwen3: qwen3Form,
  lfm2: lfm2Form,
  lstm: lstmForm,
  reformer: reformerForm,
  performer: performerForm,
};
/** Its config and its files must be of this kind: `modelFromFiles` compares them before it reads. */
const formOf = (kind: ModelKindName) => forms[kind] as FolderForm;

/** The kinds that Hugging Face has a class for. */
const huggingFaceKinds = modelKinds.filter((kind) => MODEL_KINDS[kind].library === 'Hugging Face');

const textFile = (text: string) => new TextEncoder().encode(text);
const jsonFile = (value: unknown) => textFile(`${JSON.stringify(value, null, 2)}\n`);

/** What a folder needs of its notation; this layer knows no domain. */
export interface FolderNotation {
  slots: SlotGrammar | null;
  tokenizerRules(slots: boolean): TokenizerRules | null;
  /** Tokens that are no answers, such as names of pieces; none where not said. */
  mutedInEvaluation?: readonly number[];
  /** Tokens that the model brought, whose files go with the folder. */
  brought?: { files: TextTokenizer['files']; begin: number | null; end: number | null };
  /** Where they are pieces of text. */
  text?: unknown;
}

/**
 * A folder that the model's own library reads as it is (Hugging Face's GPT2LMHeadModel, Qwen3ForCausalLM and
 * Lfm2ForCausalLM, with a tokenizer where patterns can tell the tokens; an LSTM is PyTorch's; a Reformer, a Performer and
 * a Qwen3 with a shift are nobody's, and their README computes them), with a README that says how, blindfold.json with
 * the run's config and vocabulary, and slots.json with the grammar of a model whose reader has to apply it.
 */
export function modelFolder(
  config: RunConfig,
  parameters: NamedArrays,
  record: FolderRecord,
  notation: FolderNotation,
): Files {
  const slots = config.model.slots ? notation.slots : null;
  const {
    hugging,
    readings = null,
    tensors,
    readme,
  } = formOf(config.model.kind).write(config.model, parameters, slots);
  const files: Files = new Map();
  const rules = hugging ? notation.tokenizerRules(slots !== null) : null;
  if (hugging) {
    const vocabulary = vocabularyOf(record.tokens, readings, rules);
    const { brought } = notation;
    const ids = brought ? { bos_token_id: brought.begin, eos_token_id: brought.end } : specialIds(vocabulary);
    files.set('config.json', jsonFile({ ...hugging, ...ids }));
    // A second target has probability wherever it was learned, and would be written in the middle of a move.
    const names = learnsPieces(config) ? rowsOf(notation.mutedInEvaluation ?? [], readings) : [];
    const suppressed = names.length > 0 ? { suppress_tokens: names } : {};
    files.set('generation_config.json', jsonFile({ ...ids, do_sample: false, ...suppressed }));
    for (const [name, file] of brought?.files ?? []) files.set(name, file);
    if (rules)
      for (const [name, file] of Object.entries(tokenizerFiles(vocabulary, rules, config.model.context)))
        files.set(name, jsonFile(file));
  }
  files.set(WEIGHTS, writeSafetensors(tensors, { format: 'pt' }));
  files.set('blindfold.json', jsonFile({ config, record }));
  if (slots && !rules) {
    const table = readings ? { ...slots, reading: Array.from(readings.at) } : slots;
    files.set('slots.json', textFile(`${JSON.stringify(table)}\n`));
  }
  const card = hugging
    ? modelCard(config, {
        tokens: record.tokens,
        rules,
        readings: readings !== null,
        brought: notation.brought && (notation.text === undefined ? 'moves' : 'text'),
      })
    : '';
  const { notice } = config.data;
  const games = notice === undefined ? '' : `\n## The games\n\n${notice}\n`;
  return files.set('README.md', textFile(`${card}${readme}${games}`));
}

function specialIds({ pad: pad_token_id, begin: bos_token_id, ends }: FolderVocabulary) {
  return { bos_token_id, eos_token_id: ends.length === 1 ? ends[0] : ends, pad_token_id };
}

/** The rows of some tokens in the folder's vocabulary. */
const rowsOf = (tokens: readonly number[], readings: Readings | null): readonly number[] =>
  readings ? readings.list.flatMap(({ token }, row) => (tokens.includes(token) ? [row] : [])) : tokens;

/** What config.json says of a model, its slots aside; null where Hugging Face has no class for it. */
export function huggingFaceConfig({ model }: RunConfig, parameters: NamedArrays): object | null {
  return formOf(model.kind).write(model, parameters, null).hugging;
}

/** The same folder with its weights stored as F16. Fails with `half-overflow` where a weight does not fit. */
export function halved(files: Files): Result<Files> {
  const read = readSafetensors(files.get(WEIGHTS)!);
  if (!read.ok) return read;
  const half = writeHalfSafetensors(read.value.tensors, read.value.metadata);
  return half.ok ? ok(new Map(files).set(WEIGHTS, half.value)) : half;
}

/**
 * A model from the files of a folder, ours or any of Hugging Face whose arithmetic is ours, or from one checkpoint file
 * of ours. Names may have the library's prefix or not; attention's mask buffers and a tied lm_head are passed over. Fails
 * where the files contradict each other or weights are no numbers; whether it can be asked, `askable` says.
 */
export function modelFromFiles(files: Files, grammarOf: GrammarOf): Result<ImportedModel> {
  const weights = weightsOf(files);
  if (!weights.ok) return weights;
  const { tensors, metadata, file } = weights.value;

  if (metadata.format === 'blindfold-checkpoint') {
    const config = parseRunConfig(parsed(metadata.config));
    if (!config.ok) return config;
    const read = fromCheckpoint(config.value, tensors, grammarOf, file);
    if (!read.ok || metadata.tokenizer === undefined) return read;
    const tokenizerFiles = unpackTokenizer(metadata.tokenizer);
    return tokenizerFiles
      ? ok({ ...read.value, tokenizerFiles })
      : fail(
          'checkpoint-damaged',
          `${file} cannot be used: its tokenizer is no set of files. Go back to an older one.`,
        );
  }
  const own = labRecord(files, grammarOf);
  if (!own.ok) return own;
  const config = files.has('config.json') ? parsed(text(files, 'config.json')) : null;
  const kind = files.has('config.json') ? kindOf(config) : kindWithoutConfig(own.value, file);
  if (!kind.ok) return kind;
  const recorded = own.value?.config.model.kind ?? kind.value;
  if (recorded !== kind.value) return recordDiffers('model_type', kind.value, recorded);
  const model = formOf(kind.value).read((config ?? {}) as Record<string, unknown>, tensors, own.value, file);
  if (!model.ok) return model;
  const numbers = finite(model.value.parameters, file);
  if (!numbers.ok) return numbers;
  if (own.value === null) return ok({ ...model.value, config: null, record: null, folder: true });
  const agreed = agreeing(model.value, own.value.config);
  return agreed.ok ? ok({ ...agreed.value, config: own.value.config, record: own.value.record, folder: true }) : agreed;
}

function fromCheckpoint(
  config: RunConfig,
  tensors: NamedArrays,
  grammarOf: GrammarOf,
  file: string,
): Result<ImportedModel> {
  const size = tensors.get(tokenEmbeddingName(config.model.kind))?.shape[0] ?? 0;
  const model = fitted(modelOf(config, { size, slots: grammarOf(config) }), tensors, '', file);
  if (!model.ok) return model;
  const numbers = finite(model.value.parameters, file);
  return numbers.ok ? ok({ ...model.value, config, record: null, folder: false }) : numbers;
}

/** The kind of model that a config.json names; kinds have the names that Hugging Face gives to its model types. */
function kindOf(config: unknown): Result<ModelKindName> {
  if (typeof config !== 'object' || config === null) return otherModel('it is not a JSON object');
  const type = (config as Record<string, unknown>).model_type;
  const kind = huggingFaceKinds.find((kind) => kind === type);
  if (kind !== undefined) return ok(kind);
  const known = huggingFaceKinds.map((kind) => `"${kind}"`).join(', ');
  return otherModel(
    `model_type is ${excerpt(type ?? null)}; only ${known.replace(/, ([^,]*)$/, ' and $1')} can be read`,
  );
}

/** Kinds that Hugging Face has no class for have no config.json. */
function kindWithoutConfig(own: Own | null, weights: string): Result<ModelKindName> {
  const model = own?.config.model;
  if (model !== undefined && libraryOf(model) !== 'Hugging Face') return ok(model.kind);
  return fail(
    'no-config',
    `config.json is missing beside ${weights}; it says how many layers and heads the model has.`,
    { file: weights },
  );
}

/** What blindfold.json says; null where the folder has none. */
function labRecord(files: Files, grammarOf: GrammarOf): Result<Own | null> {
  if (!files.has('blindfold.json')) return ok(null);
  const where = { file: 'blindfold.json' };
  const value = parsed(text(files, 'blindfold.json'));
  if (typeof value !== 'object' || value === null || !('config' in value))
    return fail(
      'record-invalid',
      'blindfold.json is not JSON with a config; remove it to open the weights alone.',
      where,
    );
  const config = parseRunConfig(value.config);
  if (!config.ok) return { ok: false, error: { ...config.error, where } };
  const record = 'record' in value && typeof value.record === 'object' ? (value.record as FolderRecord | null) : null;
  return ok({ config: config.value, record, slots: grammarOf(config.value) });
}

const text = (files: Files, name: string) => new TextDecoder().decode(files.get(name));

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

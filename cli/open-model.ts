import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { raisedLimits } from '../src/base/budget.ts';
import { inputError, unwrap, type Result } from '../src/base/result.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import { TEXT_TUNING } from '../src/config/text-tuning.ts';
import { domainNamed, grammarOf, notationOf, tokensOf, type AnyDomain } from '../src/domains/domains.ts';
import type { Notation } from '../src/domains/domain.ts';
import type { BackendName, DeviceReport, Engine, NamedArrays, Precision, TrainingAhead } from '../src/engine/engine.ts';
import { chooseDevice } from '../src/engine/device.ts';
import { createEngine } from '../src/engine/create-engine.ts';
import { askable } from '../src/interchange/agreement.ts';
import { asText } from '../src/interchange/tokenizers/foreign-vocabulary.ts';
import { modelFromFiles, type Files, type ImportedModel } from '../src/interchange/huggingface.ts';
import { fetchModel, type FetchProgress } from '../src/interchange/remote/fetch-model.ts';
import { askedIn } from '../src/studies/asking/asked-in.ts';
import { asWholeMoves } from '../src/studies/asking/whole-moves.ts';
import { readWeightsIndex, WEIGHT_FILES } from '../src/interchange/weights.ts';
import type { ModelVocabulary, TextTokenizer } from '../src/base/text-tokenizer.ts';
import { modelVocabulary } from '../src/interchange/tokenizers/model-vocabulary.ts';
import { storedVocabulary } from '../src/interchange/tokenizers/stored-vocabulary.ts';
import { readTokenizer, TOKENIZER_FILES } from '../src/interchange/tokenizers/text-tokenizer.ts';
import type { ModelConfig } from '../src/models/model.ts';
import { decodeCheckpoint, type Checkpoint } from '../src/training/checkpoint.ts';
import { newestCheckpoint } from '../src/training/checkpoint-store.ts';
import { folderStore } from './folder-store.ts';
import { report, unwrapAt, usageError } from './node-io.ts';
import { modelPath } from './shipped-file.ts';
import { wasmHost } from './wasm-host.ts';

export const modelArgs = {
  model: {
    type: 'string',
    required: true,
    description:
      'MODEL: a checkpoint folder or file of ours, a shipped model (chess, chess-taught, chess-small, chess-small-taught, baseball, noughts), or a Hugging Face folder of a GPT-2, Qwen3 or LFM2, or the address of one (https://huggingface.co/OWNER/NAME)',
  },
  engine: {
    type: 'string',
    description: 'webgpu, wasm or cpu, or tfjs for the reference engine; by default the best there is',
  },
} as const;

/** What a model at an address may take. */
const LARGEST_GIGABYTES = 4;

/** The backend an --engine option names; null lets the device chooser decide. */
export function wantedBackend(option: string | undefined): BackendName | null {
  if (option === undefined || option === 'tfjs') return null;
  if (option === 'webgpu' || option === 'wasm' || option === 'cpu') return option;
  throw usageError(`--engine ${option}: give webgpu, wasm, cpu or tfjs.`);
}

/** The device for this process. Node has no WebGPU of its own unless a host has put one at navigator.gpu. */
export function deviceFor(option: string | undefined): Promise<DeviceReport> {
  const gpu = (globalThis.navigator as Navigator | undefined)?.gpu;
  const { threads } = wasmHost();
  return chooseDevice({ gpu, simd: true, threads, wanted: wantedBackend(option) ?? undefined });
}

/** An engine with these weights on the device that --engine names, or the best there is; which and why goes to stderr. */
export async function engineWith(
  option: string | undefined,
  model: ModelConfig,
  parameters: NamedArrays,
  how: { precision?: Precision; training?: TrainingAhead } = {},
): Promise<Engine> {
  const device = await deviceFor(option);
  console.error(`${device.backend} (${device.adapter}): ${device.reason}`);
  const engine = option === 'tfjs' ? 'tfjs' : undefined;
  const { backend } = device;
  const made = await createEngine({ engine, backend, device, model, parameters, ...how, wasm: wasmHost() });
  if (made.device.precision) console.error(made.device.precision.reason);
  return made;
}

/** The newest checkpoint of a folder, null where it holds none; what is wrong with later ones goes to stderr. */
export async function newestIn(folder: string) {
  const newest = unwrap(await newestCheckpoint(folderStore, folder));
  if (newest?.notice) report(newest.notice.message);
  return newest;
}

/** The run that a checkpoint holds, or the newest checkpoint of a folder. Fails as InputError where there is none. */
export async function checkpointAt(given: string): Promise<Checkpoint> {
  const path = modelPath(given);
  if (existsSync(path) && !(await stat(path)).isDirectory()) return unwrap(decodeCheckpoint(await readFile(path)));
  const newest = await newestIn(path);
  if (newest) return newest.checkpoint;
  throw inputError(
    'no-checkpoint',
    `${path} holds no checkpoint of a run; give the folder of a run, or one of its checkpoints.`,
  );
}

/** A model, and what it comes with says of its tokens. */
export type ReadModel = ImportedModel & {
  tokenizer: () => Result<TextTokenizer>;
  vocabulary: () => Result<(string | null)[]>;
  brought: (config: RunConfig) => Result<ModelVocabulary | null>;
};

/** A model as MODEL names it, with the notation it was trained in, or what reads text for one of another maker. */
export async function readModel(path: string): Promise<ReadModel> {
  const files = /^https?:/.test(path) ? await fetchedFiles(path) : await filesAt(path);
  const imported = unwrapAt(path, modelFromFiles(files, grammarOf));
  const { tokenizerFiles = files, model } = imported;
  return {
    ...imported,
    tokenizer: () => readTokenizer(tokenizerFiles),
    vocabulary: () => storedVocabulary(tokenizerFiles),
    brought: (config) => modelVocabulary(config, tokenizerFiles, model.vocabulary),
  };
}

/** The tokens that a model brought; null for those of a game's notation. Fails as InputError where they are not there. */
export function vocabularyOf(path: string, { config, brought }: ReadModel): ModelVocabulary | null {
  return config && unwrapAt(path, brought(config));
}

/**
 * A third-party model as one that reads a game's lines as text, where it has a tokenizer; others as they are.
 * @param base how it is to learn
 */
export function asTextModel(path: string, found: ReadModel, domain: string, base: RunConfig = TEXT_TUNING): ReadModel {
  if (found.config !== null || !found.tokenizer().ok) return found;
  return inItsTokens(path, found, unwrap(asText(found, base, domain)));
}

/**
 * A third-party model whose tokens are whole moves of chess as one of these; others as they are. How many of the
 * moves it has goes to stderr.
 * @param base how it is to learn
 */
export function asMovesModel(path: string, found: ReadModel, base?: RunConfig): ReadModel {
  const tokens = found.config === null ? found.vocabulary() : null;
  const whole = tokens?.ok ? unwrap(asWholeMoves(found, tokens.value, base)) : null;
  if (whole === null) return found;
  const { matched, missing, foreign } = whole.report;
  console.error(
    `A token of this model is a whole move: it has ${matched} of the ${matched + missing.length} moves that pieces can make; ${foreign.length} of its tokens are no moves.`,
  );
  return inItsTokens(path, found, whole.config);
}

/** A model with a config in the tokens that it brought. */
function inItsTokens(path: string, found: ReadModel, config: RunConfig): ReadModel {
  const tokens = unwrapAt(path, tokensOf(config, vocabularyOf(path, { ...found, config })));
  return { ...found, config, record: { tokens, step: 0 } };
}

/** The files of a model at an address; how far they are goes to stderr. */
async function fetchedFiles(address: string): Promise<Files> {
  let reported = '';
  const onProgress = ({ file, read, total }: FetchProgress): void => {
    const tenth = total === null ? '' : ` ${Math.floor((10 * read) / total) * 10}% of ${Math.ceil(total / 1e6)} MB`;
    if (`${file}${tenth}` !== reported) console.error((reported = `${file}${tenth}`));
  };
  const transfer = {
    fetch: (url: string, headers: Record<string, string>) => fetch(url, { headers }),
    cancelled: () => false,
    wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  };
  return unwrap(await fetchModel(address, transfer, onProgress, undefined, raisedLimits(LARGEST_GIGABYTES))).files;
}

async function filesAt(given: string): Promise<Files> {
  const path = modelPath(given);
  const files: Files = new Map();
  const take = async (name: string): Promise<void> => {
    if (existsSync(join(path, name))) files.set(name, new Uint8Array(await readFile(join(path, name))));
  };
  let folder: boolean;
  try {
    folder = (await stat(path)).isDirectory();
  } catch {
    throw inputError('no-model', `${path}: there is no such model; give a checkpoint folder or file.`);
  }
  if (!folder) files.set(basename(path), new Uint8Array(await readFile(path)));
  else {
    const weights = WEIGHT_FILES.find((name) => existsSync(join(path, name)));
    if (weights !== undefined) {
      for (const name of ['config.json', weights, 'blindfold.json', ...TOKENIZER_FILES]) await take(name);
      if (weights.endsWith('.index.json'))
        for (const name of unwrap(readWeightsIndex(weights, files.get(weights)!)).files) await take(name);
    } else {
      const newest = await newestIn(path);
      if (newest) files.set(newest.name, await folderStore.read(path, newest.name));
    }
  }
  if (files.size === 0)
    throw inputError('no-model', `${path}: the folder holds none of ${WEIGHT_FILES.join(', ')}, nor a checkpoint.`);
  return files;
}

/**
 * The domain and the notation that a model reads. Fails as InputError where it does not tell them, or has another number
 * of tokens than its notation.
 */
export function languageOf(path: string, model: ReadModel): { domain: AnyDomain; notation: Notation } {
  const brought = vocabularyOf(path, model);
  const config = unwrapAt(
    path,
    askable(model, (config) => tokensOf(config, brought)),
  );
  return { domain: unwrap(domainNamed(config.domain)), notation: unwrap(notationOf(config, brought)) };
}

/** A model ready to be asked; one of another maker that reads text, about the game `asText` where that is given. */
export async function openModel(
  path: string,
  engine: string | undefined,
  asText?: string,
): Promise<{ engine: Engine; domain: AnyDomain; notation: Notation; model: ReadModel }> {
  const found = await readModel(path);
  const model = asText === undefined ? asMovesModel(path, found) : asTextModel(path, found, asText);
  const { domain, notation } = languageOf(path, model);
  const made = await engineWith(engine, model.model, model.parameters);
  return { ...askedIn(made, notation), domain, model };
}

import { Budget } from '../base/budget.ts';
import { jsonValue } from '../base/json.ts';
import { fail, failureOf, ok, type Result } from '../base/result.ts';
import { WEIGHTS, type Files } from './folder.ts';
import { ONNX_FILES, ONNX_TYPES } from './onnx/onnx-files.ts';
import { readOnnx } from './onnx/read-onnx.ts';
import { readPytorch } from './pytorch/read-pytorch.ts';
import { readSafetensors, type SafetensorsFile } from './safetensors.ts';

/** The same of third parties, older: read, never written. */
export const PYTORCH_WEIGHTS = 'pytorch_model.bin';

/** What lists the files of weights that are in several; read, never written. */
export const WEIGHTS_INDEXES = [`${WEIGHTS}.index.json`, `${PYTORCH_WEIGHTS}.index.json`] as const;

/** Every name that weights have in a folder, in the order in which they are looked for. */
export const WEIGHT_FILES: readonly string[] = [
  WEIGHTS,
  WEIGHTS_INDEXES[0],
  PYTORCH_WEIGHTS,
  WEIGHTS_INDEXES[1],
  ...ONNX_TYPES.map((type) => ONNX_FILES[type].file),
];

/** Most files that weights may be in. */
const MOST_SHARDS = 1000;

/** What an index of weights says. */
export interface WeightsIndex {
  /** The file of each tensor. */
  fileOf: ReadonlyMap<string, string>;
  /** Those files, each once. */
  files: readonly string[];
  /** Bytes of all tensors; null where it does not say. */
  size: number | null;
}

/** The weights of a folder, and the name of the file that messages about them should name. */
export function weightsOf(files: Files): Result<SafetensorsFile & { file: string }> {
  const found = weightsFile(files);
  if (!found.ok) return found;
  const file = found.value;
  const read = file.endsWith('.index.json') ? readShards(file, files) : readOne(file, files.get(file)!);
  return read.ok
    ? ok({ ...read.value, file })
    : { ok: false, error: { ...read.error, where: { file, ...read.error.where } } };
}

function weightsFile(files: Files): Result<string> {
  if (files.has(WEIGHTS)) return ok(WEIGHTS);
  const named = WEIGHT_FILES.find((name) => files.has(name));
  const tensors = [...files.keys()].filter((name) => name.endsWith('.safetensors'));
  if (tensors.length === 1 && named !== WEIGHTS_INDEXES[0]) return ok(tensors[0]);
  if (named !== undefined && (tensors.length === 0 || named === WEIGHTS_INDEXES[0])) return ok(named);
  return fail(
    'no-weights',
    tensors.length > 1
      ? `The folder holds several .safetensors files and none is named ${WEIGHTS}; give one file, or ${WEIGHTS_INDEXES[0]} with them.`
      : `There is neither ${WEIGHTS} nor ${PYTORCH_WEIGHTS} here, nor an index of weights in several files.`,
  );
}

function readOne(name: string, bytes: Uint8Array): Result<SafetensorsFile> {
  const tensors = name.endsWith('.onnx') ? readOnnx(bytes) : name.endsWith('.bin') ? readPytorch(bytes, name) : null;
  if (tensors === null) return readSafetensors(bytes);
  return tensors.ok ? ok({ tensors: tensors.value, metadata: {} }) : tensors;
}

/** Weights in several files: each tensor must be in the file that the index names, and in no other. */
function readShards(file: string, files: Files): Result<SafetensorsFile> {
  const index = readWeightsIndex(file, files.get(file)!);
  if (!index.ok) return index;
  const tensors: SafetensorsFile['tensors'] = new Map();
  for (const name of index.value.files) {
    const bytes = files.get(name);
    if (bytes === undefined)
      return fail('shard-missing', `${name} is missing; ${file} says that weights are in it.`, { file: name });
    const read = readOne(name, bytes);
    if (!read.ok)
      return { ok: false, error: { ...read.error, message: `${name}: ${read.error.message}`, where: { file: name } } };
    for (const [tensor, value] of read.value.tensors) {
      if (index.value.fileOf.get(tensor) !== name)
        return differs(file, `"${tensor}" is in ${name} and not where the index says`);
      tensors.set(tensor, value);
    }
  }
  for (const [tensor, name] of index.value.fileOf)
    // Masks of whole numbers or truth values are passed over by the readers of .bin.
    if (!tensors.has(tensor) && !name.endsWith('.bin')) return differs(file, `"${tensor}" is not in ${name}`);
  return ok({ tensors, metadata: {} });
}

const differs = (file: string, what: string) =>
  fail('weights-differ', `${file} and the files that it names do not agree: ${what}. Take all of them again.`, {
    file,
  });

/** An index of weights, whose names of files are plain names in the same folder. Fails with `bad-index`. */
export function readWeightsIndex(file: string, bytes: Uint8Array): Result<WeightsIndex> {
  const bad = (what: string) => fail('bad-index', `${file} is no index of weights: ${what}.`, { file });
  let parsed: Result<unknown>;
  try {
    parsed = jsonValue(new TextDecoder().decode(bytes), new Budget(file));
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
  if (!parsed.ok) return bad(parsed.error.message);
  const { weight_map: map, metadata } = (parsed.value ?? {}) as { weight_map?: unknown; metadata?: unknown };
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return bad('it has no weight_map');
  const entries: [string, string][] = [];
  for (const [tensor, name] of Object.entries(map)) {
    if (typeof name !== 'string' || !/^[\w-][\w.-]*\.(safetensors|bin)$/.test(name))
      return bad(`the file of "${tensor}" is no plain name that ends in .safetensors or .bin`);
    entries.push([tensor, name]);
  }
  const names = [...new Set(entries.map(([, name]) => name))];
  if (names.length === 0 || names.length > MOST_SHARDS) return bad(`it names ${names.length} files`);
  const size = (metadata as { total_size?: unknown } | undefined)?.total_size;
  return ok({
    fileOf: new Map(entries),
    files: names,
    size: Number.isSafeInteger(size) && (size as number) > 0 ? (size as number) : null,
  });
}

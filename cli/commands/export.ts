import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { inputError, unwrap } from '../../src/base/result.ts';
import { notationOf } from '../../src/domains/domains.ts';
import { PRESUMED } from '../../src/interchange/tokenizers/foreign-vocabulary.ts';
import { halved, modelFolder, WEIGHTS, type Files } from '../../src/interchange/huggingface.ts';
import { ONNX_FILES, ONNX_TYPES, type OnnxType } from '../../src/interchange/onnx/onnx-files.ts';
import { withOnnx } from '../../src/interchange/onnx/onnx-folder.ts';
import { readBackOnnx } from '../../src/interchange/onnx/read-back.ts';
import { agreedAnswers, type ReadBack } from '../../src/interchange/read-back.ts';
import { readBackSection, withSection } from '../../src/interchange/records/readme-section.ts';
import { writeSafetensors } from '../../src/interchange/safetensors.ts';
import { readBackTfjs } from '../../src/interchange/tfjs/read-back.ts';
import { withTfjs } from '../../src/interchange/tfjs/tfjs-folder.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import { checkpointFolder } from '../../src/training/checkpoint-folder.ts';
import { writeCompared } from '../compare-weights.ts';
import { expectedAnswers, onnxRuntime, tfjs } from '../export-clients.ts';
import { writeTogether } from '../folder-store.ts';
import { refuseToReplace } from '../model-files.ts';
import { checkpointAt, modelArgs, readModel, vocabularyOf, type ReadModel } from '../open-model.ts';
import { firstCheckpoint, longer, readyRun } from '../ready-run.ts';
import { continuable, torchJob } from '../torch-job/torch-job.ts';
import { wantedConfig } from '../wanted-config.ts';
import { usageError, writeResult } from '../node-io.ts';

export default defineCommand({
  meta: {
    name: 'export',
    description: 'Weights to take away, read back and compared; or a whole run, to go on with in PyTorch.',
  },
  args: {
    ...modelArgs,
    model: { ...modelArgs.model, required: false },
    to: {
      type: 'string',
      required: true,
      description:
        'safetensors (the weights and the files that describe them), huggingface (these and what the library of its kind needs besides), onnx (the same with the weights for onnxruntime and transformers.js), tfjs (the same with the weights for tf.loadGraphModel of TensorFlow.js), checkpoint (of a run: the weights and the state of its optimiser, in safetensors, with how PyTorch reads them) or torch-job (the run, its games and a script that continues it in PyTorch, on any number of processes)',
    },
    data: { type: 'string', description: 'of torch-job: the games of the run, as for train' },
    preset: { type: 'string', description: 'of torch-job, instead of --model: a run that begins' },
    config: { type: 'string', description: 'of torch-job, instead of --model: a run that begins, as a RunConfig' },
    steps: { type: 'string', description: 'of torch-job: train to this step instead' },
    out: { type: 'string', required: true, description: 'folder to write' },
    half: {
      type: 'boolean',
      description: 'store the weights in 16 bits (F16), at half the size; not for onnx, tfjs and checkpoint',
    },
    dtype: {
      type: 'string',
      description: 'of onnx: a file for each of f32, f16 and q8, in the order in which they are preferred',
      default: ONNX_TYPES.join(','),
    },
  },
  async run({ args }) {
    if (args.to === 'torch-job') return exportTorchJob(args);
    if (!['safetensors', 'huggingface', 'onnx', 'tfjs', 'checkpoint'].includes(args.to))
      throw usageError(
        `--to ${args.to}: this build writes safetensors, huggingface, onnx, tfjs, checkpoint and torch-job.`,
      );
    const path = args.model;
    if (path === undefined) throw usageError(`--to ${args.to} needs --model MODEL.`);
    const types = onnxTypes(args.dtype);
    if (args.half && args.to === 'onnx') throw usageError('--half: of onnx, --dtype f16 has 16 bits.');
    if (args.half && (args.to === 'tfjs' || args.to === 'checkpoint'))
      throw usageError(`--half: ${args.to} stores 32 bits.`);
    const imported = await readModel(path);
    const { config, parameters, record } = imported;
    const notation = unwrap(notationOf(config ?? PRESUMED, vocabularyOf(path, imported)));
    if (config === null && args.to === 'huggingface')
      throw inputError('already-huggingface', `${path} is a Hugging Face folder already; copy it.`);
    const known = record ?? { tokens: notation.vocabulary.tokens, step: 0 };
    const whole: Files =
      args.to === 'checkpoint'
        ? checkpointFolder(await checkpointAt(path))
        : config === null
          ? await weightsAlone(path, parameters)
          : modelFolder(config, parameters, known, notation);
    if (args.to === 'safetensors') for (const name of whole.keys()) if (!DESCRIBED.has(name)) whole.delete(name);
    if (args.to === 'onnx') return exportOnnx({ ...args, model: path }, imported, whole, types);
    if (args.to === 'tfjs') return exportTfjs({ ...args, model: path }, imported, whole);
    const files = args.half ? unwrap(halved(whole)) : whole;
    refuseToReplace(args.out, files.keys(), 'this export');
    await writeCompared(args.out, files, args.engine, imported, notation, 'disk');
  },
});

/** Writes a run and its games as a folder that PyTorch trains on: from its newest checkpoint, or from its beginning. */
async function exportTorchJob(
  args: { out: string; half?: boolean } & Partial<Record<'model' | 'data' | 'preset' | 'config' | 'steps', string>>,
): Promise<void> {
  if (args.data === undefined) throw usageError('--to torch-job needs --data: the games of the run.');
  if (args.half) throw usageError('--half: a run goes on with its weights in 32 bits.');
  const { model: name, preset, config: file, steps } = args;
  if (name !== undefined && (preset ?? file) !== undefined)
    throw usageError('Give either --model, or --preset or --config for a run that begins.');
  const found = name === undefined ? null : await checkpointAt(name);
  const wanted = found ? longer(found, steps) : await wantedConfig({ preset, config: file, steps });
  unwrap(continuable(wanted));
  const run = await readyRun(args.data, wanted, found && { checkpoint: found, name: name! });
  const job = await torchJob(run, found ?? firstCheckpoint(run), args.data);
  refuseToReplace(args.out, job.keys(), 'this export');
  await writeTogether(args.out, job);
  const { schedule } = run.config;
  writeResult({
    files: [...job.keys()].map((name) => join(args.out, name)),
    step: found?.step ?? 0,
    steps: schedule.steps,
  });
}

/** What --dtype names. */
function onnxTypes(list: string): OnnxType[] {
  const types = list.split(',');
  const known = ONNX_TYPES.filter((type) => types.includes(type));
  if (known.length === types.length) return types as OnnxType[];
  throw usageError(`--dtype ${list}: give some of ${ONNX_TYPES.join(', ')}, each once, with commas between them.`);
}

/** Writes the folder with its weights as ONNX, once onnxruntime-web has answered with them as the model does. */
async function exportOnnx(
  args: { model: string; engine?: string; out: string },
  imported: ReadModel,
  folder: Files,
  types: readonly OnnxType[],
): Promise<void> {
  const files = unwrap(withOnnx(folder, imported.model, types));
  refuseToReplace(args.out, files.keys(), 'this export');
  const expected = await expectedAnswers(args.model, args.engine, imported);
  const runtime = await onnxRuntime();
  const readBack: Partial<Record<OnnxType, ReadBack>> = {};
  for (const type of types) {
    const found = unwrap(await readBackOnnx(runtime, files.get(ONNX_FILES[type].file)!, expected));
    readBack[type] = unwrap(agreedAnswers(found, type === 'f32' ? undefined : Infinity));
  }
  const found = new Map(types.map((type) => [ONNX_FILES[type].file, readBack[type]!]));
  const section = readBackSection('onnxruntime-web', expected.length, found);
  const { maxLogitDifference } = readBack[types[0]]!;
  await writeReported(args.out, withSection(files, section), { maxLogitDifference, readBack });
}

/** Writes the folder with its weights for TensorFlow.js, once that has answered with them as the model does. */
async function exportTfjs(
  args: { model: string; engine?: string; out: string },
  imported: ReadModel,
  folder: Files,
): Promise<void> {
  const files = unwrap(withTfjs(folder, imported.model));
  refuseToReplace(args.out, files.keys(), 'this export');
  const expected = await expectedAnswers(args.model, args.engine, imported);
  const found = unwrap(agreedAnswers(unwrap(await readBackTfjs(await tfjs(), files, expected))));
  const section = readBackSection('TensorFlow.js', expected.length, new Map([['', found]]));
  await writeReported(args.out, withSection(files, section), { ...found });
}

/** Writes files and says so. */
async function writeReported(out: string, files: Files, more: Record<string, unknown>): Promise<void> {
  await mkdir(out, { recursive: true });
  await writeTogether(out, files);
  writeResult({ files: [...files.keys()].map((name) => join(out, name)), ...more });
}

/** What a model needs to be opened again: its weights, sizes and tokens. */
const DESCRIBED: ReadonlySet<string> = new Set([WEIGHTS, 'config.json', 'blindfold.json']);

/** The folder of third-party weights, with the config.json that lies beside them there. */
async function weightsAlone(folder: string, parameters: NamedArrays): Promise<Files> {
  return new Map([
    ['config.json', new Uint8Array(await readFile(join(folder, 'config.json')))],
    [WEIGHTS, writeSafetensors(parameters, { format: 'pt' })],
  ]);
}

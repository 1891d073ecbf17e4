import { fail, inputError, ok, unwrap, type Result } from '../../src/base/result.ts';
import { libraryOf } from '../../src/config/model-schema.ts';
import { domainNamed, grammarOf } from '../../src/domains/domains.ts';
import { samplePrompts } from '../../src/domains/sample-prompts.ts';
import type { Engine } from '../../src/engine/engine.ts';
import {
  halved,
  modelFolder,
  modelFromFiles,
  WEIGHTS,
  type Files,
  type FolderNotation,
  type FolderRecord,
} from '../../src/interchange/huggingface.ts';
import { withOnnx } from '../../src/interchange/onnx/onnx-folder.ts';
import { ONNX_FILES, type OnnxType } from '../../src/interchange/onnx/onnx-files.ts';
import { readBackOnnx, type OnnxRuntime } from '../../src/interchange/onnx/read-back.ts';
import { readingsOf } from '../../src/interchange/plain/readings.ts';
import {
  agreedAnswers,
  compared,
  expectedLogits,
  type ExpectedLogits,
  type ReadBack,
} from '../../src/interchange/read-back.ts';
import { readBackSection, withSection } from '../../src/interchange/records/readme-section.ts';
import { readSafetensors, writeSafetensors } from '../../src/interchange/safetensors.ts';
import { readBackTfjs, type Tfjs } from '../../src/interchange/tfjs/read-back.ts';
import { withTfjs } from '../../src/interchange/tfjs/tfjs-folder.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import type { ModelConfig } from '../../src/models/model.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import type { Progress } from '../../src/studies/asking/measuring.ts';
import { checkpointFolder } from '../../src/training/checkpoint-folder.ts';
import { newestCheckpoint, type CheckpointStore } from '../../src/training/checkpoint-store.ts';
import { guarded } from '../guarded.ts';
import { openModel, type OpenedModel } from '../measure/open-model.ts';
import type { MeasuredModel } from '../measure/protocol.ts';
import type { RunList } from '../train/run-list.ts';
import { zipped } from '../train/zip.ts';
import type { ExportForm } from './forms.ts';
import type { ExportService } from './protocol.ts';

export interface ExportHost {
  checkpoints: CheckpointStore;
  runs: RunList;
  /** Milliseconds since 1970. */
  clock(): number;
  createEngine(model: ModelConfig, parameters: NamedArrays): Promise<Engine>;
  /** Loads onnxruntime-web. */
  onnxRuntime(): Promise<OnnxRuntime>;
  /** Loads TF.js with a backend in use. */
  tfjs(): Promise<Tfjs>;
}

/** What reads the forms that the lab itself does not. */
const CLIENTS: Partial<Record<ExportForm, string>> = { onnx: 'onnxruntime-web', tfjs: 'TensorFlow.js' };

/** Types of the ONNX files in a folder: the one that most readers take, and the one that WASM asks for. */
const ONNX_IN_FOLDER: readonly OnnxType[] = ['f32', 'q8'];

const PROMPTS = 64;
/** Tokens of the longest prompt. */
const LONGEST = 64;

type OpenedGames = Extract<OpenedModel, { notation: unknown }>;

export function exportHandlers(host: ExportHost): ExportService {
  return {
    make: (wanted, form, onProgress) =>
      guarded(async () => {
        onProgress({ label: 'Opening the model', share: 0 });
        const opened = await openModel(wanted, host);
        if ('tokenizer' in opened)
          return fail('already-exported', 'This model came in the form that its own library reads; copy its files.');
        const { about, config, model, parameters, step, learned: notation = opened.notation } = opened;
        const record = { tokens: notation.vocabulary.tokens, step };
        onProgress({ label: 'Writing the files', share: 0.1 });
        const files =
          form === 'checkpoint'
            ? await checkpointFiles(wanted)
            : unwrap(exportFiles(form, config, model, parameters, record, notation));
        const found = await readBack(opened, form, files, onProgress);
        const client = CLIENTS[form] ?? 'this lab';
        const [{ maxLogitDifference }] = found.values();
        const proof = { client, prompts: PROMPTS, maxLogitDifference };
        const name = `${about.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-step-${step}`;
        const weights = files.get(WEIGHTS);
        if (form === 'safetensors' && weights) return ok({ name: `${name}.safetensors`, bytes: weights, proof });
        const bytes = zipped(withSection(files, readBackSection(client, PROMPTS, found)));
        return ok({ name: `${name}${form in CLIENTS || form === 'checkpoint' ? `-${form}` : ''}.zip`, bytes, proof });
      }),
  };

  /** The newest checkpoint of a run. */
  async function checkpointFiles(wanted: MeasuredModel): Promise<Files> {
    if (wanted.kind !== 'run')
      throw inputError(
        'no-checkpoint',
        'Only a run of this device has the state of its optimiser; export it from Runs.',
      );
    const found = unwrap(await newestCheckpoint(host.checkpoints, wanted.id));
    if (!found) throw inputError('no-checkpoint', 'The run has no checkpoint yet; train until the first is written.');
    return checkpointFolder(found.checkpoint);
  }

  /** What the files answer, beside what the model answers that they were made of; the first file is exact. */
  async function readBack(
    opened: OpenedGames,
    form: ExportForm,
    files: Files,
    onProgress: (progress: Progress) => void,
  ): Promise<Map<string, ReadBack>> {
    const { config, model, parameters, learned: notation = opened.notation } = opened;
    const domain = unwrap(domainNamed(config.domain));
    const prompts = samplePrompts(domain, notation, PROMPTS, Math.min(LONGEST, model.context));
    const engine = await host.createEngine(model, parameters);
    const plain = form in CLIENTS && config.model.slots && libraryOf(config.model) === 'Hugging Face';
    onProgress({ label: 'Reading it back', share: 0.3 });
    const expected = await expectedLogits(engine, prompts, plain ? readingsOf(grammarOf(config)!) : null).finally(() =>
      engine.dispose(),
    );
    const names = form === 'onnx' ? ONNX_IN_FOLDER.map((type) => ONNX_FILES[type].file) : [''];
    const found = new Map<string, ReadBack>();
    for (const [i, name] of names.entries()) {
      const said = (done: number) =>
        onProgress({ label: 'Reading it back', share: 0.3 + (0.7 * (i + done / PROMPTS)) / names.length });
      const read =
        form === 'onnx'
          ? unwrap(await readBackOnnx(await host.onnxRuntime(), files.get(name)!, expected, said))
          : form === 'tfjs'
            ? unwrap(await readBackTfjs(await host.tfjs(), files, expected, said))
            : await readBackHere(form, files, model, prompts, expected);
      // Fewer bits differ, and say by how much.
      const exact = form !== 'folder-half' && name !== ONNX_FILES.q8.file;
      found.set(name, unwrap(agreedAnswers(read, exact ? undefined : Infinity)));
    }
    return found;
  }

  /** Of the model that the lab opens from the files. */
  async function readBackHere(
    form: ExportForm,
    files: Files,
    model: ModelConfig,
    prompts: readonly (readonly number[])[],
    expected: readonly ExpectedLogits[],
  ): Promise<ReadBack> {
    const back = modelIn(form, files, model);
    const engine = await host.createEngine(back.model, back.parameters);
    try {
      const answers = await expectedLogits(engine, prompts);
      return await compared(expected, async (_, i) => [answers[i].logits]);
    } finally {
      engine.dispose();
    }
  }
}

/** A model's files in a form. */
function exportFiles(
  form: ExportForm,
  config: RunConfig,
  model: ModelConfig,
  parameters: NamedArrays,
  record: FolderRecord,
  notation: FolderNotation,
): Result<Files> {
  if (form === 'safetensors')
    return ok(new Map([['model.safetensors', writeSafetensors(parameters, { format: 'pt' })]]));
  const folder = modelFolder(config, parameters, record, notation);
  if (form === 'folder-half') return halved(folder);
  if (form === 'folder') return ok(folder);
  return form === 'tfjs' ? withTfjs(folder, model) : withOnnx(folder, model, ONNX_IN_FOLDER);
}

/** The model that the lab opens from the files; weights alone are of the same model. */
function modelIn(form: ExportForm, files: Files, model: ModelConfig): Pick<OpenedGames, 'model' | 'parameters'> {
  if (form !== 'safetensors') return unwrap(modelFromFiles(files, grammarOf));
  return { model, parameters: unwrap(readSafetensors(files.get(WEIGHTS)!)).tensors };
}

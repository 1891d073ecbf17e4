import { fail, ok, type Result } from '../../src/base/result.ts';
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
import {
  agreeingOnnx,
  expectedLogits,
  MOST_DIFFERENCE,
  readBackOnnx,
  type OnnxRuntime,
} from '../../src/interchange/onnx/read-back.ts';
import { readingsOf } from '../../src/interchange/plain/readings.ts';
import { readSafetensors, writeSafetensors } from '../../src/interchange/safetensors.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import type { ModelConfig } from '../../src/models/model.ts';
import type { NamedArrays } from '../../src/models/parameters.ts';
import type { Progress } from '../../src/studies/asking/measuring.ts';
import type { CheckpointStore } from '../../src/training/checkpoint-store.ts';
import { guarded } from '../guarded.ts';
import { openModel, type OpenedModel } from '../measure/open-model.ts';
import type { RunList } from '../train/run-list.ts';
import { zipped } from '../train/zip.ts';
import type { ExportForm } from './forms.ts';
import type { ExportProof, ExportService } from './protocol.ts';

export interface ExportHost {
  checkpoints: CheckpointStore;
  runs: RunList;
  /** Milliseconds since 1970. */
  clock(): number;
  createEngine(model: ModelConfig, parameters: NamedArrays): Promise<Engine>;
  /** Loads onnxruntime-web. */
  onnxRuntime(): Promise<OnnxRuntime>;
}

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
        onProgress({ words: 'Opening the model', share: 0 });
        const opened = await openModel(wanted, host);
        if (!opened.ok) return opened;
        if ('tokenizer' in opened.value)
          return fail('already-exported', 'This model came in the form that its own library reads; copy its files.');
        const { about, config, model, notation, parameters, step } = opened.value;
        const record = { tokens: notation.vocabulary.tokens, step };
        onProgress({ words: 'Writing the files', share: 0.1 });
        const files = exportFiles(form, config, model, parameters, record, notation);
        if (!files.ok) return files;
        const proof = await provenBy(opened.value, form, files.value, onProgress);
        if (!proof.ok) return proof;
        const name = `${about.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-step-${step}`;
        const weights = files.value.get(WEIGHTS);
        if (form === 'safetensors' && weights)
          return ok({ name: `${name}.safetensors`, bytes: weights, proof: proof.value });
        const bytes = zipped(withProof(files.value, proof.value));
        return ok({ name: `${name}${form === 'onnx' ? '-onnx' : ''}.zip`, bytes, proof: proof.value });
      }),
  };

  /** What the files answer, beside what the model answers that they were made of. */
  async function provenBy(
    opened: OpenedGames,
    form: ExportForm,
    files: Files,
    onProgress: (progress: Progress) => void,
  ): Promise<Result<ExportProof>> {
    const { config, model, notation, parameters } = opened;
    const domain = domainNamed(config.domain);
    if (!domain.ok) return domain;
    const prompts = samplePrompts(domain.value, notation, PROMPTS, Math.min(LONGEST, model.context));
    const engine = await host.createEngine(model, parameters);
    const words = 'Reading it back';
    try {
      onProgress({ words, share: 0.3 });
      if (form === 'onnx') {
        const plain = config.model.slots && libraryOf(config.model) === 'Hugging Face';
        const expected = await expectedLogits(engine, prompts, plain ? readingsOf(grammarOf(config)!) : null);
        const runtime = await host.onnxRuntime();
        const [file] = ONNX_IN_FOLDER.map((type) => files.get(ONNX_FILES[type].file)!);
        const read = await readBackOnnx(runtime, file, expected, (done) =>
          onProgress({ words, share: 0.3 + (0.7 * done) / PROMPTS }),
        );
        const agreed = read.ok ? agreeingOnnx(read.value) : read;
        if (!agreed.ok) return agreed;
        const { maxLogitDifference } = agreed.value;
        return ok({ client: 'onnxruntime-web', prompts: PROMPTS, maxLogitDifference });
      }
      const back = readBack(form, files, model);
      if (!back.ok) return back;
      const other = await host.createEngine(back.value.model, back.value.parameters);
      try {
        const leaves = prompts.map(() => []);
        const answers = await engine.leafLogits(prompts, leaves);
        onProgress({ words, share: 0.7 });
        const found = await other.leafLogits(prompts, leaves);
        const maxLogitDifference = answers.reduce(
          (most, { root }, i) => root.reduce((more, x, j) => Math.max(more, Math.abs(x - found[i].root[j])), most),
          0,
        );
        // Sixteen bits differ, and say by how much; a difference that is no number is a mistake in any form.
        if (!(maxLogitDifference <= (form === 'folder-half' ? Infinity : MOST_DIFFERENCE)))
          return fail(
            'export-differs',
            `The files that were written answer otherwise than the model: a logit differs by ${maxLogitDifference}, more than ${MOST_DIFFERENCE}. Nothing was saved; this is a mistake of the export.`,
          );
        return ok({ client: 'this lab', prompts: PROMPTS, maxLogitDifference });
      } finally {
        other.dispose();
      }
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
  const whole = withOnnx(folder, model, ONNX_IN_FOLDER);
  if (whole.ok) whole.value.delete(WEIGHTS);
  return whole;
}

/** The model that the lab opens from the files; weights alone are of the same model. */
function readBack(
  form: ExportForm,
  files: Files,
  model: ModelConfig,
): Result<{ model: ModelConfig; parameters: NamedArrays }> {
  if (form !== 'safetensors') return modelFromFiles(files, grammarOf);
  const read = readSafetensors(files.get(WEIGHTS)!);
  return read.ok ? ok({ model, parameters: read.value.tensors }) : read;
}

/** The files with what was found in their card. */
function withProof(files: Files, { client, prompts, maxLogitDifference }: ExportProof): Files {
  const readme = new TextDecoder().decode(files.get('README.md'));
  const section = `\n## Read back\n\nBefore it was saved, ${client} read this folder and answered ${prompts} prompts. No next-token logit differs from the trained model's by more than ${maxLogitDifference.toPrecision(2)}.\n`;
  return new Map(files).set('README.md', new TextEncoder().encode(readme + section));
}

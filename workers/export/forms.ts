import { modelLimits, refusing } from '../../src/config/export-limits.ts';
import { libraryOf, type ModelSettings } from '../../src/config/model-schema.ts';

/** The forms in which a model can be taken away. */
export const EXPORT_FORMS = ['folder', 'folder-half', 'onnx', 'tfjs', 'safetensors', 'checkpoint'] as const;
export type ExportForm = (typeof EXPORT_FORMS)[number];

export interface FormDescription {
  form: ExportForm;
  title: string;
  /** What it is for. */
  description: string;
  /** Of the weights, about. */
  bytes: number;
}

/** The forms that a model has, or the run that trained it, with their sizes. */
export function exportFormsOf(model: ModelSettings, parameters: number, isRun: boolean): FormDescription[] {
  const library = libraryOf(model);
  const folder =
    library === 'Hugging Face'
      ? 'transformers in Python: the weights, their tokenizer and a card'
      : library === null
        ? 'your own program: the weights and a NumPy program that computes them'
        : `${library}: the weights and a program that loads them`;
  const forms: FormDescription[] = [
    {
      form: 'folder',
      title: library === 'Hugging Face' ? 'Hugging Face folder' : 'Folder',
      description: `For ${folder}.`,
      bytes: 4 * parameters,
    },
    {
      form: 'folder-half',
      title: 'The same in 16 bits',
      description: 'Half the size; answers differ in the third digit.',
      bytes: 2 * parameters,
    },
    {
      form: 'onnx',
      title: 'ONNX folder',
      description: 'For transformers.js and onnxruntime, in a browser or anywhere: in 32 bits, and small in 8.',
      bytes: 5 * parameters,
    },
    {
      form: 'tfjs',
      title: 'TensorFlow.js folder',
      description: 'For tf.loadGraphModel of TensorFlow.js: whole sequences, without a cache.',
      bytes: 4 * parameters,
    },
    {
      form: 'safetensors',
      title: 'Weights alone',
      description: 'One safetensors file, for your own code.',
      bytes: 4 * parameters,
    },
    {
      form: 'checkpoint',
      title: 'Weights and optimiser state',
      description: 'The run’s checkpoint in safetensors: to go on with in PyTorch or here.',
      bytes: 12 * parameters,
    },
  ];
  const limits = modelLimits(model);
  return forms.filter(({ form }) =>
    form === 'checkpoint' ? isRun : (form !== 'onnx' && form !== 'tfjs') || !refusing(limits, form),
  );
}

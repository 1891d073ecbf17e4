import { MODEL_KINDS, modelKindOf, type ModelKindName, type ModelSettings } from './model-schema.ts';
import type { RunConfig } from './run-config.ts';

/** Forms of a trained model, or of a run, that not all settings have, as people call them. */
export const EXPORT_TARGETS = {
  transformers: 'transformers',
  onnx: 'ONNX',
  tfjs: 'TensorFlow.js',
  job: 'a PyTorch job',
} as const;
export type ExportTarget = keyof typeof EXPORT_TARGETS;

/** What a setting means for exports. */
export interface ExportLimit {
  /** "model.shift" */
  setting: string;
  /** The forms that are refused; none where the setting only changes what they hold. */
  refused: readonly ExportTarget[];
  /** Without a full stop. */
  why: string;
}

/** What the kind of a model means for its exports, whatever its other settings are; null where it has every form. */
export function kindLimit(kind: ModelKindName): ExportLimit | null {
  const { library, title } = MODEL_KINDS[kind];
  const setting = 'model.kind';
  if (library === 'Hugging Face') return null;
  if (library === 'PyTorch')
    return { setting, refused: ['transformers', 'job'], why: `Hugging Face has no class for an ${title}` };
  return {
    ...{ setting, refused: ['transformers', 'onnx', 'tfjs', 'job'] },
    why: `no library has a ${title}; its folder has a NumPy program that computes it`,
  };
}

export function modelLimits(model: ModelSettings): ExportLimit[] {
  const limit = kindLimit(model.kind);
  if (limit) return [limit];
  const limits: ExportLimit[] = [];
  const misfit = modelKindOf(model).misfit(model);
  if (misfit) limits.push({ ...misfit, refused: ['transformers', 'job'] });
  if (model.kind === 'gpt2' && model.window !== null)
    limits.push({
      ...{ setting: 'model.window', refused: [] },
      why: 'In transformers, whose GPT-2 has no window, answers to longer sequences are others',
    });
  return limits;
}

/**
 * What the settings of a run mean for its exports. The exports themselves refuse by the same list.
 * @param tokenizer whether patterns of text tell the tokens of the run's notation, and their slots where it has slots
 */
export function exportLimits({ model, objective, questions, schedule }: RunConfig, tokenizer: boolean): ExportLimit[] {
  const limits = modelLimits(model);
  if (!tokenizer && !refusing(limits, 'transformers'))
    limits.push({
      ...{ setting: 'model.slots', refused: [] },
      why: 'Exports have no tokenizer: patterns of text cannot tell the slots of this notation',
    });
  const noJob = (setting: string, why: string) => limits.push({ setting, refused: ['job'], why });
  if (questions !== null) noJob('questions', 'its script learns from whole games only');
  if (objective === 'valid') noJob('objective', 'its script learns the token that was played');
  if (schedule.patience !== null)
    noJob('schedule.patience', 'its script measures no perplexity that could end the run');
  if (schedule.keep === 'best') noJob('schedule.keep', 'its script measures no perplexity to tell the best pass');
  return limits;
}

/** The first limit that refuses a form. */
export const refusing = (limits: readonly ExportLimit[], target: ExportTarget): ExportLimit | null =>
  limits.find(({ refused }) => refused.includes(target)) ?? null;

/** A limit as a sentence. */
export function limitText({ refused, why }: ExportLimit): string {
  if (refused.length === 0) return `${why}.`;
  const names = refused.map((target) => EXPORT_TARGETS[target]);
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return `Does not export to ${list}: ${why}.`;
}

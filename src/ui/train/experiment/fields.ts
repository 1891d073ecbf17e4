import type { RunConfig } from '../../../config/run-config.ts';
import { real, whole, type FieldSpec } from './field-specs.ts';

export type { FieldSpec } from './field-specs.ts';
export { modelFields, modelKindWords } from './model-fields.ts';

const adamw: readonly FieldSpec[] = [
  real('optimizer.learningRate', 'Learning rate', 1e-7, 1),
  real('optimizer.weightDecay', 'Weight decay', 0, 1),
  real('schedule.warmup', 'Warm-up', 0, 1, { suffix: 'share' }),
  real('schedule.floor', 'Floor', 0, 1, { suffix: 'share' }),
  real('optimizer.beta1', 'Beta 1', 0, 0.9999),
  real('optimizer.beta2', 'Beta 2', 0, 0.99999),
  real('optimizer.clipNorm', 'Largest gradient', 0, 1e6),
  real('optimizer.epsilon', 'Epsilon', 1e-12, 1e-2),
];

export const optimizerFields: Record<RunConfig['optimizer']['kind'], readonly FieldSpec[]> = {
  adamw,
  muon: [
    real('optimizer.matrixRate', 'Matrix rate', 1e-7, 1),
    real('optimizer.matrixDecay', 'Matrix decay', 0, 1),
    real('optimizer.momentum', 'Momentum', 0, 0.9999),
    real('optimizer.momentumStart', 'Momentum at first', 0, 0.9999),
    whole('optimizer.momentumSteps', 'Momentum rises for', 0, 1e8, {
      suffix: 'steps',
      words: 'The fields above are for the matrices inside the layers; those below are AdamW’s, for everything else.',
    }),
    ...adamw,
  ],
};

export const optimizerKindWords: Record<RunConfig['optimizer']['kind'], string> = {
  adamw: 'AdamW moves every weight at a rate of its own.',
  muon: 'Muon moves each matrix in all its directions alike; learns more a step, and a step costs more.',
};

export const scheduleFields: readonly FieldSpec[] = [
  whole('schedule.steps', 'Steps', 1, 1e8),
  whole('batch', 'Batch', 1, 512, { suffix: 'games' }),
  whole('schedule.epochs', 'Passes over the games', 1, 10_000, {
    none: 'as many as the steps take',
    words: 'Where it is set the steps follow from it, and the model is probed after each pass.',
  }),
  whole('schedule.patience', 'Patience', 1, 10_000, {
    suffix: 'passes',
    none: 'goes on to the end',
    words:
      'Ends the run after so many passes in a row that do not lower the perplexity on the dev games; the paper takes 1.',
  }),
  {
    kind: 'choice',
    path: 'schedule.keep',
    label: 'The run ends with',
    options: [
      { value: 'last', label: 'Its last weights' },
      { value: 'best', label: 'Those of its best pass' },
    ],
  },
  whole('evaluation.every', 'Probe every', 1, 1e8, { suffix: 'steps' }),
  whole('evaluation.instances', 'Positions probed', 1, 1e5),
  whole('evaluation.games', 'Games for perplexity', 1, 1e6),
  {
    kind: 'choice',
    path: 'precision',
    label: 'Numbers kept of each token',
    options: [
      { value: 'full', label: 'In 32 bits' },
      { value: 'mixed', label: 'In 16 bits where the graphics card can' },
    ],
    words:
      '16 bits take half the memory. They are used on WebGPU, after a trial on this device; elsewhere it stays at 32.',
  },
  whole('checkpointEvery', 'Save every', 1, 1e8, { suffix: 'steps' }),
  whole('seed', 'Seed', 0, Number.MAX_SAFE_INTEGER),
];

/** The value of a field in a config. */
export function fieldOf(config: RunConfig, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], config);
}

import type { RunConfig } from '../../config/run-config.ts';

interface Common {
  /** As RunConfig names it: "model.layers". */
  path: string;
  label: string;
  /** A line of plain words; a field that has one takes a row of its own. */
  words?: string;
}

export interface NumberSpec extends Common {
  kind: 'number';
  min: number;
  max: number;
  step?: number;
  whole?: boolean;
  suffix?: string;
  /** What an empty field means, where it may be empty. */
  none?: string;
}

export interface SwitchSpec extends Common {
  kind: 'switch';
}

export interface ChoiceSpec extends Common {
  kind: 'choice';
  options: readonly { value: string; label: string }[];
}

export type FieldSpec = NumberSpec | SwitchSpec | ChoiceSpec;

const whole = (path: string, label: string, min: number, max: number, more: Partial<NumberSpec> = {}): NumberSpec => ({
  kind: 'number',
  path,
  label,
  min,
  max,
  step: 1,
  whole: true,
  ...more,
});
const real = (path: string, label: string, min: number, max: number, more: Partial<NumberSpec> = {}): NumberSpec => ({
  kind: 'number',
  path,
  label,
  min,
  max,
  ...more,
});

const layers = whole('model.layers', 'Layers', 1, 48);
const width = whole('model.width', 'Width', 8, 2048, { step: 8 });
const heads = whole('model.heads', 'Heads', 1, 64);
const context = whole('model.context', 'Context', 16, 1024, { suffix: 'tokens' });
const dropout = real('model.dropout', 'Dropout', 0, 0.9, { step: 0.05 });
const window = whole('model.window', 'Window', 1, 1024, {
  suffix: 'tokens',
  none: 'all before it',
  words: 'How many tokens back a token sees, itself included.',
});
const slots: SwitchSpec = {
  kind: 'switch',
  path: 'model.slots',
  label: 'Slot embedding',
  words:
    'Tells the model what kind of token comes next in the spelling (from, to, piece) and whose move it is, nothing about the board.',
};

/** The fields of each kind of model, in the order of the form. */
export const modelFields: Record<RunConfig['model']['kind'], readonly FieldSpec[]> = {
  gpt2: [
    layers,
    width,
    heads,
    context,
    dropout,
    window,
    slots,
    {
      kind: 'choice',
      path: 'model.start',
      label: 'Weights at the start',
      options: [
        { value: 'gpt2', label: 'As GPT-2: small and random' },
        { value: 'zero-out', label: 'Layers silent at first' },
      ],
      words: 'Layers that add nothing at first learn faster here; GPT-2 starts every weight at random.',
    },
  ],
  qwen3: [
    layers,
    width,
    heads,
    context,
    whole('model.mlp', 'Gated unit', 8, 8192, {
      step: 8,
      suffix: 'wide',
      words: 'The inner width of each layer’s feed-forward part; about 8/3 of the width is usual.',
    }),
    window,
    real('model.rotaryBase', 'Rotary base', 10, 1e8, {
      words: 'Positions are told by rotation; a larger base turns more slowly and reaches further.',
    }),
    slots,
  ],
  lstm: [layers, width, context, dropout, slots],
};

export const modelKindWords: Record<RunConfig['model']['kind'], string> = {
  gpt2: 'A transformer with learned positions, the kind the paper trained.',
  qwen3: 'A transformer as they are built today: rotary positions, RMSNorm, gated units.',
  lstm: 'Reads one token after another and keeps one state, as language models did before attention.',
};

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
  adamw: 'Every weight moves at a rate of its own.',
  muon: 'Moves each matrix in all its directions alike; learns more a step, and a step costs more.',
};

export const scheduleFields: readonly FieldSpec[] = [
  whole('schedule.steps', 'Steps', 1, 1e8),
  whole('batch', 'Batch', 1, 512, { suffix: 'games' }),
  whole('evaluation.every', 'Probe every', 1, 1e8, { suffix: 'steps' }),
  whole('evaluation.instances', 'Positions probed', 1, 1e5),
  whole('evaluation.games', 'Games for perplexity', 1, 1e6),
  whole('checkpointEvery', 'Save every', 1, 1e8, { suffix: 'steps' }),
  whole('seed', 'Seed', 0, Number.MAX_SAFE_INTEGER),
];

/** The value of a field in a config. */
export function fieldOf(config: RunConfig, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], config);
}

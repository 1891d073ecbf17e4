import type { RunConfig } from './run-config.ts';

/** A named starting point for a run, with a line of plain words. */
export interface Preset {
  name: string;
  title: string;
  words: string;
  config: RunConfig;
}

const common = {
  version: 1,
  domain: 'chess',
  data: { games: 'embedded', manifest: '', limit: null },
  notation: 'rap:15',
  checkpointEvery: 50,
  seed: 1,
} as const;

const gpt2 = { kind: 'gpt2', window: null, slots: false, start: 'gpt2' } as const;
const adamw = { kind: 'adamw', beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0.01, clipNorm: 1 } as const;

/** GPT-2 with the slot embedding and Muon: of what exports without loss, what learns fastest (docs/log.md). */
const quickest = {
  model: { ...gpt2, slots: true, start: 'zero-out', layers: 4, width: 128, heads: 4, context: 352, dropout: 0 },
  optimizer: {
    kind: 'muon',
    learningRate: 4e-3,
    beta1: 0.9,
    beta2: 0.95,
    epsilon: 1e-8,
    weightDecay: 0,
    clipNorm: 0,
    matrixRate: 0.012,
    matrixDecay: 0.01,
    momentum: 0.95,
    momentumStart: 0.85,
    momentumSteps: 150,
  },
  schedule: { steps: 2000, warmup: 0.025, floor: 0.01 },
  batch: 8,
  evaluation: { every: 100, games: 20, instances: 100 },
} as const;

export const presets: readonly Preset[] = [
  {
    name: 'tiny',
    title: 'Tiny, 4 layers of 128',
    words:
      'Finds most of the pieces within minutes. Besides the moves it is told what kind of token each one is and whose move it belongs to (slot embedding): spelling, nothing about the board.',
    config: { ...common, ...quickest },
  },
  {
    name: 'nano',
    title: 'Nano, 4 layers of 64',
    words: 'The same at half the width: some three times quicker a step, for a slow machine or a short lesson.',
    config: {
      ...common,
      ...quickest,
      model: { ...quickest.model, width: 64 },
      schedule: { ...quickest.schedule, steps: 3000 },
      batch: 4,
    },
  },
  {
    name: 'plain',
    title: 'Plain GPT-2, 4 layers of 128',
    words:
      'Nothing but the moves, trained as GPT-2 is: no slot embedding, AdamW. Leaves the level of a model without a board only after tens of times the tokens.',
    config: {
      ...common,
      model: { ...gpt2, layers: 4, width: 128, heads: 4, context: 352, dropout: 0 },
      optimizer: { ...adamw, learningRate: 2e-3 },
      schedule: { steps: 8000, warmup: 0.05, floor: 0.01 },
      batch: 8,
      evaluation: { every: 100, games: 20, instances: 100 },
    },
  },
  {
    name: 'modern',
    title: 'Modern, 4 layers of 128',
    words:
      'Rotary positions, RMSNorm on queries and keys, a gated MLP, no biases: laid out as Qwen3, to be opened with its library.',
    config: {
      ...common,
      ...quickest,
      model: {
        kind: 'qwen3',
        layers: 4,
        width: 128,
        heads: 4,
        mlp: 344,
        context: 352,
        window: null,
        rotaryBase: 1000,
        slots: true,
      },
    },
  },
  {
    name: 'lstm',
    title: 'LSTM, 2 layers of 256',
    words: 'A recurrent network, without attention: all that it knows of the game must fit into its state.',
    config: {
      ...common,
      ...quickest,
      model: { kind: 'lstm', layers: 2, width: 256, context: 352, dropout: 0, slots: true },
      optimizer: { ...adamw, weightDecay: 0, learningRate: 3e-3 },
    },
  },
  {
    name: 'small',
    title: 'Small, 6 layers of 256',
    words: 'For a graphics card: about five million parameters.',
    config: {
      ...common,
      model: { ...gpt2, layers: 6, width: 256, heads: 8, context: 512, dropout: 0.1 },
      optimizer: { ...adamw, learningRate: 1e-3 },
      schedule: { steps: 20000, warmup: 0.1, floor: 0 },
      batch: 16,
      evaluation: { every: 250, games: 50, instances: 200 },
    },
  },
  {
    name: 'gpt2-small',
    title: "The paper's GPT2-small, 12 layers of 768",
    words:
      'Toshniwal et al.: 85 million parameters, batches of 60 games, ten passes over 15,000 games. Hours on a strong graphics card.',
    config: {
      ...common,
      notation: 'rap:25',
      model: { ...gpt2, layers: 12, width: 768, heads: 12, context: 512, dropout: 0.1 },
      optimizer: { ...adamw, learningRate: 5e-4 },
      schedule: { steps: 2500, warmup: 0.1, floor: 0 },
      batch: 60,
      evaluation: { every: 250, games: 100, instances: 1000 },
    },
  },
];

export function presetNamed(name: string): Preset | undefined {
  return presets.find((preset) => preset.name === name);
}

export const defaultPreset: Preset = presets[0];

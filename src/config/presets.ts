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

const adamw = { kind: 'adamw', beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0.01, clipNorm: 1 } as const;

export const presets: readonly Preset[] = [
  {
    name: 'nano',
    title: 'Nano, 4 layers of 64',
    words:
      'Small enough to watch on any laptop: learns how moves are spelt in seconds and begins to follow the pieces of the opening within minutes.',
    config: {
      ...common,
      model: { kind: 'gpt2', layers: 4, width: 64, heads: 4, context: 352, dropout: 0 },
      optimizer: { ...adamw, beta2: 0.99, learningRate: 4e-3 },
      schedule: { steps: 3000, warmup: 0.05, floor: 0.01 },
      batch: 4,
      evaluation: { every: 50, games: 20, instances: 100 },
    },
  },
  {
    name: 'tiny',
    title: 'Tiny, 4 layers of 128',
    words: 'The smallest that truly tracks the board, given an hour or so without a graphics card.',
    config: {
      ...common,
      model: { kind: 'gpt2', layers: 4, width: 128, heads: 4, context: 352, dropout: 0 },
      optimizer: { ...adamw, learningRate: 2e-3 },
      schedule: { steps: 8000, warmup: 0.05, floor: 0.01 },
      batch: 8,
      evaluation: { every: 100, games: 20, instances: 100 },
    },
  },
  {
    name: 'small',
    title: 'Small, 6 layers of 256',
    words: 'For a graphics card: about five million parameters.',
    config: {
      ...common,
      model: { kind: 'gpt2', layers: 6, width: 256, heads: 8, context: 512, dropout: 0.1 },
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
      model: { kind: 'gpt2', layers: 12, width: 768, heads: 12, context: 512, dropout: 0.1 },
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

import { LEGAL_WEIGHT } from './objectives.ts';
import type { RunConfig } from './run-config.ts';

/** A named starting point for a run, with a line of plain words. */
export interface Preset {
  name: string;
  title: string;
  description: string;
  config: RunConfig;
}

/** What all presets have, and the pieces that several share. */
export const common = {
  version: 1,
  domain: 'chess',
  data: { games: 'embedded', manifest: '', limit: null },
  notation: 'rap:15',
  questions: null,
  objective: 'next',
  legalWeight: LEGAL_WEIGHT,
  predictNames: true,
  pieceWeight: 0,
  precision: 'full',
  checkpointEvery: 50,
  seed: 1,
} as const;

/** As many steps as are asked for, and the last weights. */
export const toTheEnd = { epochs: null, patience: null, keep: 'last' } as const;

export const gpt2 = { kind: 'gpt2', window: null, slots: false, start: 'gpt2', tied: true } as const;
export const adamw = {
  kind: 'adamw',
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  clipNorm: 1,
} as const;

/** Qwen3's layout with the slot embedding. */
export const qwen3 = {
  kind: 'qwen3',
  layers: 4,
  width: 128,
  heads: 4,
  mlp: 344,
  context: 352,
  window: null,
  rotaryBase: 1000,
  slots: true,
  tied: true,
  shift: 0,
} as const;

/** What Qwen3 and GPT-2 with slots learn fastest by. */
export const muon = {
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
} as const;

/** LFM2's layout with the slot embedding and Muon: of what exports without loss, what learns fastest (docs/log.md). */
export const quickest = {
  predictNames: false,
  model: {
    kind: 'lfm2',
    pattern: 'caaaaa',
    width: 128,
    heads: 4,
    mlp: 128,
    taps: 3,
    context: 352,
    rotaryBase: 100_000,
    slots: true,
    tied: false,
  },
  optimizer: { ...muon, learningRate: 0.015, matrixRate: 0.014 },
  schedule: { ...toTheEnd, steps: 2000, warmup: 0.025, floor: 0.01 },
  batch: 8,
  evaluation: { every: 100, games: 20, instances: 100 },
} as const;

import { parameterShapes, trainingFlopsPerToken, type ModelConfig } from '../src/models/model.ts';
import type { ParameterShape } from '../src/models/parameters.ts';

/**
 * What every side of the training suite does, whole: forward, backward and an AdamW update of every parameter in
 * float32, without dropout, on full rows (each row T tokens, T - 1 targets), so that no side can gain by skipping
 * padding. It travels as JSON to the process or page that runs a side.
 */
export interface Workload {
  name: string;
  model: ModelConfig;
  /** Every parameter in order; each side fills them by startValues. */
  parameters: ParameterShape[];
  rows: number;
  columns: number;
  /** Floating-point operations of forward and backward for one token. */
  flopsPerToken: number;
  optimizer: { learningRate: number; beta1: number; beta2: number; epsilon: number; weightDecay: number };
  /** Without a real GPU a step would take minutes. */
  needsGpu: boolean;
}

const optimizer = { learningRate: 1e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0.1 };

/** Tokens of the chess notation in plain UCI. */
const CHESS = 77;

function gpt(
  name: string,
  layers: number,
  width: number,
  heads: number,
  columns: number,
  vocabulary = CHESS,
): Workload {
  const sizes = { layers, width, heads, context: columns, vocabulary };
  return workload(name, { ...sizes, kind: 'gpt2', dropout: 0, window: null, slots: null, start: 'gpt2' }, columns);
}

function workload(name: string, model: ModelConfig, columns: number): Workload {
  return {
    name,
    model,
    parameters: parameterShapes(model),
    rows: 8,
    columns,
    flopsPerToken: trainingFlopsPerToken(model, columns),
    optimizer,
    needsGpu: false,
  };
}

const sizes = { layers: 2, width: 256, context: 256, vocabulary: CHESS };
const lstm: ModelConfig = { ...sizes, kind: 'lstm', dropout: 0, slots: null };

/** The training workloads; batch 8 in each. The second is the one that figures elsewhere are quoted for. */
export const workloads: readonly Workload[] = [
  gpt('gpt-4x128-t256', 4, 128, 4, 256),
  gpt('gpt-4x128-t128', 4, 128, 4, 128),
  gpt('gpt-6x256-t256', 6, 256, 8, 256),
  workload('lstm-2x256-t256', lstm, 256),
  { ...gpt('gpt2-small-t256', 12, 768, 12, 256), needsGpu: true },
];

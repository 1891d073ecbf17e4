import type { RunConfig } from '../../config/run-config.ts';
import type { BackendName } from './device.ts';

/** What a run will take, before it starts. */
export interface RunEstimate {
  parameters: number;
  memoryBytes: number;
  seconds: number;
  /** True where this device has trained before, so that the time is more than a guess. */
  measured: boolean;
}

const VOCABULARY = 77;
/** Guesses for a first run, multiply-adds counted as two operations; measured speeds replace them. */
const GUESSED: Record<BackendName, number> = { webgpu: 3e11, wasm: 3e9, cpu: 3e8 };
const KEY = 'blindfold.operations-a-second';

/** Parameters of GPT-2 with tied embeddings: 12 d^2 + 13 d a layer, embeddings, last norm. */
export function parameterCount({ model }: RunConfig): number {
  const { layers, width, context } = model;
  return layers * (12 * width * width + 13 * width) + (VOCABULARY + context + 2) * width;
}

/** Forward and backward, operations a token: 6 for each parameter and 12 L d T for attention (Kaplan et al. 2020). */
function operationsPerToken(config: RunConfig, length: number): number {
  return 6 * parameterCount(config) + 12 * config.model.layers * config.model.width * length;
}

/** Tokens in a row: a start and an end square for each ply, piece names, the two ends; cut at the context. */
function rowLength(config: RunConfig, plies: number): number {
  const names = config.notation === 'uci' ? 0 : Number(config.notation.slice(4)) / 100;
  return Math.min(config.model.context, plies * (2 + names) + 2);
}

/** `plies` is the mean length of the games. */
export function estimateRun(config: RunConfig, plies: number, backend: BackendName): RunEstimate {
  const parameters = parameterCount(config);
  const length = rowLength(config, plies);
  const { layers, width, heads } = config.model;
  // Weights, gradients and Adam's two moments; and what the backward pass keeps of the forward one.
  const kept = config.batch * length * (layers * (34 * width + 3 * heads * length) + 4 * VOCABULARY);
  const measured = measuredSpeeds()[backend];
  const operations = config.schedule.steps * config.batch * length * operationsPerToken(config, length);
  return {
    parameters,
    memoryBytes: 4 * (4 * parameters + kept),
    seconds: operations / (measured ?? GUESSED[backend]),
    measured: measured !== undefined,
  };
}

/** Remembers how fast this device trained, for the next estimate. */
export function rememberSpeed(config: RunConfig, backend: BackendName, tokensPerSecond: number, plies: number): void {
  const speeds = measuredSpeeds();
  speeds[backend] = tokensPerSecond * operationsPerToken(config, rowLength(config, plies));
  try {
    localStorage.setItem(KEY, JSON.stringify(speeds));
  } catch {
    // Private windows have no storage; the next estimate is a guess again.
  }
}

function measuredSpeeds(): Partial<Record<BackendName, number>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

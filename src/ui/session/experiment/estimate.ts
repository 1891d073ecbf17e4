import type { RunConfig } from '../../../config/run-config.ts';
import type { Result } from '../../../base/result.ts';
import { parameterCount, trainingFlopsPerToken } from '../../../models/model.ts';
import { TAB_MEMORY, trainingMemory } from '../../../models/training-memory.ts';
import type { BackendName } from '../device.svelte.ts';
import { keep, keptJson } from '../kept.ts';
import { guessedSpeed, modelFor, operationsAStep, rowLength } from '../../../studies/compute/step-cost.ts';

/** What a run will take, before it starts. */
export interface RunEstimate {
  parameters: number;
  /** Bytes; a failure where no tab has so many. */
  memory: Result<number>;
  seconds: number;
  /** True where this device has trained before, so that the time is more than a guess. */
  measured: boolean;
}

const KEY = 'blindfold.model-operations-a-second';

/** Kinds of model differ in how well a device can be used for them. */
type Measured = Partial<Record<`${BackendName} ${RunConfig['model']['kind']}`, number>>;

/** `events` is the mean length of the games; `threads` are those that training on WASM may use. */
export function estimateRun(config: RunConfig, events: number, backend: BackendName, threads: number): RunEstimate {
  const model = modelFor(config);
  const length = rowLength(config, events);
  const measured = measuredSpeed(config, backend);
  const operations = config.schedule.steps * operationsAStep(config, events);
  return {
    parameters: parameterCount(model),
    memory: trainingMemory(model, config.batch, length, TAB_MEMORY),
    seconds: operations / (measured ?? guessedSpeed(config, backend, threads)),
    measured: measured !== null,
  };
}

/** Operations a second at which this device was seen to train such a model; null where it never did. */
export function measuredSpeed(config: RunConfig, backend: BackendName): number | null {
  const speed = measuredSpeeds()[`${backend} ${config.model.kind}`];
  return typeof speed === 'number' && speed > 0 ? speed : null;
}

/** Remembers how fast this device trained, for the next estimate. */
export function rememberSpeed(config: RunConfig, backend: BackendName, tokensPerSecond: number, events: number): void {
  rememberOperations(
    config,
    backend,
    tokensPerSecond * trainingFlopsPerToken(modelFor(config), rowLength(config, events)),
  );
}

/** The same in operations a second. */
export function rememberOperations(config: RunConfig, backend: BackendName, operations: number): void {
  keep(KEY, JSON.stringify({ ...measuredSpeeds(), [`${backend} ${config.model.kind}`]: operations }));
}

function measuredSpeeds(): Measured {
  const stored = keptJson(KEY);
  return typeof stored === 'object' && stored !== null ? stored : {};
}

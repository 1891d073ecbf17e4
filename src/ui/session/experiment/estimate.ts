import type { RunConfig } from '../../../config/run-config.ts';
import { unwrap, type Result } from '../../../base/result.ts';
import { notationOf } from '../../../domains/domains.ts';
import { isCompiled, parameterCount, trainingFlopsPerToken } from '../../../models/model.ts';
import { modelOf } from '../../../models/of-config.ts';
import { TAB_MEMORY, trainingMemory } from '../../../models/training-memory.ts';
import type { BackendName } from '../device.svelte.ts';
import { tokensAnEvent } from './example-game.ts';
import { readsSquares } from '../../../studies/testbed/reads-squares.ts';

/** What a run will take, before it starts. */
export interface RunEstimate {
  parameters: number;
  /** Bytes; a failure where no tab has so many. */
  memory: Result<number>;
  seconds: number;
  /** True where this device has trained before, so that the time is more than a guess. */
  measured: boolean;
}

/**
 * Guesses for a first run, operations a second, multiply-adds counted as two; measured speeds replace them. Measured in
 * tiny models on WASM: the compiled engine 3.4e10 on one thread and 7e10 on two, whichever its kind; the reference
 * engine, which alone has the Reformer and the Performer, 1e10 on one thread beside other work and 2e10 without. WebGPU
 * is a guess indeed. The compiled engine's on WASM is that of one thread.
 */
const GUESSED: Record<'compiled' | 'reference', Record<BackendName, number>> = {
  compiled: { webgpu: 3e11, wasm: 3.4e10, cpu: 6e8 },
  reference: { webgpu: 5e10, wasm: 1.6e10, cpu: 6e8 },
};
const KEY = 'blindfold.model-operations-a-second';

/** Kinds of model differ in how well a device can be used for them. */
type Measured = Partial<Record<`${BackendName} ${RunConfig['model']['kind']}`, number>>;

/** A question is asked in mid-game: half of it comes before, on average, and a few tokens ask and answer. */
const QUESTION = 8;

/**
 * Tokens in a row, cut at the context. A chess move is a start and an end square and at times a piece name; what happens
 * in other games is some tokens an event. Two more begin and end it.
 */
export function rowLength(config: RunConfig, events: number): number {
  const anEvent = readsSquares(config) ? 2 + unwrap(notationOf(config)).nameShare : tokensAnEvent(config);
  const row = config.questions === null ? events * anEvent + 2 : (events * anEvent) / 2 + QUESTION;
  return Math.min(config.model.context, row);
}

/** The model over its notation's vocabulary. @throws where the game has no such notation */
function modelFor(config: RunConfig): ReturnType<typeof modelOf> {
  const { vocabulary, slots } = unwrap(notationOf(config));
  return modelOf(config, { size: vocabulary.size, slots });
}

/** Numbers that a run's model learns. */
export const parametersOf = (config: RunConfig): number => parameterCount(modelFor(config));

/** Tokens of one step, about; `events` is the mean length of the games. */
export const tokensAStep = (config: RunConfig, events: number): number => config.batch * rowLength(config, events);

/** Floating-point operations of a run's steps so far, by the rows that they have read. */
export function operationsOf(config: RunConfig, steps: number, tokens: number): number {
  return steps === 0 ? 0 : tokens * trainingFlopsPerToken(modelFor(config), tokens / (steps * config.batch));
}

/** Floating-point operations of one step. `events` is the mean length of the games. */
export function operationsAStep(config: RunConfig, events: number): number {
  const length = rowLength(config, events);
  return config.batch * length * trainingFlopsPerToken(modelFor(config), length);
}

/** `events` is the mean length of the games; `threads` are those that training on WASM may use. */
export function estimateRun(config: RunConfig, events: number, backend: BackendName, threads: number): RunEstimate {
  const model = modelFor(config);
  const length = rowLength(config, events);
  const measured = measuredSpeed(config, backend);
  const operations = config.schedule.steps * operationsAStep(config, events);
  const compiled = isCompiled(model.kind);
  const guessed =
    GUESSED[compiled ? 'compiled' : 'reference'][backend] * (compiled && backend === 'wasm' ? threads : 1);
  return {
    parameters: parameterCount(model),
    memory: trainingMemory(model, config.batch, length, TAB_MEMORY),
    seconds: operations / (measured ?? guessed),
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
  const speeds = measuredSpeeds();
  speeds[`${backend} ${config.model.kind}`] = operations;
  try {
    localStorage.setItem(KEY, JSON.stringify(speeds));
  } catch {
    // Private windows have no storage; the next estimate is a guess again.
  }
}

function measuredSpeeds(): Measured {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

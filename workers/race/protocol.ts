import type { Result } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import type { BackendName, DeviceReport } from '../../src/engine/engine.ts';
import type { CorpusBuffers } from '../data/protocol.ts';
import type { EngineInUse } from '../train/protocol.ts';

/** One step of one side. */
export interface RaceStep {
  milliseconds: number;
  /** Nats a token. */
  loss: number;
}

/** The same batch on both sides. */
export interface RaceRound {
  /** Targets in the batch. */
  tokens: number;
  compiled: RaceStep;
  stock: RaceStep;
}

export interface RaceStarted {
  device: DeviceReport;
  compiled: EngineInUse;
  stock: EngineInUse;
}

export type RaceEvent =
  /** What is being prepared, in words. */
  | { kind: 'preparing'; words: string }
  | { kind: 'started'; started: RaceStarted }
  /** `share` of the time that the race may take, 0 to 1. */
  | { kind: 'round'; round: RaceRound; share: number };

/**
 * Trains the same model by the compiled engine and by stock TensorFlow.js, in turns, and tells how long each took.
 * A worker runs one race and is then ended, which is also how a race is cancelled.
 */
export interface RaceService {
  /** Resolves with the number of rounds. Fails where there is nothing to race, or a run is being trained. */
  race(
    config: RunConfig,
    train: CorpusBuffers,
    wanted: BackendName | null,
    onEvent: (event: RaceEvent) => void,
  ): Promise<Result<number>>;
}

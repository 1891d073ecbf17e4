import type { Failure, Result } from '../../src/base/result.ts';
import type { RunConfig } from '../../src/config/run-config.ts';
import type { BackendName, DeviceReport, EngineName, KernelTime } from '../../src/engine/engine.ts';
import type { Evaluation } from '../../src/studies/live.ts';

/** `interrupted` and `lost` (its checkpoints are gone) are told of the list and never kept in it. */
export type RunStatus = 'preparing' | 'running' | 'paused' | 'stopped' | 'finished' | 'failed' | 'interrupted' | 'lost';

/** What computes a run's steps. */
export interface EngineInUse {
  name: EngineName;
  /** CPU threads; null where the work is not the CPU's. */
  threads: number | null;
  /** Where it trains in mixed precision, whatever was asked for. */
  mixed?: true;
}

/** What a person may write about a run. */
export interface RunDescription {
  name: string;
  notes: string;
  tags: string[];
}

/** A row of the run list. Notes and tags are missing where nobody wrote any. */
export interface RunRecord extends Pick<RunDescription, 'name'>, Partial<Omit<RunDescription, 'name'>> {
  id: string;
  config: RunConfig;
  status: RunStatus;
  /** Step of the newest checkpoint; 0 where there is none. */
  step: number;
  parameters: number;
  /** Null in a row that was made again from its checkpoint, which does not tell it. */
  backend: BackendName | null;
  /** Missing in the records of older builds. */
  engine?: EngineInUse;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  loss: number | null;
  /** Of the weights that the run has. */
  evaluation: Evaluation | null;
  /** Why a finished run ended early or with other weights than its last; missing or null where it did not. */
  ending?: string | null;
  /** Missing in the rows of older builds. */
  sketch?: CurveSketch;
  /** Steps whose weights are stored to look back at, ascending; told of the list and never kept in it. */
  snapshots?: number[];
  /** The row was lost or damaged and has been made again from the newest checkpoint. */
  restored?: true;
}

/** A curve in a few numbers (curve-sketch.ts). */
export interface CurveSketch {
  /** Means of as many equal parts of the run. */
  losses: number[];
  /** Of the evaluations that `scores` are of. */
  steps: number[];
  /** Means, by study and name. */
  scores: Record<string, Record<string, (number | null)[]>>;
}

/** What a run's newest checkpoint has of its curve. */
export interface RunNumbers {
  step: number;
  tokensSeen: number;
  losses: Float32Array;
  evaluations: Evaluation[];
}

/** What is left of a run that can be neither gone on with nor opened; it can only be deleted. */
export interface DamagedRun {
  id: string;
  /** As its row has it; null where that cannot be read either. */
  name: string | null;
  /** What is wrong, in a sentence. */
  reason: string;
}

/** All that is kept of runs on this device. */
export interface RunListing {
  runs: RunRecord[];
  damaged: DamagedRun[];
}

export type TrainEvent =
  | {
      kind: 'status';
      status: RunStatus;
      label: string;
      failure: Failure | null;
      /** As RunRecord.ending. */
      ending?: string | null;
    }
  /** While the run is being prepared on a graphics card: kernels compiled so far, of all. */
  | { kind: 'compiling'; done: number; total: number }
  | {
      /** At most ten a second. */
      kind: 'progress';
      step: number;
      steps: number;
      /** Losses of steps firstStep .. firstStep + losses.length - 1 (steps count from 1). */
      firstStep: number;
      losses: Float32Array;
      tokens: number;
      tokensPerSecond: number;
      secondsLeft: number | null;
      learningRate: number;
      gradientNorm: number;
    }
  | {
      /** At most one a second. */
      kind: 'speed';
      /** Floating-point operations of the model a second (those that the mathematics need), over the last steps. */
      modelFlops: number;
      /** Where the time since the last such event went, longest first; null where the engine tells none. */
      kernels: KernelTime[] | null;
    }
  | { kind: 'evaluation'; evaluation: Evaluation }
  | { kind: 'checkpoint'; step: number }
  /** The weights of this step are stored and can be asked from now on. */
  | { kind: 'snapshot'; step: number }
  /** All of them were deleted to make room for a checkpoint. */
  | { kind: 'snapshots-cleared' }
  /** The run lost its device and goes on from its newest checkpoint: what came after that is to be forgotten. */
  | { kind: 'recovered'; started: RunStarted }
  /** Something a person should know that does not end the run (a checkpoint that could not be written, say). */
  | { kind: 'notice'; failure: Failure };

/** What the page needs to draw a run that is being resumed. */
export interface RunStarted {
  record: RunRecord;
  device: DeviceReport;
  engine: EngineInUse;
  /** The best rate measured of this engine on this device, FLOP/s; null where it measures none. */
  peakFlops: number | null;
  losses: Float32Array;
  evaluations: Evaluation[];
  /** Steps whose snapshots are stored, ascending. */
  snapshots: number[];
}

/** A model in files that a run may start from. */
export interface StartModel {
  /** As a config's start names it. */
  id: string;
  /**
   * Its game, its notation and its settings; the rest is that of the run it comes from, or the default. A model of text
   * reads any game.
   */
  config: RunConfig;
  /** The tokens that it brought: the files that they are read from, and how many it has. */
  tokens?: { files: Map<string, Uint8Array>; rows: number };
}

/** Trains one model at a time. */
export interface TrainService {
  /** The device that would be used, given what is asked for, and why. */
  device(wanted: BackendName | null): Promise<DeviceReport>;
  /**
   * Floating-point operations of the config's model a second that the device gets done in training, by a trial of about a
   * second on rows of `length` tokens. A run that starts meanwhile waits for its end. Fails with `busy` while one goes on.
   */
  speed(config: RunConfig, length: number, wanted: BackendName | null): Promise<Result<number>>;
  /** The training worker sends weights through this port to the analyse worker (an AnalyseService). */
  connectAnalyser(port: MessagePort): Promise<void>;
  /**
   * Prepares a run on the set whose key is `config.data.games`, and begins to train. Where the config names a run of this
   * device as its start, that run's newest weights are where this one begins; where it names the shipped model or one
   * that was opened, those of `files`.
   */
  start(
    config: RunConfig,
    wanted: BackendName | null,
    onEvent: (event: TrainEvent) => void,
    files?: Map<string, Uint8Array>,
  ): Promise<Result<RunStarted>>;
  /** What a run must have to start from a model in files. */
  readStart(name: string, files: Map<string, Uint8Array>): Promise<Result<StartModel>>;
  /** Goes on from a run's newest checkpoint, with the same games. */
  resume(id: string, wanted: BackendName | null, onEvent: (event: TrainEvent) => void): Promise<Result<RunStarted>>;
  pause(): Promise<void>;
  /** One step, then pause again. */
  step(): Promise<void>;
  continue(): Promise<void>;
  /** Ends the run at a checkpoint; it can be resumed later. */
  stop(id: string): Promise<void>;
  runs(): Promise<RunListing>;
  /**
   * Writes a run's name, notes and tags into its row, tidied (run-description.ts); an empty name stands for the automatic
   * one. Returns what was written. A run may be in training meanwhile, in this tab or another.
   */
  describe(id: string, description: RunDescription): Promise<Result<RunDescription>>;
  /** The curve of a run as its newest checkpoint has it. */
  numbers(id: string): Promise<Result<RunNumbers>>;
  remove(id: string): Promise<Result<null>>;
}

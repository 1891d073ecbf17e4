import type { Workload } from './workloads.ts';

/**
 * One way to train, set beside others. A side is made in a process or a page of its own, so that none meets another's
 * threads, kernels or memory.
 */
export interface Side {
  /** Threads that compute. */
  readonly threads: number;
  /** Processor or adapter, in words; known after `prepare`. */
  readonly device: string;
  /** Steps that may be begun before the loss of an earlier one has come; 0 where each is awaited. */
  readonly runAhead: number;
  /** Weights by startValues, the batch by tokens. */
  prepare(workload: Workload): Promise<void>;
  /** One training step on the workload's only batch; the loss before the update, mean nats a target. */
  step(): Promise<number>;
  /** Waits for what is still computed of the steps when the last loss has come; without it, nothing is. */
  settle?(): Promise<void>;
  /** FLOP/s of the best product of two large float32 matrices; null where the side has none to show. */
  measurePeak(): Promise<number | null>;
  dispose(): Promise<void>;
}

/** A side as the harness sees it, wherever it runs. */
export interface RunningSide {
  readonly threads: number;
  readonly device: string;
  /** Takes `count` steps; their losses, and the milliseconds from the first's start to the last's end, its update included. */
  steps(count: number): Promise<{ losses: number[]; milliseconds: number }>;
  measurePeak(): Promise<number | null>;
  dispose(): Promise<void>;
}

/** What a side cannot do here, in a line for the person who reads the results; not a failure of the bench. */
export class NotHere extends Error {}

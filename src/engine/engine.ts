import type { Batch } from '../base/batch.ts';
import type { ModelConfig } from '../models/model.ts';
import type { NamedArrays } from '../models/parameters.ts';

export type { Batch } from '../base/batch.ts';
export type { NamedArrays } from '../models/parameters.ts';

export interface OptimizerSettings {
  learningRate: number;
  beta1: number;
  beta2: number;
  epsilon: number;
  weightDecay: number;
  /** Largest global gradient norm; 0 switches clipping off. */
  clipNorm: number;
  /** Where set, the matrices inside the model are updated by Muon and AdamW has the rest. */
  muon: MuonSettings | null;
}

/**
 * Muon (Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks"): Nesterov momentum, made
 * orthogonal by five Newton-Schulz iterations, times sqrt(max(1, outputs / inputs)), with decoupled decay.
 */
export interface MuonSettings {
  learningRate: number;
  /** Of this step. */
  momentum: number;
  weightDecay: number;
}

export interface StepReport {
  /**
   * Mean negative log-likelihood of the batch's targets (of those learned from, where it names some), nats a token; where the batch has `valid` sets, the mean
   * cross-entropy against the uniform distribution over them, or with a `validWeight` the mean of both losses together.
   */
  loss: number;
  /** Targets in the batch that were learned from. */
  tokens: number;
  /** Global gradient norm before clipping. */
  gradientNorm: number;
  /**
   * Whether the step changed nothing, since its gradients were no finite numbers: what mixed precision does where one was
   * too large for 16 bits. Absent in full precision, where such a step spoils the weights.
   */
  skipped?: boolean;
}

/** Where a step's time went: one entry a kind of kernel, since the last time it was asked. */
export interface KernelTime {
  name: string;
  milliseconds: number;
  calls: number;
}

export type EngineName = 'tfjs' | 'wasm' | 'webgpu';

/** How wide the numbers are that training keeps of each token: 32 bits, or 16 where they may be. */
export type Precision = 'full' | 'mixed';

export type BackendName = 'webgpu' | 'wasm' | 'cpu';

/** The device in use, why it was chosen, and the others that could be. */
/** How a model will be trained, where that is known before its engine is made: it is ready when it is given out. */
export interface TrainingAhead {
  /** Whether matrices will be updated by Muon. */
  muon: boolean;
  /** Tokens of the largest batch to come, a larger one is met by laying out anew. */
  tokens: number;
}

/** A way of computing that a device must earn on a trial, and what became of it. */
export interface CapabilityReport {
  capability: 'f32' | 'subgroups' | 'f16';
  /** Whether the engine uses it on this device. */
  admitted: boolean;
  reason: string;
  /** What the trial found, where there was one. */
  figures: CapabilityFigures | null;
}

/** Differences from training without the capability, each relative to the largest magnitude of what it is a difference of. */
export interface CapabilityFigures {
  /** Over the gradients of the first step together. */
  gradientError: number;
  /** The same for each parameter by itself; the largest. */
  parameterError: number;
  /** Over the losses of all steps. */
  lossError: number;
}

export interface DeviceReport {
  backend: BackendName;
  /** Adapter or instruction set, in words. */
  adapter: string;
  /** Why this one and not another, one plain sentence. */
  reason: string;
  available: { backend: BackendName; note: string }[];
  /** Where mixed precision was asked for: what is used, and why, one plain sentence with what its trial found. */
  precision?: { used: Precision; reason: string };
  /** Of the compiled engine on WebGPU: what its device was admitted to. */
  capabilities?: readonly CapabilityReport[];
}

/** Next-token logits after a prefix and after the prefix plus each leaf token. */
export interface LeafLogits {
  /** [V] */
  root: Float32Array;
  /** one [V] for each leaf */
  leaves: Float32Array[];
}

/** A sequence being written token by token, its keys and values kept. */
export interface Continuation {
  /** [V] logits of the next token. */
  logits(): Promise<Float32Array>;
  advance(token: number): void;
  readonly length: number;
  dispose(): void;
}

/**
 * A model on a device. Every engine runs the same model description; `tfjs` is the reference.
 */
export interface Engine {
  readonly name: EngineName;
  readonly device: DeviceReport;
  readonly model: ModelConfig;
  /** Steps that may be begun before the report of an earlier one has come; 0 where each must be awaited. */
  readonly runAhead: number;
  /**
   * Forward, backward and update on one batch. `seed` decides dropout masks. Only loss and gradient norm are read back.
   * Throws a RangeError where the batch has no targets to learn from or a row is longer than the model's context.
   */
  step(batch: Batch, optimizer: OptimizerSettings, seed: number): Promise<StepReport>;
  /**
   * Log-probabilities of each target, [N] (entry t holds that of tokens[t + 1]; 0 for a row's last), whatever `learn` says.
   * Logits of `muted` tokens count as -1e10.
   */
  logProbabilities(batch: Batch, muted: readonly number[]): Promise<Float32Array>;
  /**
   * The logits [V] of every target, in one pass as logProbabilities: `see` is given those of tokens[place + 1], and may
   * keep them only until it returns. A row's last token has none.
   */
  targetLogits(batch: Batch, see: (place: number, logits: Float32Array) => void): Promise<void>;
  /**
   * For each prefix (begin token included), the next-token logits there and after each of its leaves. A prefix is run
   * once, whatever its leaves. Rejects with a RangeError where prefix and leaf do not fit the context.
   */
  leafLogits(prefixes: readonly (readonly number[])[], leaves: readonly (readonly number[])[]): Promise<LeafLogits[]>;
  /** The prefix begins with the begin token. `advance` throws a RangeError past the model's context. */
  continue(prefix: readonly number[]): Continuation;
  /** Copies of the parameters. */
  parameters(): Promise<NamedArrays>;
  /** Copies of the optimiser's state: step count and the two moments of each parameter, named m.NAME and v.NAME. */
  optimizerState(): Promise<{ step: number; moments: NamedArrays }>;
  /** Replaces parameters; throws where names or shapes differ. */
  setParameters(parameters: NamedArrays): void;
  setOptimizerState(state: { step: number; moments: NamedArrays }): void;
  /** Times of the kernels since the last call, longest first; null where the device tells none. */
  kernelTimes(): Promise<KernelTime[] | null>;
  /** The device's best rate in a large matrix product by this engine's own kernel, FLOP/s; null where not measured. */
  measurePeak(): Promise<number | null>;
  /** Of the device as a whole, other engines in this thread included. */
  memory(): { tensors: number; bytes: number };
  dispose(): void;
}

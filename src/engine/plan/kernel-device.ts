import type { OptimizerSettings } from '../engine.ts';
import type { PackedBatch } from './pack.ts';
import type { Buffer, Call } from './plan.ts';

/** What a call is given besides its buffers. */
export interface CallContext {
  batch: PackedBatch;
  optimizer: OptimizerSettings;
  /** Of this update, counted from 1. */
  step: number;
  /** Of dropout's masks. */
  seed: number;
}

/** Contents by buffer id; row-major. Of `tokens` rows all up to the batch's last, those before its first being history. */
export type Contents = Map<number, Float32Array>;

/** Runs one call by itself: what the parity tests compare devices with the float64 references by. */
export interface KernelDevice {
  readonly name: string;
  /** `contents` has every buffer of the call, outputs too (a call may add to them). Answers what is in the written ones. */
  run(call: Call, contents: Contents, context: CallContext): Promise<Contents>;
}

/** Elements of a buffer in a batch of `count` tokens. */
export function elementsOf(buffer: Buffer, count: number): number {
  return (buffer.rows === 'tokens' ? count : buffer.rows) * buffer.columns;
}

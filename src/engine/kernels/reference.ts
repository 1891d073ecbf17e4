import type { CallContext } from '../plan/kernel-device.ts';
import type { Buffer, Call } from '../plan/plan.ts';

/**
 * A reference is a call in float64, written in the plainest way there is: it defines what the call computes, and every
 * device's kernel is held to it (parity.ts). It reads what the call's buffers hold, and writes into the outputs' arrays.
 */
export type References<K extends Call['kernel']> = {
  [P in K]: (
    values: Values<Extract<Call, { kernel: P }>>,
    call: Extract<Call, { kernel: P }>,
    context: CallContext,
  ) => void;
};

/** A call with what its buffers hold in their places; null for one that is not there. */
export type Values<C> = { [F in keyof C]: Buffer extends C[F] ? Float64Array | Extract<C[F], null> : C[F] };

/** Contents by buffer id, row-major; `tokens` rows count from row 0 of the buffer, whatever the batch's first row. */
export type ReferenceContents = ReadonlyMap<number, Float64Array>;

import { runReference } from './run-reference.ts';
import type { ReferenceContents } from './reference.ts';
import { elementsOf, type CallContext, type Contents, type KernelDevice } from '../plan/kernel-device.ts';
import { buffersOf } from '../plan/layout.ts';
import type { Buffer, Call, Plan } from '../plan/plan.ts';

/** Single calls in float64; only what goes in and comes out is float32. */
export const referenceDevice: KernelDevice = {
  name: 'float64 reference',
  async run(call: Call, contents: Contents, context: CallContext): Promise<Contents> {
    const values = new Map([...contents].map(([id, array]) => [id, Float64Array.from(array)]));
    runReference(call, values, context);
    const written = buffersOf(call).filter((entry) => entry.written);
    return new Map(written.map(({ buffer }) => [buffer.id, Float32Array.from(values.get(buffer.id)!)]));
  },
};

/** The flat arenas of a model's parameters in float64. */
export type ReferenceArenas = Record<Exclude<Buffer['place']['kind'], 'activation'>, Float64Array>;

/** Weights in the order of the plan's parameters; gradients and moments zero. */
export function referenceArenas(
  plan: Plan,
  parameters: ReadonlyMap<string, { data: ArrayLike<number> }>,
): ReferenceArenas {
  const zeros = () => new Float64Array(plan.parameterLength);
  const arenas = { weight: zeros(), gradient: zeros(), 'first moment': zeros(), 'second moment': zeros() };
  for (const { name, offset } of plan.parameters) arenas.weight.set(parameters.get(name)!.data, offset);
  return arenas;
}

/**
 * Room for every buffer of the calls: views into the arenas, and activations of their own, filled with NaN so that what
 * is read before it is written shows.
 */
export function referenceContents(calls: readonly Call[], arenas: ReferenceArenas, rows: number): ReferenceContents {
  const contents = new Map<number, Float64Array>();
  for (const { buffer } of calls.flatMap(buffersOf)) {
    if (contents.has(buffer.id)) continue;
    const elements = elementsOf(buffer, rows);
    const { place } = buffer;
    if (place.kind === 'activation') contents.set(buffer.id, new Float64Array(elements).fill(NaN));
    else contents.set(buffer.id, arenas[place.kind].subarray(place.offset, place.offset + elements));
  }
  return contents;
}

export function runReferences(calls: readonly Call[], contents: ReferenceContents, context: CallContext): void {
  for (const call of calls) runReference(call, contents, context);
}

/**
 * A whole training step in float64: forward, backward, and what `optimizerCalls` says; the arenas are changed.
 * @returns the mean loss of the batch's targets, and the gradients' norm before clipping
 */
export function referenceStep(
  plan: Plan,
  optimizer: { calls: readonly Call[]; norm: Buffer },
  arenas: ReferenceArenas,
  context: CallContext,
): { loss: number; gradientNorm: number } {
  if (!plan.loss) throw new Error('referenceStep: the plan is one for inference');
  const calls = [...plan.forward, ...plan.backward, ...optimizer.calls];
  const contents = referenceContents(calls, arenas, context.batch.count);
  runReferences(calls, contents, context);
  return { loss: meanLoss(plan, contents, context), gradientNorm: contents.get(optimizer.norm.id)![0] };
}

/** Mean loss of the batch's targets after a plan's forward calls. */
export function meanLoss(plan: Plan, contents: ReferenceContents, { batch }: CallContext): number {
  return contents.get(plan.loss!.id)!.reduce((sum, value) => sum + value, 0) / batch.targetCount;
}

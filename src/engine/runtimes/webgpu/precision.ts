import type { Buffer } from '../../plan/plan.ts';
import type { DeviceCall } from '../../plan/fuse.ts';

/**
 * What the losses of a step are multiplied by in mixed precision, so that the gradients of activations are neither too
 * small for a half nor too large. The gradient of the sum of the losses is taken, times this, and not that of their mean:
 * a token's gradients then have the same size in a batch of ten tokens and of ten thousand. A constant, and a power of
 * two, so that nothing is to be kept from step to step: a resumed run goes on as it would have, which a scale that grows
 * until something overflows and falls back would have to be saved for.
 *
 * Why 256: of small GPT-2, Qwen3 and LSTM, at first and after sixty steps, no token's gradient of an activation was above
 * 5.3, a 48th of the largest half, and in every buffer 99 of 100 were above 1.8e-6, seven times the smallest half that has
 * all its digits (docs/log.md).
 */
export const LOSS_SCALE = 256;

/** Fields, of whatever call, whose buffers keep 32 bits: one number a row or a head, read with all its digits. */
const precise = ['statistics', 'logSum', 'loss', 'cells'];

/**
 * The rule of mixed precision: every buffer with a row a token is kept in halves, but those that no kernel can or should
 * keep so. Weights, their gradients, moments and Muon's workspace have no such rows and keep 32 bits.
 */
function keepsAll(call: DeviceCall): Buffer[] {
  const named = Object.entries(call)
    .filter(([field]) => precise.includes(field))
    .map(([, buffer]) => buffer as Buffer);
  // A kernel that writes element by element cannot write halves, two of which share a word: that is so where the parts
  // of a row do not begin at multiples of four.
  const odd = (columns: number, written: Buffer) => (columns % 4 === 0 ? [] : [written]);
  switch (call.kernel) {
    case 'linear':
      return call.norm ? [call.norm.statistics] : [];
    case 'weightGradients':
      return [
        ...call.products.flatMap(({ norm }) => norm?.statistics ?? []),
        ...call.norms.map((one) => one.statistics),
      ];
    case 'attention':
      return [...named, ...odd(call.out.columns / call.heads, call.out)];
    case 'attentionGradient':
      return [...named, ...odd(call.out.columns / call.heads, call.dQkv)];
    case 'rotary':
      return [...named, ...odd(call.queryWeight.columns / 2, call.out)];
    case 'rotaryGradient':
      return [...named, ...odd(call.queryWeight.columns / 2, call.dQkv)];
    case 'gatedUnitGradient':
      return odd(call.dOut.columns, call.dGateUp);
    case 'shortConvolutionGradient':
      return odd(call.dOut.columns, call.dBcx);
    // An LSTM's threads have single units, and its states go through as many roundings as a row has tokens.
    case 'recurrence':
      return [...named, call.gates, call.out];
    case 'recurrenceGradient':
      return [...named, call.dGates];
    default:
      return named;
  }
}

/** The same calls, their buffers marked that are kept in halves. */
export function inHalves(calls: readonly DeviceCall[]): DeviceCall[] {
  const kept = new Set(calls.flatMap(keepsAll).map(({ id }) => id));
  const marked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(marked);
    if (typeof value !== 'object' || value === null) return value;
    if (!('place' in value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, marked(one)]));
    const buffer = value as Buffer;
    const half = buffer.rows === 'tokens' && buffer.place.kind === 'activation' && !kept.has(buffer.id);
    return half ? { ...buffer, half } : buffer;
  };
  return calls.map((call) => marked(call) as DeviceCall);
}

/** Ids of the buffers of calls that are kept in halves. */
export function halvesOf(calls: readonly DeviceCall[]): Set<number> {
  const found = new Set<number>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('place' in value) {
      const buffer = value as Buffer;
      if (buffer.half) found.add(buffer.id);
    } else Object.values(value).forEach(visit);
  };
  calls.forEach(visit);
  return found;
}

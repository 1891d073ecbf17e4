import { buffersOf } from './layout.ts';
import type { Buffer, Call, Linear, Norm, NormWeightGradient, ShiftWeightGradient, WeightGradient } from './plan.ts';

/** A linear map that normalises its input's rows as it reads them; `x` is what the norm reads. */
export interface NormedLinear extends Linear {
  norm: Norm | null;
}

/** A weight gradient that normalises its input anew, so that the normalised rows are never stored. */
export interface NormedWeightGradient extends WeightGradient {
  norm: Norm | null;
}

/** All gradients of weights in one dispatch, however many layers. */
export interface WeightGradients {
  kernel: 'weightGradients';
  products: NormedWeightGradient[];
  norms: NormWeightGradient[];
  shifts: ShiftWeightGradient[];
}

const noGradients = (): WeightGradients => ({ kernel: 'weightGradients', products: [], norms: [], shifts: [] });

export type DeviceCall =
  | Exclude<Call, Linear | WeightGradient | NormWeightGradient | ShiftWeightGradient>
  | NormedLinear
  | WeightGradients;

/** The plan's calls one for one, nothing fused: for single kernels. */
export function asDeviceCall(call: Call): DeviceCall {
  if (call.kernel === 'linear') return { ...call, norm: null };
  if (call.kernel === 'weightGradient') return { ...noGradients(), products: [{ ...call, norm: null }] };
  if (call.kernel === 'normWeightGradient') return { ...noGradients(), norms: [call] };
  if (call.kernel === 'shiftWeightGradient') return { ...noGradients(), shifts: [call] };
  return call;
}

/**
 * Fewer and larger dispatches for the same values. Norms vanish into the linear maps that read them, and gradients of
 * weights are put off until one dispatch computes them all, unless something would overwrite what they read or write.
 * @param persistent buffers that are read after the list
 */
export function fuse(calls: readonly Call[], persistent: readonly Buffer[]): DeviceCall[] {
  const norms = inlineNorms(calls, persistent);
  const fused: DeviceCall[] = [];
  let waiting = noGradients();
  const flush = () => {
    if (waiting.products.length + waiting.norms.length + waiting.shifts.length > 0) fused.push(waiting);
    waiting = noGradients();
  };
  for (const call of calls) {
    if (call.kernel === 'norm' && norms.has(call.out.id)) continue;
    if (call.kernel === 'weightGradient') {
      const norm = norms.get(call.x.id) ?? null;
      waiting.products.push({ ...call, x: norm?.x ?? call.x, norm });
    } else if (call.kernel === 'normWeightGradient') waiting.norms.push(call);
    else if (call.kernel === 'shiftWeightGradient') waiting.shifts.push(call);
    else {
      if (disturbs(call, waiting)) flush();
      if (call.kernel === 'linear') {
        const norm = norms.get(call.x.id) ?? null;
        fused.push({ ...call, x: norm?.x ?? call.x, norm });
      } else fused.push(call);
    }
  }
  flush();
  return fused;
}

/** Norms, by what they write, that nobody reads but linear maps and the gradients of their weights. */
function inlineNorms(calls: readonly Call[], persistent: readonly Buffer[]): Map<number, Norm> {
  const norms = new Map<number, Norm>();
  for (const call of calls) if (call.kernel === 'norm') norms.set(call.out.id, call);
  for (const { id } of persistent) norms.delete(id);
  for (const call of calls)
    for (const { field, buffer } of buffersOf(call)) {
      const reads = call.kernel === 'norm' && norms.get(buffer.id) === call;
      const linear = (call.kernel === 'linear' || call.kernel === 'weightGradient') && field === 'x';
      if (!reads && !linear) norms.delete(buffer.id);
    }
  // The rows that a norm reads must still be there where the linear map comes.
  for (const norm of norms.values()) {
    const from = calls.indexOf(norm);
    const last = calls.findLastIndex((call) => buffersOf(call).some(({ buffer }) => buffer.id === norm.out.id));
    const written = calls
      .slice(from + 1, last + 1)
      .some((call) => buffersOf(call).some(({ buffer, written }) => written && buffer.id === norm.x.id));
    if (written) norms.delete(norm.out.id);
  }
  return norms;
}

/** Whether a call writes what waiting gradients read or write, or reads what they write. */
function disturbs(call: Call, { products, norms, shifts }: WeightGradients): boolean {
  const waiting = [...products, ...norms, ...shifts].flatMap((one) => {
    const norm = 'norm' in one && one.norm ? [one.norm.statistics, one.norm.weight] : [];
    return [...buffersOf(one), ...norm.map((buffer) => ({ buffer, written: false }))];
  });
  return buffersOf(call).some(({ buffer, written }) =>
    waiting.some((other) => (written || other.written) && same(buffer, other.buffer)),
  );
}

/** Arenas hold whole optimiser states, so any two views of one arena that begin apart may still meet. */
function same(a: Buffer, b: Buffer): boolean {
  if (a.place.kind === 'activation' || b.place.kind === 'activation') return a.id === b.id;
  if (a.place.kind !== b.place.kind) return false;
  const end = (buffer: Buffer & { place: { offset: number } }) =>
    buffer.place.offset + Number(buffer.rows) * buffer.columns;
  const [x, y] = [a, b] as (Buffer & { place: { offset: number } })[];
  return x.place.offset < end(y) && y.place.offset < end(x);
}

import type { TrainEvent } from '../../../../workers/train/protocol.ts';

type KernelTimes = NonNullable<Extract<TrainEvent, { kind: 'speed' }>['kernels']>;

/** In the order in which they are drawn: it never changes, so that each keeps its place and its colour. */
const purposes = [
  'matrix products',
  'weight gradients',
  'attention',
  'recurrence',
  'optimiser',
  'norms',
  'gates',
  'other',
] as const;
type Purpose = (typeof purposes)[number];

/**
 * What a kernel is for, by the names of the plan's calls (WASM) and of launches (WebGPU), where some are fused. Those
 * that are not named here (embeddings, positions, the loss) never take long: other work.
 */
const purposeOf: Readonly<Record<string, Purpose>> = {
  linear: 'matrix products',
  'norm and linear': 'matrix products',
  linearGradient: 'matrix products',
  'linear gradient': 'matrix products',
  weightGradient: 'weight gradients',
  // One launch, those of norms among them.
  'weight gradients': 'weight gradients',
  attention: 'attention',
  attentionGradient: 'attention',
  'attention gradient': 'attention',
  recurrence: 'recurrence',
  recurrenceGradient: 'recurrence',
  'recurrence gradient': 'recurrence',
  previousRows: 'recurrence',
  'previous rows': 'recurrence',
  gradientNorm: 'optimiser',
  'gradient norm': 'optimiser',
  adamw: 'optimiser',
  AdamW: 'optimiser',
  muon: 'optimiser',
  'Muon momentum': 'optimiser',
  'Muon norms': 'optimiser',
  'Muon products': 'optimiser',
  'Muon update': 'optimiser',
  norm: 'norms',
  normGradient: 'norms',
  'norm gradient': 'norms',
  normWeightGradient: 'norms',
  gatedUnit: 'gates',
  'gated unit': 'gates',
  gatedUnitGradient: 'gates',
  'gated unit gradient': 'gates',
};

export interface KernelGroup {
  name: Purpose;
  /** Of the whole, above 0 and at most 1. */
  share: number;
}

/** Shares of the time by purpose. */
export function kernelGroups(times: KernelTimes): KernelGroup[] {
  const sums = new Map<Purpose, number>();
  let total = 0;
  for (const { name, milliseconds } of times) {
    const purpose = purposeOf[name] ?? 'other';
    sums.set(purpose, (sums.get(purpose) ?? 0) + milliseconds);
    total += milliseconds;
  }
  if (total === 0) return [];
  return purposes.map((name) => ({ name, share: (sums.get(name) ?? 0) / total })).filter(({ share }) => share > 0);
}

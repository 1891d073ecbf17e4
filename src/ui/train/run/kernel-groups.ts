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
 * What a kernel is for, by the names of launches (WebGPU), where some are fused, and of the plan's calls (WASM) in words.
 * Those that are not named here (embeddings, positions, the loss) never take long: other work.
 */
const purposeOf: Readonly<Record<string, Purpose>> = {
  linear: 'matrix products',
  'norm and linear': 'matrix products',
  'linear gradient': 'matrix products',
  'weight gradient': 'weight gradients',
  // One launch, those of norms among them.
  'weight gradients': 'weight gradients',
  attention: 'attention',
  'attention gradient': 'attention',
  recurrence: 'recurrence',
  'recurrence gradient': 'recurrence',
  'previous rows': 'recurrence',
  'gradient norm': 'optimiser',
  adamw: 'optimiser',
  AdamW: 'optimiser',
  muon: 'optimiser',
  'Muon momentum': 'optimiser',
  'Muon norms': 'optimiser',
  'Muon products': 'optimiser',
  'Muon update': 'optimiser',
  norm: 'norms',
  'norm gradient': 'norms',
  'norm weight gradient': 'norms',
  'gated unit': 'gates',
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
    const purpose = purposeOf[inWords(name)] ?? 'other';
    sums.set(purpose, (sums.get(purpose) ?? 0) + milliseconds);
    total += milliseconds;
  }
  if (total === 0) return [];
  return purposes.map((name) => ({ name, share: (sums.get(name) ?? 0) / total })).filter(({ share }) => share > 0);
}

/** "linearGradient" as "linear gradient". */
function inWords(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);
}

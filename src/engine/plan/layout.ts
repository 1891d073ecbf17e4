import type { Buffer, Call } from './plan.ts';

/** Which fields of a call are written; `logits` and `gates` are read first. */
const outputs: { [K in Call['kernel']]: readonly string[] } = {
  embed: ['out'],
  embedGradient: ['dTokens', 'dPositions', 'dSlots'],
  norm: ['out', 'statistics'],
  normGradient: ['dX'],
  normWeightGradient: ['dWeight', 'dBias'],
  linear: ['out', 'before'],
  linearGradient: ['dX'],
  weightGradient: ['dWeight', 'dBias', 'dBias2'],
  dropout: ['out'],
  attention: ['out', 'logSum'],
  attentionGradient: ['dQkv'],
  rotary: ['out', 'statistics'],
  rotaryGradient: ['dQkv'],
  rotaryWeightGradient: ['dQueryWeight', 'dKeyWeight'],
  gatedUnit: ['out'],
  gatedUnitGradient: ['dGateUp'],
  crossEntropy: ['logits', 'loss'],
  recurrence: ['gates', 'out', 'cells'],
  recurrenceGradient: ['dGates'],
  previousRows: ['out'],
  shift: ['out'],
  shiftGradient: ['dX'],
  shiftWeightGradient: ['dWeight'],
  shortConvolution: ['out'],
  shortConvolutionGradient: ['dBcx'],
  shortConvolutionWeightGradient: ['dWeight'],
  gradientNorm: ['norm'],
  adamw: ['weights', 'first', 'second'],
  muon: ['weights', 'first'],
};

const isBuffer = (value: unknown): value is Buffer =>
  typeof value === 'object' && value !== null && 'place' in value && 'columns' in value;

/** The buffers of a call by field, written ones marked. */
export function buffersOf(call: Call): { field: string; buffer: Buffer; written: boolean }[] {
  const written = outputs[call.kernel];
  return Object.entries(call)
    .filter(([, value]) => isBuffer(value))
    .map(([field, value]) => ({ field, buffer: value as Buffer, written: written.includes(field) }));
}

export interface Layout {
  /** Where each activation starts, by buffer id, in float32 elements. */
  offsets: Map<number, number>;
  /** Elements that all activations need together. */
  length: number;
}

/**
 * Places the activations of a list of calls so that those which are never needed at the same time share memory: in the
 * order of first use, each at the lowest place that is free over its whole life (Pisarchyk and Lee 2020, "Efficient
 * Memory Management for Deep Neural Net Inference", greedy in order of execution).
 * @param capacity rows that stand for 'tokens'
 * @param persistent buffers that must outlive the list
 * @param alignment in elements
 */
export function layOut(
  calls: readonly Call[],
  capacity: number,
  persistent: readonly Buffer[],
  alignment: number,
): Layout {
  const lives = new Map<number, { buffer: Buffer; from: number; to: number }>();
  calls.forEach((call, at) => {
    for (const { buffer } of buffersOf(call)) {
      if (buffer.place.kind !== 'activation') continue;
      const life = lives.get(buffer.id);
      if (life) life.to = at;
      else lives.set(buffer.id, { buffer, from: at, to: at });
    }
  });
  for (const { id } of persistent) {
    const life = lives.get(id);
    // Rows kept from run to run must be safe from calls before their own, too.
    if (life) Object.assign(life, { from: 0, to: calls.length });
  }

  const sizeOf = (buffer: Buffer) =>
    Math.ceil(((buffer.rows === 'tokens' ? capacity : buffer.rows) * buffer.columns) / alignment) * alignment;
  const offsets = new Map<number, number>();
  const placed: { start: number; end: number; from: number; to: number }[] = [];
  let length = 0;
  for (const { buffer, from, to } of lives.values()) {
    const rivals = placed.filter((other) => other.from <= to && other.to >= from).sort((a, b) => a.start - b.start);
    const size = sizeOf(buffer);
    let start = 0;
    for (const rival of rivals) {
      if (rival.start - start >= size) break;
      start = Math.max(start, rival.end);
    }
    placed.push({ start, end: start + size, from, to });
    offsets.set(buffer.id, start);
    length = Math.max(length, start + size);
  }
  return { offsets, length };
}

import { seededRandom, type Random } from '../../base/random.ts';
import type { OptimizerSettings } from '../engine.ts';
import { elementsOf, type CallContext, type Contents } from '../plan/kernel-device.ts';
import { buffersOf } from '../plan/layout.ts';
import { emptyBatch, SEGMENT_FIELDS, type PackedBatch } from '../plan/pack.ts';
import type { Buffer, Call } from '../plan/plan.ts';
import { runReference } from './run-reference.ts';

/** One call with everything that it reads, made when it is first read; what it writes holds noise before. */
export interface ParityCase {
  name: string;
  call: Call;
  readonly contents: Contents;
  context: CallContext;
}

export interface CaseOptions {
  batch: PackedBatch;
  optimizer?: Partial<OptimizerSettings>;
  step?: number;
  /** Calls whose references make the contents that this one reads, such as the statistics of a norm. */
  after?: Call[];
  /** Other contents than standard normal ones. */
  fill?: [Buffer, (random: Random) => number][];
}

const optimizerOfCases: OptimizerSettings = {
  learningRate: 0.1,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  weightDecay: 0,
  clipNorm: 0,
  muon: null,
};

/** Rows of a `tokens` buffer that a batch needs: those before its first are history. */
export const rowsOf = (batch: PackedBatch): number => batch.firstRow + batch.count;

export function parityCase(name: string, call: Call, options: CaseOptions): ParityCase {
  const { batch, optimizer, step = 1, after = [], fill = [] } = options;
  const context: CallContext = { batch, optimizer: { ...optimizerOfCases, ...optimizer }, step, seed: 2 ** 40 + 12345 };
  let contents: Contents | null = null;
  return {
    ...{ name: `${call.kernel}, ${name}`, call, context },
    get contents() {
      return (contents ??= contentsOf(call, name, context, after, fill));
    },
  };
}

function contentsOf(
  call: Call,
  name: string,
  context: CallContext,
  after: Call[],
  fill: [Buffer, (random: Random) => number][],
): Contents {
  const random = seededRandom('parity', call.kernel, name);
  const made = new Map<number, Float64Array>();
  for (const { buffer } of [...after, call].flatMap(buffersOf)) {
    if (made.has(buffer.id)) continue;
    const draw = fill.find(([filled]) => filled.id === buffer.id)?.[1] ?? ((random: Random) => random.normal());
    made.set(
      buffer.id,
      Float64Array.from({ length: elementsOf(buffer, rowsOf(context.batch)) }, () => draw(random)),
    );
  }
  // Every call reads what a device would: numbers that fit float32.
  const round = () => made.forEach((values) => values.set(Float32Array.from(values)));
  round();
  for (const earlier of after) {
    runReference(earlier, made, context);
    round();
  }
  const contents: Contents = new Map();
  for (const { buffer } of buffersOf(call)) contents.set(buffer.id, Float32Array.from(made.get(buffer.id)!));
  return contents;
}

let ids = 0;

/** A buffer with a row a token. */
export function tokens(columns: number): Buffer {
  return { id: ids++, name: `tokens x ${columns}`, rows: 'tokens', columns, place: { kind: 'activation' } };
}

export function matrix(rows: number, columns: number): Buffer {
  return { id: ids++, name: `${rows} x ${columns}`, rows, columns, place: { kind: 'activation' } };
}

/** One segment of a batch: its length, and where its history begins and how long it is. */
type Segment = [length: number, historyFirst?: number, history?: number];

/**
 * Tokens, slots and targets drawn below `vocabulary` and `slots`, every fifth target missing. Segment i stands in
 * row i of a padded batch of `columns`.
 */
export function batchOf(
  segments: Segment[],
  { vocabulary = 77, slots = 10, firstRow = 0, columns = 72 }: Partial<Record<string, number>> = {},
): PackedBatch {
  const count = segments.reduce((sum, [length]) => sum + length, 0);
  const random = seededRandom('parity batch', count, vocabulary);
  const batch = { ...emptyBatch(count, segments.length), firstRow, rows: segments.length, columns };
  let n = 0;
  segments.forEach(([length, historyFirst = 0, history = 0], s) => {
    batch.segments.set([firstRow + n, length, historyFirst, history], SEGMENT_FIELDS * s);
    for (let t = 0; t < length; t++, n++) {
      batch.tokens[n] = random.below(vocabulary);
      batch.positions[n] = history + t;
      batch.slots[n] = random.below(slots);
      batch.targets[n] = n % 5 === 4 ? -1 : random.below(vocabulary);
      batch.padded[n] = s * columns + t;
    }
  });
  batch.targetCount = Math.max(1, batch.targets.filter((target) => target >= 0).length);
  return batch;
}

/** One token, one row, rows of all lengths, and rows longer than any tile of a kernel. */
export const batches = {
  'one token': batchOf([[1]], { columns: 1 }),
  'one row': batchOf([[7]]),
  'several rows': batchOf([[13], [1], [19], [2], [7]], { columns: 20 }),
  'long rows': batchOf([[69], [1], [33], [5], [64], [16]]),
};

/** As in inference: sequences that go on from rows of before, alone or several from the same. */
export const batchWithHistory = batchOf([[4, 0, 6], [1, 2, 5], [3, 6, 3], [1], [1, 0, 9], [1, 0, 9], [18, 1, 7]], {
  firstRow: 9,
});

export const namedBatches = Object.entries(batches);

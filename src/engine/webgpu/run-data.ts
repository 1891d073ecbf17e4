import type { SlotGrammar } from '../../base/slot-grammar.ts';
import { seedHash } from '../dropout-mask.ts';
import type { CallContext } from '../plan/kernel-device.ts';
import { SEGMENT_FIELDS, type PackedBatch } from '../plan/pack.ts';
import type { Size } from './launch.ts';

/** Queries (or keys) of one workgroup of the attention kernels. */
export const BLOCK = 64;
/** Words a launch may have. */
export const WORDS = 32;

/** Fields of the uniform `run`, in their order; all are four bytes. */
const integers = [
  'firstRow',
  'count',
  'segments',
  'targets',
  'rows',
  'columns',
  'seed',
  'positionsAt',
  'slotsAt',
  'targetsAt',
  'paddedAt',
  'segmentsAt',
  'blocksAt',
  'startsAt',
  'orderAt',
  'validAt',
] as const;
const reals = [
  'learningRate',
  'beta1',
  'beta2',
  'epsilon',
  'weightDecay',
  'clipNorm',
  'correction1',
  'correction2',
  'muonRate',
  'muonMomentum',
  'muonDecay',
  // 1 - beta, taken before rounding to 32 bits.
  'take1',
  'take2',
  'muonTake',
] as const;

export const RUN_BYTES = 4 * (integers.length + reals.length);

/** What every shader begins with: the run's figures, the batch's arrays, the launch's words. */
export const header = `
struct Run {
${integers.map((name) => `  ${name}: u32,`).join('\n')}
${reals.map((name) => `  ${name}: f32,`).join('\n')}
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> batch: array<i32>;
@group(0) @binding(2) var<uniform> words: array<vec4u, ${WORDS / 4}>;
`;

/** Rows of the tables that an embedding gradient writes. */
export interface TableRows {
  vocabulary: number;
  /** 0 where there is no such table. */
  positions: number;
  slots: number;
}

/**
 * Integers that a batch of this size takes at most.
 * @param validWords words of a set of valid tokens; 0 where batches have none
 */
export function batchLength(capacity: number, { vocabulary, positions, slots }: TableRows, validWords: number): number {
  return capacity * (5 + SEGMENT_FIELDS + 2 + 3 + validWords) + vocabulary + positions + slots + 1;
}

/** A run's figures and arrays as they are uploaded. */
export interface RunData {
  run: ArrayBuffer;
  batch: Int32Array<ArrayBuffer>;
  size: Size;
}

/**
 * The batch's arrays end to end: tokens, positions, slots, targets, padded; segments; blocks of queries, (segment,
 * first query) each; in training, which tokens meet in each row of the embedding tables (`listsOf`); and the sets of
 * valid tokens where the batch has them (`validAt` is 0 where it has none, since tokens come first).
 */
export function runData({ batch, optimizer, step, seed }: CallContext, tables: TableRows | null): RunData {
  const { count, segments } = batch;
  const blocks = blocksOf(segments);
  const lists = tables ? listsOf(batch, tables) : null;
  const parts = [batch.tokens, batch.positions, batch.slots, batch.targets, batch.padded, segments, blocks];
  if (lists) parts.push(lists.starts, lists.order);
  if (batch.valid) parts.push(batch.valid);
  const offsets: number[] = [];
  let length = 0;
  for (const part of parts) {
    offsets.push(length);
    length += part.length;
  }
  const all = new Int32Array(length);
  parts.forEach((part, i) => all.set(part, offsets[i]));

  const run = new ArrayBuffer(RUN_BYTES);
  const validAt = batch.valid ? offsets.pop()! : 0;
  const [, ...after] = offsets;
  const segmentCount = segments.length / SEGMENT_FIELDS;
  new Uint32Array(run).set([
    ...[batch.firstRow, count, segmentCount, batch.targetCount, batch.rows, batch.columns, seedHash(seed)],
    ...after,
  ]);
  new Uint32Array(run)[integers.indexOf('validAt')] = validAt;
  const { muon } = optimizer;
  new Float32Array(run, 4 * integers.length).set([
    ...[optimizer.learningRate, optimizer.beta1, optimizer.beta2, optimizer.epsilon, optimizer.weightDecay],
    ...[optimizer.clipNorm, 1 - optimizer.beta1 ** step, 1 - optimizer.beta2 ** step],
    ...[muon?.learningRate ?? 0, muon?.momentum ?? 0, muon?.weightDecay ?? 0],
    ...[1 - optimizer.beta1, 1 - optimizer.beta2, 1 - (muon?.momentum ?? 0)],
  ]);
  return { run, batch: all, size: { count, segments: segmentCount, blocks: blocks.length / 2 } };
}

function blocksOf(segments: Int32Array): Int32Array {
  const blocks: number[] = [];
  for (let segment = 0; segment < segments.length / SEGMENT_FIELDS; segment++)
    for (let first = 0; first < segments[SEGMENT_FIELDS * segment + 1]; first += BLOCK) blocks.push(segment, first);
  return Int32Array.from(blocks);
}

/**
 * For each row of the tables, tokens' first, then positions', then slots': the packed tokens that look it up, in their
 * order. Row r has order[starts[r]] to order[starts[r + 1] - 1].
 */
function listsOf({ tokens, positions, slots, count }: PackedBatch, tables: TableRows) {
  const rows = tables.vocabulary + tables.positions + tables.slots;
  const starts = new Int32Array(rows + 1);
  const keys: [Int32Array, number][] = [[tokens, 0]];
  if (tables.positions) keys.push([positions, tables.vocabulary]);
  if (tables.slots) keys.push([slots, tables.vocabulary + tables.positions]);
  for (const [values, first] of keys) for (const value of values) starts[first + value + 1]++;
  for (let row = 0; row < rows; row++) starts[row + 1] += starts[row];
  const next = starts.slice();
  const order = new Int32Array(keys.length * count);
  for (const [values, first] of keys) values.forEach((value, token) => (order[next[first + value]++] = token));
  return { starts, order };
}

/** Which embedding tables a model has. */
export function tableRows(model: {
  vocabulary: number;
  context: number;
  kind: string;
  slots?: SlotGrammar | null;
}): TableRows {
  return {
    vocabulary: model.vocabulary,
    positions: model.kind === 'gpt2' ? model.context : 0,
    slots: model.slots?.count ?? 0,
  };
}

import type { SlotGrammar } from '../../base/slot-grammar.ts';
import { seedHash } from '../plan/dropout-mask.ts';
import type { CallContext } from '../plan/kernel-device.ts';
import { SEGMENT_FIELDS, type PackedBatch } from '../plan/pack.ts';
import type { Size } from './launch.ts';
import { f32, Struct, u32 } from './struct.ts';

/** Queries (or keys) of one workgroup of the attention kernels. */
export const BLOCK = 64;
/** Words a launch may have. */
export const WORDS = 32;

/** The uniform `run`: sizes, and where each array of the batch begins. */
export const Run = new Struct('Run', {
  ...u32('firstRow', 'count', 'segments', 'targets', 'rows', 'columns', 'seed'),
  ...u32('positionsAt', 'slotsAt', 'targetsAt', 'paddedAt', 'segmentsAt', 'blocksAt', 'startsAt', 'orderAt', 'validAt'),
  ...f32('learningRate', 'beta1', 'beta2', 'epsilon', 'weightDecay', 'clipNorm', 'correction1', 'correction2'),
  ...f32('muonRate', 'muonMomentum', 'muonDecay', 'validWeight'),
  // 1 - beta, taken before rounding to 32 bits.
  ...f32('take1', 'take2', 'muonTake'),
});

/** What every shader begins with: the run's figures, the batch's arrays, its segments and blocks of queries. */
export const header = `
${Run.declaration}
struct Segment {
  start: u32,
  length: u32,
  historyStart: u32,
  history: u32,
}
struct Block {
  segment: u32,
  /** Its first query. */
  first: u32,
}
@group(0) @binding(0) var<uniform> run: Run;
@group(0) @binding(1) var<storage, read> batch: array<i32>;
fn segmentOf(index: u32) -> Segment {
  let at = run.segmentsAt + 4u * index;
  return Segment(u32(batch[at]), u32(batch[at + 1u]), u32(batch[at + 2u]), u32(batch[at + 3u]));
}
fn blockOf(index: u32) -> Block {
  let at = run.blocksAt + 2u * index;
  return Block(u32(batch[at]), u32(batch[at + 1u]));
}
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
  run: Uint32Array<ArrayBuffer>;
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

  const validAt = batch.valid ? offsets.pop()! : 0;
  const [, positionsAt, slotsAt, targetsAt, paddedAt, segmentsAt, blocksAt, startsAt = 0, orderAt = 0] = offsets;
  const segmentCount = segments.length / SEGMENT_FIELDS;
  const { learningRate, beta1, beta2, epsilon, weightDecay, clipNorm, muon } = optimizer;
  const { momentum = 0 } = muon ?? {};
  const run = Run.pack([
    {
      ...{ firstRow: batch.firstRow, count, segments: segmentCount, targets: batch.targetCount },
      ...{ rows: batch.rows, columns: batch.columns, seed: seedHash(seed) },
      ...{ positionsAt, slotsAt, targetsAt, paddedAt, segmentsAt, blocksAt, startsAt, orderAt, validAt },
      ...{ learningRate, beta1, beta2, epsilon, weightDecay, clipNorm },
      ...{ correction1: 1 - beta1 ** step, correction2: 1 - beta2 ** step, take1: 1 - beta1, take2: 1 - beta2 },
      ...{ muonRate: muon?.learningRate ?? 0, muonMomentum: momentum, muonDecay: muon?.weightDecay ?? 0 },
      validWeight: batch.validWeight,
      muonTake: 1 - momentum,
    },
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

import { slotsOf, type SlotGrammar } from '../../base/slot-grammar.ts';
import { emptyBatch, SEGMENT_FIELDS, type PackedBatch } from './pack.ts';

/** A segment of an inference run: tokens at the end of a sequence whose beginning may be in the buffers already. */
export interface Segment {
  /** The sequence from its beginning, history included. */
  sequence: readonly number[];
  /** Tokens of it that are history. */
  known: number;
  /** Row of the history's first token. */
  historyAt: number;
}

/** Each leaf as a sequence of its own behind the prefix's rows. */
export function leafSegments(prefix: readonly number[], leaves: readonly number[], historyAt: number): Segment[] {
  return leaves.map((leaf) => ({ sequence: [...prefix, leaf], known: prefix.length, historyAt }));
}

/** Segments one after the other from `firstRow`. */
export function packSegments(segments: readonly Segment[], firstRow: number, grammar: SlotGrammar | null): PackedBatch {
  const count = segments.reduce((sum, { sequence, known }) => sum + sequence.length - known, 0);
  const packed = emptyBatch(count, segments.length);
  packed.firstRow = firstRow;
  let at = 0;
  segments.forEach(({ sequence, known, historyAt }, s) => {
    const length = sequence.length - known;
    const slots = grammar && slotsOf(grammar, sequence).slots;
    for (let i = 0; i < length; i++) {
      packed.tokens[at + i] = sequence[known + i];
      packed.positions[at + i] = known + i;
      if (slots) packed.slots[at + i] = slots[known + i];
    }
    packed.segments.set([firstRow + at, length, historyAt, known], SEGMENT_FIELDS * s);
    at += length;
  });
  return packed;
}

/** A batch in parts of whole segments, each of at most `most` tokens where its segments are no longer. */
export function* partsOf(batch: PackedBatch, most: number): Generator<PackedBatch> {
  const { segments } = batch;
  const all = segments.length / SEGMENT_FIELDS;
  for (let first = 0; first < all;) {
    const start = segments[SEGMENT_FIELDS * first];
    let last = first;
    let end = start;
    while (last < all && (end === start || end + segments[SEGMENT_FIELDS * last + 1] - start <= most))
      end += segments[SEGMENT_FIELDS * last++ + 1];
    const part = (array: Int32Array) => array.slice(start, end);
    yield {
      ...batch,
      count: end - start,
      tokens: part(batch.tokens),
      positions: part(batch.positions),
      slots: part(batch.slots),
      targets: part(batch.targets),
      padded: part(batch.padded),
      segments: segments
        .slice(SEGMENT_FIELDS * first, SEGMENT_FIELDS * last)
        .map((value, i) => (i % SEGMENT_FIELDS === 0 ? value - start : value)),
    };
    first = last;
  }
}

/** Logarithm of the sum of exponentials. */
export function logSumExp(values: Float32Array): number {
  let most = -Infinity;
  // By index: an iterator takes three times as long, and scores ask this of every token.
  for (let i = 0; i < values.length; i++) if (values[i] > most) most = values[i];
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += Math.exp(values[i] - most);
  return Math.log(sum) + most;
}

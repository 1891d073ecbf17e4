import type { Buffer } from '../plan/plan.ts';

/**
 * A reference is a call in float64, written in the plainest way there is: it defines what the call computes, and every
 * device's kernel is held to it (parity.ts). References write into the outputs' arrays.
 * Contents by buffer id, row-major; `tokens` rows count from row 0 of the buffer, whatever the batch's first row.
 */
export type ReferenceContents = ReadonlyMap<number, Float64Array>;

/** What a buffer holds; null for one that is not there. */
export function valuesOf(contents: ReferenceContents, buffer: Buffer): Float64Array;
export function valuesOf(contents: ReferenceContents, buffer: Buffer | null): Float64Array | null;
export function valuesOf(contents: ReferenceContents, buffer: Buffer | null): Float64Array | null {
  if (buffer === null) return null;
  const values = contents.get(buffer.id);
  if (!values) throw new Error(`no contents for the buffer ${buffer.name}`);
  return values;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotsOf, type SlotGrammar } from '../../base/slot-grammar.ts';
import type { Batch } from '../engine.ts';
import { packBatch, SEGMENT_FIELDS } from './pack.ts';

const grammar: SlotGrammar = { count: 3, states: 2, slot: [0, 1, 2, 0, 1, 2, 0, 1], next: [1, 1, 0, 1, 0, 0, 1, 0] };

/** Rows of tokens below 4, their true lengths, right-padded to one length or beyond it. */
const anyBatch: fc.Arbitrary<Batch> = fc
  .tuple(fc.array(fc.array(fc.nat(2), { minLength: 0, maxLength: 9 }), { minLength: 1, maxLength: 6 }), fc.nat(2))
  .map(([rows, more]) => {
    const columns = Math.max(1, ...rows.map((row) => row.length)) + more;
    const tokens = new Int32Array(rows.length * columns).fill(3);
    rows.forEach((row, i) => tokens.set(row, i * columns));
    return { tokens, rows: rows.length, columns, lengths: Int32Array.from(rows, (row) => row.length), pad: 3 };
  });

describe('packBatch', () => {
  it('keeps every token that has a target, at its place, and no other', () => {
    fc.assert(
      fc.property(anyBatch, (batch) => {
        const packed = packBatch(batch, grammar);
        const wanted: number[][] = [];
        for (let row = 0; row < batch.rows; row++) {
          const own = batch.tokens.subarray(row * batch.columns, row * batch.columns + batch.lengths[row]);
          const { slots } = slotsOf(grammar, own);
          for (let t = 0; t + 1 < own.length; t++)
            wanted.push([own[t], own[t + 1], t, row * batch.columns + t, slots[t]]);
        }
        const { tokens, targets, positions, padded, slots } = packed;
        expect(Array.from(tokens, (token, n) => [token, targets[n], positions[n], padded[n], slots[n]])).toEqual(
          wanted,
        );
        expect([packed.count, packed.targetCount, packed.firstRow]).toEqual([wanted.length, wanted.length, 0]);
        expect([packed.rows, packed.columns]).toEqual([batch.rows, batch.columns]);
      }),
    );
  });

  it('gives no target to what is only read, and keeps it', () => {
    const place = fc.array(fc.nat(1), { minLength: 120, maxLength: 120 });
    fc.assert(
      fc.property(anyBatch, place, (batch, marks) => {
        const learn = Uint8Array.from(batch.tokens, (_, at) => marks[at % marks.length]);
        const [some, all] = [packBatch({ ...batch, learn }, grammar), packBatch(batch, grammar)];
        const wanted = Array.from(all.targets, (target, n) => (learn[all.padded[n] + 1] ? target : -1));
        expect([...some.targets]).toEqual(wanted);
        expect(some.targetCount).toBe(wanted.filter((target) => target >= 0).length);
        expect({ ...some, targets: all.targets, targetCount: all.targetCount }).toEqual(all);
      }),
    );
  });

  it('makes segments that follow each other without gaps, each a row from its beginning', () => {
    fc.assert(
      fc.property(anyBatch, (batch) => {
        const { segments, count, positions } = packBatch(batch, null);
        let at = 0;
        for (let s = 0; s < segments.length; s += SEGMENT_FIELDS) {
          const [first, length, , history] = segments.subarray(s, s + SEGMENT_FIELDS);
          expect([first, history, positions[first]]).toEqual([at, 0, 0]);
          expect(length).toBeGreaterThan(0);
          at += length;
        }
        expect(at).toBe(count);
      }),
    );
  });

  it('cuts a row off where the columns end', () => {
    const tokens = Int32Array.of(1, 2, 0);
    const { count, targets } = packBatch({ tokens, rows: 1, columns: 3, lengths: Int32Array.of(8), pad: 3 }, null);
    expect([count, ...targets]).toEqual([2, 2, 0]);
  });
});

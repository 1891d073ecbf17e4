import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotsOf, type SlotGrammar } from '../../base/slot-grammar.ts';
import { batchOf, rowsOf, type Batch } from '../../base/batch.ts';
import { packBatch, SEGMENT_FIELDS } from './pack.ts';

const grammar: SlotGrammar = { count: 3, states: 2, slot: [0, 1, 2, 0, 1, 2, 0, 1], next: [1, 1, 0, 1, 0, 0, 1, 0] };

/** Rows of tokens below 4. */
const anyBatch: fc.Arbitrary<Batch> = fc
  .array(fc.array(fc.nat(3), { minLength: 0, maxLength: 20 }), { minLength: 1, maxLength: 6 })
  .map(batchOf);
const model = { context: 18, slots: grammar };
const long = { context: 64, slots: grammar };

describe('packBatch', () => {
  it('keeps every token that has a target, at its place, and no other', () => {
    fc.assert(
      fc.property(anyBatch, (batch) => {
        const packed = packBatch(batch, long);
        const rows = rowsOf(batch);
        const longest = Math.max(...rows.map(({ length }) => length));
        const columns = longest > 16 ? 32 : longest > 0 ? 16 : 0;
        const wanted: number[][] = [];
        rows.forEach((own, row) => {
          const { slots } = slotsOf(grammar, own);
          for (let t = 0; t + 1 < own.length; t++) wanted.push([own[t], own[t + 1], t, row * columns + t, slots[t]]);
        });
        const { tokens, targets, positions, padded, slots } = packed;
        expect(Array.from(tokens, (token, n) => [token, targets[n], positions[n], padded[n], slots[n]])).toEqual(
          wanted,
        );
        expect([packed.count, packed.targetCount, packed.firstRow]).toEqual([wanted.length, wanted.length, 0]);
        expect([packed.rows, packed.columns]).toEqual([rows.length, columns]);
      }),
    );
  });

  it('gives no target to what is only read, and keeps it', () => {
    const place = fc.array(fc.nat(1), { minLength: 120, maxLength: 120 });
    fc.assert(
      fc.property(anyBatch, place, (batch, marks) => {
        const learn = Uint8Array.from(batch.tokens, (_, at) => marks[at % marks.length]);
        const [some, all] = [packBatch({ ...batch, learn }, long), packBatch(batch, long)];
        const marked = rowsOf({ ...batch, tokens: Int32Array.from(learn) }).flatMap((row) => [...row.subarray(1)]);
        const wanted = Array.from(all.targets, (target, n) => (marked[n] ? target : -1));
        expect([...some.targets]).toEqual(wanted);
        expect(some.targetCount).toBe(wanted.filter((target) => target >= 0).length);
        expect({ ...some, targets: all.targets, targetCount: all.targetCount }).toEqual(all);
      }),
    );
  });

  it('makes segments that follow each other without gaps, each a row from its beginning', () => {
    fc.assert(
      fc.property(anyBatch, (batch) => {
        const { segments, count, positions } = packBatch(batch, { context: 64, slots: null });
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

  it('refuses a row that the context has no room for, and numbers no column beyond it', () => {
    const rowOf = (length: number) => batchOf([new Array<number>(length).fill(1)]);
    expect(packBatch(rowOf(17), model).columns).toBe(18);
    expect(() => packBatch(rowOf(19), model)).toThrow("a row of 19 tokens does not fit the model's context of 18");
  });
});

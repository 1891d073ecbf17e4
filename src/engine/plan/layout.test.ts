import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tinyModels } from '../../../fixtures/parity/tiny-models.ts';
import { buildPlan } from './build-plan.ts';
import { elementsOf } from './kernel-device.ts';
import { buffersOf, layOut } from './layout.ts';
import type { Buffer, Call } from './plan.ts';

/** A list of calls over a few buffers: any call of two inputs and one output will do. */
const anyCalls: fc.Arbitrary<Call[]> = fc
  .tuple(
    fc.array(fc.record({ columns: fc.integer({ min: 1, max: 9 }), fixed: fc.boolean() }), {
      minLength: 2,
      maxLength: 12,
    }),
    fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 25 }),
  )
  .map(([sizes, triples]) => {
    const buffers = sizes.map(({ columns, fixed }, id): Buffer => ({
      id,
      name: `${id}`,
      rows: fixed ? 2 : 'tokens',
      columns,
      place: { kind: 'activation' },
    }));
    const pick = (n: number) => buffers[n % buffers.length];
    return triples.map(([x, residual, out]): Call => {
      const dropout = { rate: 0.5, site: 0 };
      return { kernel: 'dropout', x: pick(x), residual: pick(residual), out: pick(out), dropout };
    });
  });

/** Pairs of buffers that are both needed at some time and yet share memory. */
function clashes(calls: readonly Call[], capacity: number, persistent: readonly Buffer[], alignment: number): string[] {
  const { offsets, length } = layOut(calls, capacity, persistent, alignment);
  const uses = new Map<Buffer, number[]>();
  calls.forEach((call, at) => {
    for (const { buffer } of buffersOf(call))
      if (buffer.place.kind === 'activation') uses.set(buffer, [...(uses.get(buffer) ?? []), at]);
  });
  const keptIds = new Set(persistent.map(({ id }) => id));
  const placed = [...uses].map(([buffer, at]) => {
    const start = offsets.get(buffer.id)!;
    const life = keptIds.has(buffer.id) ? [0, calls.length] : [at[0], at.at(-1)!];
    return { name: buffer.name, start, end: start + elementsOf(buffer, capacity), life };
  });
  const found: string[] = [];
  placed.forEach((a, i) => {
    if (a.start % alignment !== 0) found.push(`${a.name} is not aligned`);
    if (a.end > length) found.push(`${a.name} ends after all memory`);
    for (const b of placed.slice(i + 1))
      if (a.life[0] <= b.life[1] && b.life[0] <= a.life[1] && a.start < b.end && b.start < a.end)
        found.push(`${a.name} and ${b.name}`);
  });
  return found;
}

describe('layOut', () => {
  it('never puts two buffers that live at one time over each other, kept ones at any time', () => {
    fc.assert(
      fc.property(
        anyCalls,
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(1, 4, 64),
        fc.nat(),
        (calls, capacity, alignment, which) => {
          const buffers = calls.flatMap(buffersOf).map(({ buffer }) => buffer);
          expect(clashes(calls, capacity, [buffers[which % buffers.length]], alignment)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(tinyModels)('holds the whole step of $name in less memory than its buffers apart', ({ model }) => {
    const { forward, backward, buffers, loss } = buildPlan(model, true);
    const calls = [...forward, ...backward];
    expect(clashes(calls, 50, [loss!], 64)).toEqual([]);
    const apart = buffers
      .filter(({ place }) => place.kind === 'activation')
      .reduce((sum, buffer) => sum + Math.ceil(elementsOf(buffer, 50) / 64) * 64, 0);
    expect(layOut(calls, 50, [loss!], 64).length).toBeLessThan(apart);
  });

  it.each(tinyModels)('keeps the history of $name from every other call', ({ model }) => {
    const { forward, history, logits } = buildPlan(model, false);
    expect(history.length).toBeGreaterThan(0);
    expect(clashes(forward, 50, [...history, logits], 64)).toEqual([]);
  });
});

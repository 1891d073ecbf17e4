import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Heap } from './heap.ts';

it('never gives out the same byte twice, and has all of it again when everything is released', () => {
  const order = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 5000 }), keep: fc.boolean() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(order, (requests) => {
      const heap = new Heap(4096, 4096 + 64 * 10_000);
      const live: { start: number; end: number }[] = [];
      for (const { bytes, keep } of requests) {
        const start = heap.allocate(bytes);
        expect(start % 64).toBe(0);
        expect(live.every((other) => other.end <= start || other.start >= start + bytes)).toBe(true);
        live.push({ start, end: start + bytes });
        if (!keep) heap.release(live.splice(live.length >> 1, 1)[0].start);
      }
      for (const { start } of live) heap.release(start);
      expect(heap.allocations).toBe(0);
      expect(heap.allocate(64 * 10_000)).toBe(4096);
    }),
  );
});

it('says how much is missing', () => {
  const heap = new Heap(0, 1000);
  expect(() => heap.allocate(5e6)).toThrow(/need 5 MB more memory .* smaller batch, a shorter context .* WebGPU/);
  expect(() => heap.release(64)).toThrow('nothing was allocated at 64');
});

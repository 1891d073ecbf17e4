import { expect, it } from 'vitest';
import { f32, Struct, u32 } from './struct.ts';

it('declares and writes its fields in one order, each in its own type', () => {
  const struct = new Struct('Chunk', { ...u32('start', 'end'), ...f32('scale') });
  expect(struct.declaration).toBe('struct Chunk {\n  start: u32,\n  end: u32,\n  scale: f32,\n}');
  const packed = struct.pack([
    { scale: 0.5, end: 8, start: 4 },
    { start: 0xffffffff, end: 1, scale: -2 },
  ]);
  expect([...packed].filter((_, i) => i % 3 < 2)).toEqual([4, 8, 0xffffffff, 1]);
  expect([...new Float32Array(packed.buffer)].filter((_, i) => i % 3 === 2)).toEqual([0.5, -2]);
  expect(struct.bytes).toBe(12);
});

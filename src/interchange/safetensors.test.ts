import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../base/result.ts';
import { readSafetensors, writeHalfSafetensors, writeSafetensors } from './safetensors.ts';

/** A file with this header, as given, and this many bytes of data. */
function file(header: unknown, data: Uint8Array | number = 0): Uint8Array {
  const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  const body = typeof data === 'number' ? new Uint8Array(data) : data;
  const bytes = new Uint8Array(8 + text.length + body.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  bytes.set(body, 8 + text.length);
  return bytes;
}

const tensor = (dtype: string, shape: unknown, from: unknown, to: unknown) => ({
  dtype,
  shape,
  data_offsets: [from, to],
});

function messageOf(bytes: Uint8Array): string {
  const found = readSafetensors(bytes);
  return found.ok ? 'ok' : `${found.error.code}: ${found.error.message}`;
}

describe('safetensors', () => {
  it('come back as they were', () => {
    const tensors = new Map([
      ['a.weight', { shape: [2, 3], data: Float32Array.of(1, -0, NaN, Infinity, 1e-45, 3.4e38) }],
      ['empty', { shape: [0, 4], data: new Float32Array(0) }],
      ['scalar', { shape: [], data: Float32Array.of(7) }],
    ]);
    const bytes = writeSafetensors(tensors, { format: 'pt', note: 'ünïcode' });
    expect(unwrap(readSafetensors(bytes))).toEqual({ tensors, metadata: { format: 'pt', note: 'ünïcode' } });
    // The same bytes at an odd place of a larger buffer.
    const moved = new Uint8Array(bytes.length + 3);
    moved.set(bytes, 3);
    expect(unwrap(readSafetensors(moved.subarray(3))).tensors).toEqual(tensors);
  });

  it('are written so that Python reads them by the format description', () => {
    const folder = mkdtempSync(join(tmpdir(), 'safetensors-'));
    const path = join(folder, 'a.safetensors');
    writeFileSync(
      path,
      writeSafetensors(new Map([['x', { shape: [2, 2], data: Float32Array.of(0.1, -2, 3e8, 4) }]]), { k: 'v' }),
    );
    const program = `
import json, struct, sys
b = open(sys.argv[1], 'rb').read()
n = struct.unpack('<Q', b[:8])[0]
h = json.loads(b[8:8 + n])
s, e = h['x']['data_offsets']
assert (8 + n) % 8 == 0 and len(b) == 8 + n + e
print(json.dumps([h['x']['dtype'], h['x']['shape'], h['__metadata__'], struct.unpack('<4f', b[8 + n + s:8 + n + e])]))`;
    try {
      const found = JSON.parse(execFileSync('python3', ['-c', program, path], { encoding: 'utf8' }));
      expect(found).toEqual(['F32', [2, 2], { k: 'v' }, [Math.fround(0.1), -2, 3e8, 4]]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are read from half precision and bfloat16', () => {
    // IEEE 754: 1, -2, the largest half, the smallest subnormal half, infinity; then 1, -2, 3.140625, infinity.
    const half = Uint8Array.of(0x00, 0x3c, 0x00, 0xc0, 0xff, 0x7b, 0x01, 0x00, 0x00, 0x7c);
    const brain = Uint8Array.of(0x80, 0x3f, 0x00, 0xc0, 0x49, 0x40, 0x80, 0x7f);
    const bytes = file(
      { h: tensor('F16', [5], 0, 10), b: tensor('BF16', [2, 2], 10, 18) },
      Uint8Array.of(...half, ...brain),
    );
    const { tensors } = unwrap(readSafetensors(bytes));
    expect([...tensors.get('h')!.data]).toEqual([1, -2, 65504, 2 ** -24, Infinity]);
    expect([...tensors.get('b')!.data]).toEqual([1, -2, 3.140625, Infinity]);
  });

  it('are written in half precision, and named where they do not fit', () => {
    const data = Float32Array.of(1, -0, 1 / 3, 65519, -65504, Infinity, NaN, 2 ** -25);
    const bytes = unwrap(writeHalfSafetensors(new Map([['x', { shape: [2, 4], data }]]), { format: 'pt' }));
    const { tensors, metadata } = unwrap(readSafetensors(bytes));
    expect(metadata).toEqual({ format: 'pt' });
    // A third to eleven binary places; 2^-25 is half of the smallest half and goes to the even zero.
    expect([...tensors.get('x')!.data]).toEqual([1, -0, 1365 / 4096, 65504, -65504, Infinity, NaN, 0]);
    expect(new TextDecoder().decode(bytes)).toContain('"dtype":"F16"');
    for (const beyond of [65520, -1e9]) {
      const tensors = new Map([
        ['fits', { shape: [1], data: Float32Array.of(1) }],
        ['h.0.weight', { shape: [2], data: Float32Array.of(0, beyond) }],
      ]);
      expect(writeHalfSafetensors(tensors)).toMatchObject({
        ok: false,
        error: { code: 'half-overflow', message: expect.stringContaining('"h.0.weight"') },
      });
    }
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(0), /truncated/],
    ['half a length', new Uint8Array(5), /truncated/],
    ['a header longer than the file', file('{}').fill(0xff, 0, 1), /truncated/],
    ['an absurd header', new Uint8Array(16).fill(0xff), /invalid: .*header of 18446744073709551615/],
    ['no JSON', file('{"a":'), /not JSON/],
    ['broken UTF-8', file('{}').fill(0xff, 8), /not JSON/],
    ['JSON within JSON', file('['.repeat(100_000)), /invalid: .*nested more than 200 deep/],
    ['millions of values', file(`[${'1,'.repeat(2_000_001)}1]`), /over-limit: .*more than 2000000 values/],
    ['a list', file([]), /not a JSON object/],
    ['null', file('null'), /not a JSON object/],
    ['an entry that is no object', file({ x: 3 }), /"x" is not an object/],
    ['another dtype', file({ x: tensor('I64', [1], 0, 8) }, 8), /type "I64"; F32, F16 and BF16/],
    ['an inherited name as dtype', file({ x: tensor('toString', [1], 0, 4) }, 4), /type "toString"/],
    ['a negative size', file({ x: tensor('F32', [-1], 0, 4) }, 4), /shape of tensor "x"/],
    ['a size that is no number', file({ x: tensor('F32', ['1'], 0, 4) }, 4), /shape of tensor "x"/],
    ['a range backwards', file({ x: tensor('F32', [1], 4, 0) }, 4), /not a range/],
    ['a fractional range', file({ x: tensor('F32', [1], 0.5, 4.5) }, 8), /not a range/],
    ['a range that does not fit the shape', file({ x: tensor('F32', [3], 0, 8) }, 8), /needs 12 bytes and has 8/],
    [
      'sizes whose product overflows',
      file({ x: tensor('F32', [2 ** 40, 2 ** 40], 0, 8) }, 8),
      /needs .* bytes and has 8/,
    ],
    ['overlapping ranges', file({ x: tensor('F32', [2], 0, 8), y: tensor('F32', [2], 4, 12) }, 12), /overlap/],
    ['one range twice', file({ x: tensor('F32', [1], 0, 4), y: tensor('F32', [1], 0, 4) }, 4), /overlap/],
    ['a hole', file({ x: tensor('F32', [1], 4, 8) }, 8), /belong to no tensor/],
    ['bytes left over', file({ x: tensor('F32', [1], 0, 4) }, 6), /2 bytes after the last/],
    ['data cut short', file({ x: tensor('F32', [2], 0, 8) }, 7), /truncated/],
    ['metadata of numbers', file({ __metadata__: { step: 3 } }), /"step" is not a string/],
  ])('fail in words on %s', (_, bytes, message) => {
    expect(messageOf(bytes)).toMatch(message);
  });

  it('never throw, whatever the bytes', () => {
    const good = writeSafetensors(new Map([['x', { shape: [3], data: Float32Array.of(1, 2, 3) }]]), { a: 'b' });
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), fc.nat(good.length), (at, value, length) => {
        const changed = good.slice(0, length);
        if (at < length) changed[at] = value;
        readSafetensors(changed);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});

import { createReadStream } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { excerpt, sharedData } from '../../fixtures/shared-data.ts';
import { concatenated, crc32, sha256 } from './bytes.ts';
import { failureOf, InputError } from './result.ts';
import { Budget } from './budget.ts';
import { decompressed, members, textLines } from './streams.ts';
import { wholeOf } from './whole-of.ts';
import { Xxhash64 } from './xxhash64.ts';

const lichess = sharedData('data/chess/lichess-12k.pgn.zst');
const text = Array.from({ length: 3000 }, (_, i) => `line ${i} of ${(i * 2654435761) % 9973}`).join('\n') + '\n';
const plain = new TextEncoder().encode(text);

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function unpacked(bytes: Uint8Array, size = 1000): Promise<string> {
  return new TextDecoder().decode(await wholeOf(decompressed(inPieces(bytes, size), 'games'), new Budget('games')));
}
/** A zstd frame of raw blocks with a checksum (RFC 8878, sections 3.1.1.1 and 3.1.1.2). */
function zstdFrame(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [
    Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0xa4, ...new Uint8Array(Uint32Array.of(bytes.length).buffer)),
  ];
  for (let at = 0; at < bytes.length; at += 10_000) {
    const block = bytes.subarray(at, at + 10_000);
    const header = (block.length << 3) | (at + 10_000 >= bytes.length ? 1 : 0);
    parts.push(Uint8Array.of(header, header >> 8, header >> 16), block);
  }
  const hash = new Xxhash64();
  hash.update(bytes);
  parts.push(new Uint8Array(Uint32Array.of(hash.digest()).buffer));
  return concatenated(parts);
}
const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
const packed = {
  gzip: new Uint8Array(gzipSync(text)),
  zstd: zstdFrame(plain),
  zip: zipSync({ 'games.uci.txt': plain }),
};

describe('decompressed', () => {
  it.each(Object.entries(packed))('unpacks %s whatever the size of the pieces', async (_, bytes) => {
    for (const size of [1, 17, 4096, 1e6]) expect(await unpacked(bytes, size)).toBe(text);
  });

  it('passes on what is not packed, also when it is shorter than any magic number', async () => {
    expect(await unpacked(plain)).toBe(text);
    expect(await unpacked(Uint8Array.of(0x1f))).toBe('\x1f');
    expect(await unpacked(new Uint8Array(0))).toBe('');
  });

  it('unpacks gzip of several members and zstd of several frames', async () => {
    const gzips = [packed.gzip, new Uint8Array(gzipSync('')), new Uint8Array(gzipSync('more'))];
    for (const size of [1, 100, 1e6]) {
      expect(await unpacked(concatenated(gzips), size)).toBe(text + 'more');
      expect(await unpacked(concatenated([packed.zstd, skippable, packed.zstd]), size)).toBe(text + text);
    }
  });

  it('unpacks gzip inside zip, stored members, and passes over folders', async () => {
    const zip = zipSync({ 'a/': new Uint8Array(0), 'a/one.pgn.gz': [packed.gzip, { level: 0 }], 'two.txt': plain });
    const seen: Record<string, string> = {};
    for await (const { name, bytes } of members(inPieces(zip, 999), 'both.zip')) {
      seen[name] = new TextDecoder().decode(await wholeOf(bytes, new Budget(name)));
    }
    expect(seen).toEqual({ 'both.zip: a/one.pgn.gz': text, 'both.zip: two.txt': text });
  });

  it.each(Object.entries(packed))('refuses %s cut off anywhere', async (_, bytes) => {
    for (const kept of [12, 40, bytes.length >> 1, bytes.length - 9, bytes.length - 1]) {
      const error = await unpacked(bytes.subarray(0, kept)).catch((thrown: unknown) => thrown);
      expect(error, `${kept} of ${bytes.length} bytes`).toBeInstanceOf(InputError);
      const failure = failureOf(error);
      expect(failure).toMatchObject({ code: 'damaged', where: { file: expect.stringContaining('games') } });
      expect(failure.where?.byte).toBeLessThanOrEqual(kept);
    }
  });

  it.each(['gzip', 'zip'] as const)('refuses %s with a flipped bit in its data or checksum', async (kind) => {
    const crcAt = kind === 'gzip' ? packed.gzip.length - 8 : packed.zip.length - 22 - 46 - 'games.uci.txt'.length + 16;
    for (const at of [200, 1500, 5000, crcAt]) {
      const bytes = packed[kind].slice();
      bytes[at] ^= 4;
      await expect(unpacked(bytes), `byte ${at}`).rejects.toThrow(/damaged near byte/);
    }
  });

  it('refuses zstd whose content is not what its checksum or its length says', async () => {
    for (const at of [20, packed.zstd.length - 1, 5]) {
      const bytes = packed.zstd.slice();
      bytes[at] ^= 4;
      await expect(unpacked(bytes), `byte ${at}`).rejects.toThrow(/zstd data are cut off or damaged/);
    }
  });

  it('passes over zeros that pad gzip, in pieces of any size', async () => {
    for (const zeros of [1, 7, 512, 100_000])
      for (const size of [100, 1e6])
        expect(await unpacked(concatenated([packed.gzip, new Uint8Array(zeros)]), size)).toBe(text);
    const cut = concatenated([packed.gzip.subarray(0, -9), new Uint8Array(512)]);
    await expect(unpacked(cut)).rejects.toThrow(/damaged near byte/);
  });

  it('converts UTF-16 to UTF-8, with a mark or without', async () => {
    const little = new Uint8Array(Buffer.from('e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4\nFirouzjá', 'utf16le'));
    const big = little.map((_, i) => little[i ^ 1]);
    for (const [bytes, mark] of [
      [little, [0xff, 0xfe]],
      [big, [0xfe, 0xff]],
    ] as const)
      for (const size of [1, 3, 100]) {
        expect(await unpacked(bytes, size)).toBe('e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4\nFirouzjá');
        expect(await unpacked(concatenated([Uint8Array.from(mark), bytes]), size)).toBe(
          'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4\nFirouzjá',
        );
      }
  });

  it('refuses zstd with a broken block header', async () => {
    const bytes = packed.zstd.slice();
    bytes[9] |= 6;
    await expect(unpacked(bytes)).rejects.toThrow(/zstd data are cut off or damaged/);
  });

  // The sizes that `zstd` tells; both have a window of 32 MB.
  for (const [what, { path, present }, size] of [
    ['187 kB', excerpt('lichess/sixty-games.pgn.zst'), 187_005],
    [`33 MB ${lichess.needed}`, lichess, 33_340_046],
  ] as const)
    it.skipIf(!present)(`unpacks a long-window zstd of ${what}`, async () => {
      let bytes = 0;
      for await (const chunk of decompressed(createReadStream(path), path)) bytes += chunk.length;
      // What `zstd -lv` tells of the one, and `zstd -dc | wc -c` of the other.
      expect(bytes).toBe(size);
    });
});

describe('textLines', () => {
  const linesOf = async (bytes: Uint8Array, size: number) => {
    const lines: [number, string][] = [];
    for await (const { text, line } of textLines(inPieces(bytes, size), 'f')) lines.push([line, text]);
    return lines;
  };

  it('cuts at either line end, in pieces of any size, letters of several bytes included', async () => {
    const bytes = new TextEncoder().encode('\ufeffFirouzjá\r\n\rlast');
    for (const size of [1, 2, 3, 100]) {
      expect(await linesOf(bytes, size)).toEqual([
        [1, 'Firouzjá'],
        [2, ''],
        [3, 'last'],
      ]);
    }
  });

  it('refuses a line of more than a million characters, with or without an end', async () => {
    for (const end of ['', '\n']) {
      const bytes = new TextEncoder().encode('ok\n' + 'x'.repeat(1_000_001) + end);
      await expect(linesOf(bytes, 65_536)).rejects.toThrow(/^f, line 2: the line is longer/);
    }
  });
});

describe('bytes', () => {
  it('agrees with published check values', async () => {
    // The low halves of XXH64 with seed 0 of nothing, of "abc", and of 0 to 99 as `zstd --check` writes it.
    for (const [bytes, low] of [
      [new Uint8Array(0), 0x51d8e999],
      [new TextEncoder().encode('abc'), 0xad770999],
      [Uint8Array.from({ length: 100 }, (_, i) => i), 0x32166597],
    ] as const) {
      const hash = new Xxhash64();
      for (const byte of bytes) hash.update(Uint8Array.of(byte));
      expect(hash.digest()).toBe(low);
    }
    // The CRC catalogue's check value, and FIPS 180-2's first example.
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
    expect(await sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

import { Inflate } from 'fflate';
import { concatenated, crc32 } from './bytes.ts';
import { damaged, SLICE } from './gzip.ts';
import { fail, InputError } from './result.ts';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/**
 * Files in a zip archive, in the order of its directory, folders and macOS's resource forks left out.
 * The packed bytes are held whole, because the directory that tells where a member ends stands at the
 * archive's end; what they unpack to is streamed. Lengths and CRC are checked.
 * Zip64 and encryption are refused with what to do.
 */
export async function* zipMembers(
  stream: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<{ name: string; bytes: AsyncGenerator<Uint8Array> }> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  const archive = concatenated(parts);
  const view = new DataView(archive.buffer);
  const end = endRecord(view);
  if (end < 0) throw damaged(name, 'zip', archive.length, new Error('the directory at the end is missing'));

  let at = view.getUint32(end + 16, true);
  const count = view.getUint16(end + 10, true);
  if (at === 0xffffffff || count === 0xffff) throw refused(name, 'is a zip64 archive');
  for (let i = 0; i < count; i++) {
    if (at + 46 > archive.length || view.getUint32(at, true) !== CENTRAL) {
      throw damaged(name, 'zip', at, new Error('a directory entry is missing'));
    }
    const nameLength = view.getUint16(at + 28, true);
    const member: Entry = {
      name: new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength)),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      start: view.getUint32(at + 42, true),
    };
    const encrypted = view.getUint16(at + 8, true) & 1;
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (member.name.endsWith('/') || member.name.startsWith('__MACOSX/')) continue;
    if (encrypted) throw refused(name, 'is encrypted');
    if (member.method !== 0 && member.method !== 8) throw refused(name, `is packed by method ${member.method}`);
    yield { name: member.name, bytes: inflated(archive, view, member, `${name}: ${member.name}`) };
  }
}

interface Entry {
  name: string;
  /** 0 stored, 8 deflated. */
  method: number;
  crc: number;
  packed: number;
  size: number;
  /** Byte of the local header. */
  start: number;
}

async function* inflated(archive: Uint8Array, view: DataView, member: Entry, name: string): AsyncGenerator<Uint8Array> {
  const { start } = member;
  if (start + 30 > archive.length || view.getUint32(start, true) !== LOCAL) {
    throw damaged(name, 'zip', start, new Error('the member is not where the directory says'));
  }
  const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  const to = from + member.packed;
  if (to > archive.length) throw damaged(name, 'zip', archive.length, new Error('the member is cut off'));
  let crc = 0;
  let size = 0;
  let out: Uint8Array[] = [];
  const take = (data: Uint8Array) => {
    crc = crc32(data, crc);
    size += data.length;
    if (data.length) out.push(data);
  };
  const inflate = member.method === 8 ? new Inflate(take) : null;
  for (let at = from; at < to; at += SLICE) {
    const slice = archive.subarray(at, Math.min(to, at + SLICE));
    try {
      if (inflate) inflate.push(slice, at + SLICE >= to);
      else take(slice);
    } catch (error) {
      throw damaged(name, 'zip', at, error);
    }
    yield* out;
    out = [];
  }
  if (crc !== member.crc || size !== member.size)
    throw damaged(name, 'zip', to, new Error('the checksum does not fit'));
}

/** The end record's byte: it stands before a comment of at most 65,535 bytes. -1 where there is none. */
function endRecord(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 65_535); at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return -1;
}

function refused(file: string, what: string): InputError {
  const message = `${file} ${what}, which cannot be read here; unpack it and give the files in it.`;
  return new InputError(fail('zip-kind', message, { file }).error);
}

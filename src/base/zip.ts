import { Inflate } from 'fflate';
import type { Budget } from './budget.ts';
import { crc32 } from './bytes.ts';
import { damaged, SLICE } from './gzip.ts';
import { InputError, inputError } from './result.ts';
import { wholeOf } from './whole-of.ts';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Bytes of the two records that a zip64 archive has before its end record, and what the first begins with. */
const [LONG_END, LONG_RECORDS] = [0x06064b50, 76];

/**
 * Files in a zip archive, in the order of its directory, folders and macOS's resource forks left out.
 * The packed bytes are held whole, because the directory that tells where a member ends stands at the
 * archive's end; what they unpack to is streamed. Lengths and CRC are checked, and that the directory names every
 * member once: one of a few megabytes that names the same member many thousand times unpacks to terabytes.
 * Zip64 and encryption are refused with what to do.
 */
export async function* zipMembers(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  budget: Budget,
): AsyncGenerator<{ name: string; bytes: AsyncGenerator<Uint8Array> }> {
  const archive = await wholeOf(stream, budget, name);
  for (const { encrypted, ...member } of entriesOf(archive, name, budget)) {
    if (member.name.endsWith('/') || member.name.startsWith('__MACOSX/')) continue;
    if (encrypted) throw refused(name, 'is encrypted');
    if (member.method !== 0 && member.method !== 8) throw refused(name, `is packed by method ${member.method}`);
    yield { name: member.name, bytes: inflated(archive, member, `${name}: ${member.name}`, budget) };
  }
}

/** The files of an archive that packs none of them, as views of it, checked as `zipMembers` checks them. Throws InputError. */
export function storedMembers(archive: Uint8Array, name: string, budget: Budget): Map<string, Uint8Array> {
  const members = new Map<string, Uint8Array>();
  for (const { encrypted, method, from, to, crc, size, ...member } of entriesOf(archive, name, budget)) {
    if (encrypted || method !== 0) throw refused(name, encrypted ? 'is encrypted' : `is packed by method ${method}`);
    const bytes = archive.subarray(from, to);
    if (bytes.length !== size || crc32(bytes, 0) !== crc || members.has(member.name))
      throw damaged(name, 'zip', from, new Error(`${member.name} is not what the directory says`));
    members.set(member.name, bytes);
  }
  return members;
}

/** What the directory says, checked against the archive. */
function entriesOf(archive: Uint8Array, name: string, budget: Budget): Entry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const broken = (at: number, what: string) => damaged(name, 'zip', at, new Error(what));
  const end = endRecord(view);
  if (end < 0) throw broken(archive.length, 'the directory at the end is missing');
  const directory = view.getUint32(end + 16, true);
  const count = view.getUint16(end + 10, true);
  if (directory === 0xffffffff || count === 0xffff) throw refused(name, 'is a zip64 archive');
  const entries: Entry[] = [];
  let at = directory;
  for (let i = 0; i < count; i++) {
    budget.entry(name);
    if (at + 46 > archive.length || view.getUint32(at, true) !== CENTRAL)
      throw broken(at, 'a directory entry is missing');
    const nameLength = view.getUint16(at + 28, true);
    const packed = view.getUint32(at + 20, true);
    const start = view.getUint32(at + 42, true);
    if (start + 30 > archive.length || view.getUint32(start, true) !== LOCAL)
      throw broken(start, 'a member is not where the directory says');
    const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
    if (from + packed > archive.length) throw broken(archive.length, 'a member is cut off');
    entries.push({
      name: new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength)),
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      crc: view.getUint32(at + 16, true),
      size: view.getUint32(at + 24, true),
      start,
      from,
      to: from + packed,
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  // PyTorch writes the records of zip64 even where the plain ones say it all.
  const long = at + LONG_RECORDS === end && view.getUint32(at, true) === LONG_END;
  if (at !== end && !long) throw broken(end, `its end names ${count} files and its directory is of another length`);
  const starts = new Set(entries.map(({ start }) => start));
  /** A member that the directory does not name begins where another ends, a descriptor of 12 or 16 bytes between them. */
  const unnamed = (from: number) => from + 30 <= directory && view.getUint32(from, true) === LOCAL && !starts.has(from);
  let reached = 0;
  for (const { start, to } of [...entries].sort((a, b) => a.start - b.start)) {
    if (start < reached) throw broken(start, 'two files of the directory are in the same place');
    reached = to;
    if (unnamed(0) || unnamed(to) || unnamed(to + 12) || unnamed(to + 16))
      throw broken(to, 'there are files that its directory does not name');
  }
  return entries;
}

interface Entry {
  name: string;
  /** 0 stored, 8 deflated. */
  method: number;
  encrypted: boolean;
  crc: number;
  size: number;
  /** Byte of the local header, and where the packed bytes begin and end. */
  start: number;
  from: number;
  to: number;
}

async function* inflated(
  archive: Uint8Array,
  { method, from, to, ...member }: Omit<Entry, 'encrypted'>,
  name: string,
  budget: Budget,
): AsyncGenerator<Uint8Array> {
  let crc = 0;
  let size = 0;
  let out: Uint8Array[] = [];
  const take = (data: Uint8Array) => {
    budget.unpack(data.length, name);
    crc = crc32(data, crc);
    size += data.length;
    if (data.length) out.push(data);
  };
  const inflate = method === 8 ? new Inflate(take) : null;
  for (let at = from; at < to; at += SLICE) {
    const slice = archive.subarray(at, Math.min(to, at + SLICE));
    try {
      budget.work(() => (inflate ? inflate.push(slice, at + SLICE >= to) : take(slice)), name);
    } catch (error) {
      throw error instanceof InputError ? error : damaged(name, 'zip', at, error);
    }
    yield* out;
    out = [];
    await budget.breathe();
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
  return inputError('zip-kind', message, { file });
}

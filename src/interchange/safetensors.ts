import { excerpt } from '../base/excerpt.ts';
import { Budget } from '../base/budget.ts';
import { jsonValue } from '../base/json.ts';
import { fail, InputError, ok, type Result } from '../base/result.ts';
import type { NamedArrays } from '../models/parameters.ts';
import { floatsOfBfloats, floatsOfHalves, HALF_OVERFLOW, halvesOf } from './float16.ts';

/**
 * Safetensors (github.com/huggingface/safetensors, format description in its README): 8 bytes of little-endian header
 * length, a JSON header that names each tensor's dtype, shape and byte range, then the bytes. Written as F32 or F16; read
 * from F32, F16 and BF16. Nothing in a file is trusted: ranges must lie in order, side by side and inside the file.
 */
export interface SafetensorsFile {
  tensors: NamedArrays;
  metadata: Record<string, string>;
}

/** The format's own bound on its header. */
const MOST_HEADER_BYTES = 100_000_000;

/** Tensors as a file, in their order, bit for bit. */
export function writeSafetensors(tensors: NamedArrays, metadata: Record<string, string> = {}): Uint8Array {
  return file('F32', tensors, metadata);
}

/**
 * Tensors as a file of half the size, each value rounded to the nearest half, ties to even. Fails with `half-overflow`
 * where a tensor holds a finite value beyond half precision's range.
 */
export function writeHalfSafetensors(
  tensors: NamedArrays,
  metadata: Record<string, string> = {},
): Result<Uint8Array<ArrayBuffer>> {
  const halves: Written = new Map();
  for (const [name, { shape, data }] of tensors) {
    const beyond = data.find((value) => Number.isFinite(value) && Math.abs(value) >= HALF_OVERFLOW);
    if (beyond !== undefined)
      return fail(
        'half-overflow',
        `The tensor "${name}" holds ${beyond}, and half precision ends at 65504; keep these weights in 32 bits.`,
      );
    halves.set(name, { shape, data: halvesOf(data) });
  }
  return ok(file('F16', halves, metadata));
}

type Written = Map<string, { shape: number[]; data: Float32Array | Uint16Array }>;

function file(dtype: 'F32' | 'F16', tensors: Written, metadata: Record<string, string>): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = {};
  if (Object.keys(metadata).length > 0) header.__metadata__ = metadata;
  let size = 0;
  for (const [name, { shape, data }] of tensors) {
    header[name] = { dtype, shape, data_offsets: [size, size + data.byteLength] };
    size += data.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  // Spaces bring the data to a multiple of 8 bytes, so that readers can view it in place.
  const length = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(8 + length + size);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(length), true);
  bytes.fill(0x20, 8 + text.length, 8 + length);
  bytes.set(text, 8);
  let offset = 8 + length;
  for (const { data } of tensors.values()) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offset);
    offset += data.byteLength;
  }
  return bytes;
}

interface Entry {
  name: string;
  dtype: keyof typeof decoders;
  shape: number[];
  start: number;
  end: number;
}

/** @returns the tensors as float32, each with memory of its own, in the order of the header. */
export function readSafetensors(bytes: Uint8Array): Result<SafetensorsFile> {
  const bad = (what: string, byte?: number) =>
    fail(
      'safetensors-invalid',
      `Not a safetensors file that can be read: ${what}.`,
      byte === undefined ? undefined : { byte },
    );
  const short = (what: string) =>
    fail('safetensors-truncated', `The safetensors file ends too early: ${what}. Copy or download it again.`, {
      byte: bytes.length,
    });
  if (bytes.length < 8) return short(`it has ${bytes.length} bytes, and the header's length alone takes 8`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = view.getBigUint64(0, true);
  if (declared > BigInt(MOST_HEADER_BYTES))
    return bad(`it declares a header of ${declared} bytes, and the format allows 100 million`, 0);
  const length = Number(declared);
  if (8 + length > bytes.length)
    return short(`its header should take ${length} bytes and ${bytes.length - 8} are there`);

  const read = headerOf(bytes.subarray(8, 8 + length));
  if (!read.ok) return read.error.code === 'bad-json' ? bad(`its header: ${read.error.message}`, 8) : read;
  const header = read.value;
  if (typeof header !== 'object' || header === null || Array.isArray(header))
    return bad('its header is not a JSON object', 8);

  const metadata: Record<string, string> = {};
  const entries: Entry[] = [];
  for (const [name, value] of Object.entries(header)) {
    if (name === '__metadata__') {
      if (typeof value !== 'object' || value === null) return bad('its __metadata__ is not an object', 8);
      for (const [key, text] of Object.entries(value)) {
        if (typeof text !== 'string') return bad(`its __metadata__ entry "${key}" is not a string`, 8);
        metadata[key] = text;
      }
      continue;
    }
    const entry = entryOf(name, value);
    if (typeof entry === 'string') return bad(entry, 8);
    entries.push(entry);
  }

  const dataSize = bytes.length - 8 - length;
  let reached = 0;
  for (const { name, start, end } of [...entries].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < reached) return bad(`the bytes of tensor "${name}" overlap another's`, 8 + length + start);
    if (start > reached) return bad(`bytes before tensor "${name}" belong to no tensor`, 8 + length + reached);
    if (end > dataSize)
      return short(`tensor "${name}" should end at byte ${end} of the data and there are ${dataSize}`);
    reached = end;
  }
  if (reached !== dataSize)
    return bad(`${dataSize - reached} bytes after the last tensor belong to no tensor`, 8 + length + reached);

  const tensors: NamedArrays = new Map();
  for (const { name, dtype, shape, start, end } of entries) {
    const part = new DataView(bytes.buffer, bytes.byteOffset + 8 + length + start, end - start);
    tensors.set(name, { shape, data: decoders[dtype].decode(part) });
  }
  return ok({ tensors, metadata });
}

function headerOf(bytes: Uint8Array): Result<unknown> {
  const budget = new Budget('The header of the safetensors file');
  try {
    budget.hold('document', bytes.length);
    return jsonValue(new TextDecoder('utf-8', { fatal: true }).decode(bytes), budget);
  } catch (error) {
    return error instanceof InputError
      ? { ok: false, error: error.failure }
      : fail('bad-json', 'this is not JSON, since it is not UTF-8');
  }
}

/** One header entry, or what is wrong with it. */
function entryOf(name: string, value: unknown): Entry | string {
  if (typeof value !== 'object' || value === null) return `the entry of tensor "${name}" is not an object`;
  const { dtype, shape, data_offsets: offsets } = value as Record<string, unknown>;
  if (typeof dtype !== 'string' || !Object.hasOwn(decoders, dtype))
    return `tensor "${name}" is of type ${excerpt(dtype ?? null)}; F32, F16 and BF16 can be read`;
  const isCount = (n: unknown): n is number => Number.isSafeInteger(n) && (n as number) >= 0;
  if (!Array.isArray(shape) || !shape.every(isCount)) return `the shape of tensor "${name}" is not a list of sizes`;
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(isCount) || offsets[0] > offsets[1])
    return `the data_offsets of tensor "${name}" are not a range`;
  const kind = dtype as keyof typeof decoders;
  const needed = shape.reduce((product, side) => product * side, 1) * decoders[kind].bytes;
  if (offsets[1] - offsets[0] !== needed)
    return `tensor "${name}" of shape [${shape.join(', ')}] needs ${needed} bytes and has ${offsets[1] - offsets[0]}`;
  return { name, dtype: kind, shape, start: offsets[0], end: offsets[1] };
}

/** Types of numbers that weights are stored in, each to float32. */
export const decoders = {
  F32: {
    bytes: 4,
    // Copied as they are: every platform of WebAssembly is little-endian.
    decode: (view: DataView) => {
      const data = new Float32Array(view.byteLength / 4);
      new Uint8Array(data.buffer).set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
      return data;
    },
  },
  F16: { bytes: 2, decode: (view: DataView) => floatsOfHalves(shorts(view)) },
  BF16: { bytes: 2, decode: (view: DataView) => floatsOfBfloats(shorts(view)) },
};

/** The 16-bit words of a view, copied: it may begin at an odd byte. */
const shorts = ({ buffer, byteOffset, byteLength }: DataView) =>
  new Uint16Array(buffer.slice(byteOffset, byteOffset + byteLength));

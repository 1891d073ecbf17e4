import { concatenated } from './bytes.ts';
import { gunzipped } from './gzip.ts';
import { fail, InputError } from './result.ts';
import { zipMembers } from './zip.ts';
import { unzstd } from './zstd.ts';

/** Bytes in pieces: a browser's or Node's web stream, or anything that can be iterated. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** One file of an input: the input itself, or a member of a zip archive. */
export interface Member {
  /** For messages: the input's name, and the member's after a colon. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** Longest line of text that is read; longer ones are some other kind of file. */
const LONGEST_LINE = 1_000_000;

/** The pieces of a stream. Written out because not every browser can iterate a ReadableStream. */
export async function* chunks(stream: ByteStream): AsyncGenerator<Uint8Array> {
  if (!('getReader' in stream)) {
    yield* stream;
    return;
  }
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Reached early when the reader of these bytes has had enough, or when the stream failed.
    await reader.cancel().catch(() => {});
  }
}

/**
 * The files in an input, unpacked: gzip, zstd and zip are told by their first bytes, never by the name, and
 * may be inside each other. Each member must be read before the next is asked for. Nothing but a zip archive's
 * own bytes is ever held whole. Truncated or corrupt input throws InputError with file and byte.
 */
export async function* members(stream: ByteStream, name: string): AsyncGenerator<Member> {
  const { head, bytes } = await peek(chunks(stream), 4);
  const magic = head.length < 4 ? 0 : ((head[0] << 24) | (head[1] << 16) | (head[2] << 8) | head[3]) >>> 0;
  if (magic >>> 16 === 0x1f8b) yield* members(gunzipped(bytes, name), name);
  else if (magic === 0x28b52ffd || (magic & 0xf0ffffff) >>> 0 === 0x502a4d18) yield* members(unzstd(bytes, name), name);
  else if (magic === 0x504b0304 || magic === 0x504b0506) {
    for await (const member of zipMembers(bytes, name)) yield* members(member.bytes, `${name}: ${member.name}`);
  } else yield { name, bytes };
}

/** All members of an input end to end; for inputs in which only the text matters. Errors as `members`. */
export async function* decompressed(stream: ByteStream, name: string): AsyncGenerator<Uint8Array> {
  for await (const member of members(stream, name)) yield* member.bytes;
}

/** The first bytes of a stream (fewer where it is shorter), and a stream that still begins with them. */
export async function peek(
  stream: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Uint8Array; bytes: AsyncGenerator<Uint8Array> }> {
  const iterator = stream[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < length) {
    const next = await iterator.next();
    if (next.done) break;
    head = head.length ? concatenated([head, next.value]) : next.value;
  }
  return { head, bytes: rejoined(head, iterator) };
}

async function* rejoined(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length) yield head;
    for (;;) {
      const next = await rest.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** All bytes of a stream; for formats that cannot be read from front to back. */
export async function wholeOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return concatenated(parts);
}

/**
 * Lines of UTF-8 text without their ends (\n or \r\n), numbered from 1. Bytes that are not UTF-8 become U+FFFD,
 * since old PGN files carry names in other encodings. A line over a million characters throws InputError.
 */
export async function* textLines(stream: ByteStream, name: string): AsyncGenerator<{ text: string; line: number }> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  const cut = (text: string) => (text.endsWith('\r') ? text.slice(0, -1) : text);
  for await (const chunk of chunks(stream)) {
    const text = rest + decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      line++;
      if (end - start > LONGEST_LINE) throw tooLong(name, line);
      yield { text: cut(text.slice(start, end)), line };
      start = end + 1;
    }
    rest = text.slice(start);
    if (rest.length > LONGEST_LINE) throw tooLong(name, line + 1);
  }
  rest += decoder.decode();
  if (rest) yield { text: cut(rest), line: line + 1 };
}

function tooLong(file: string, line: number): InputError {
  const message = `${file}, line ${line}: the line is longer than a million characters, so this is no file of games; check that it is the right one.`;
  return new InputError(fail('line-too-long', message, { file, line }).error);
}

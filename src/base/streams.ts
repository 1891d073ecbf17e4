import { Budget } from './budget.ts';
import { gunzipped } from './gzip.ts';
import { peek } from './peek.ts';
import { inputError, type InputError } from './result.ts';
import { asUtf8 } from './text-encoding.ts';
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
/** Most empty lines in a row; ten gigabytes of them fit into ten megabytes. */
const MOST_EMPTY = 100_000;

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
 * own bytes is ever held whole. Truncated or corrupt input throws InputError with file and byte, and so does one that
 * costs more than the budget has.
 */
export function members(stream: ByteStream, name: string, budget: Budget = new Budget(name)): AsyncGenerator<Member> {
  return unpacked(counted(chunks(stream), budget), name, budget, 0);
}

async function* counted(stream: AsyncIterable<Uint8Array>, budget: Budget): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    budget.read(chunk.length);
    yield chunk;
  }
}

async function* unpacked(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  budget: Budget,
  depth: number,
): AsyncGenerator<Member> {
  const { head, bytes } = await peek(stream, 4);
  const magic = head.length < 4 ? 0 : ((head[0] << 24) | (head[1] << 16) | (head[2] << 8) | head[3]) >>> 0;
  const inside = (unpack: typeof gunzipped) => {
    budget.nest(depth + 1, name);
    return unpacked(unpack(bytes, name, budget), name, budget, depth + 1);
  };
  if (magic >>> 16 === 0x1f8b) yield* inside(gunzipped);
  else if (magic === 0x28b52ffd || (magic & 0xf0ffffff) >>> 0 === 0x502a4d18) yield* inside(unzstd);
  else if (magic === 0x504b0304 || magic === 0x504b0506) {
    budget.nest(depth + 1, name);
    for await (const member of zipMembers(bytes, name, budget))
      yield* unpacked(member.bytes, `${name}: ${member.name}`, budget, depth + 1);
  } else yield { name, bytes };
}

/** The text of all members of an input end to end, in UTF-8. Errors as `members`. */
export async function* decompressed(stream: ByteStream, name: string, budget?: Budget): AsyncGenerator<Uint8Array> {
  for await (const member of members(stream, name, budget)) yield* asUtf8(member.bytes);
}

/**
 * Lines of UTF-8 text without their ends (\n, \r\n or \r), numbered from 1. Bytes that are not UTF-8 become U+FFFD,
 * since old PGN files carry names in other encodings. A line over a million characters throws InputError.
 */
export async function* textLines(stream: ByteStream, name: string): AsyncGenerator<{ text: string; line: number }> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  let lastText = 0;
  /** A return that ends a piece may be half of a line end. */
  let held = '';
  for await (const chunk of chunks(stream)) {
    let piece = held + decoder.decode(chunk, { stream: true });
    held = piece.endsWith('\r') ? '\r' : '';
    if (held !== '') piece = piece.slice(0, -1);
    const text = rest + (piece.includes('\r') ? piece.replace(/\r\n?/g, '\n') : piece);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      line++;
      if (end - start > LONGEST_LINE) throw tooLong(line);
      if (end > start) lastText = line;
      else if (line - lastText > MOST_EMPTY)
        throw noGames('empty-lines', line, `there were ${MOST_EMPTY} empty lines one after the other`);
      yield { text: text.slice(start, end), line };
      start = end + 1;
    }
    rest = text.slice(start);
    if (rest.length > LONGEST_LINE) throw tooLong(line + 1);
  }
  rest += decoder.decode();
  if (rest) yield { text: rest, line: line + 1 };

  function noGames(code: string, line: number, why: string): InputError {
    const message = `${name}, line ${line}: ${why}, so this is no file of games; check that it is the right one.`;
    return inputError(code, message, { file: name, line });
  }
  function tooLong(line: number): InputError {
    return noGames('line-too-long', line, 'the line is longer than a million characters');
  }
}

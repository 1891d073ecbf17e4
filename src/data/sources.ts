import { members, peek, textLines, wholeOf, type ByteStream, type Member } from '../base/streams.ts';
import { fail, type Result } from '../base/result.ts';
import { chess } from '../domains/chess/chess.ts';
import type { TraceFormat } from '../domains/domain.ts';
import { recordOf, type GameRecord } from './game-record.ts';
import { readJsonLines } from './json-games.ts';
import { readParquet } from './parquet.ts';
import { readPgn } from './pgn-games.ts';

/** What reading games needs of a domain. */
export interface TraceDomain {
  readonly name: string;
  readonly traces: TraceFormat;
}

export interface GameSource {
  /** The file's name, for its kind and for messages. */
  name: string;
  stream: ByteStream;
}

export type GameFileKind = 'uci' | 'pgn' | 'jsonl' | 'parquet';

/**
 * The games of a file, one by one: .uci.txt (a game a line), .pgn, .jsonl or .parquet, each under .gz, .zst or
 * .zip of any number of files. The kind is told by the name, else by the first bytes. A game that is not legal
 * is a failure with file, line and ply, and reading goes on; a file that cannot be read at all is one failure.
 * Truncated or corrupt compression throws InputError after the games before it.
 */
export async function* readGames(source: GameSource, domain: TraceDomain = chess): AsyncGenerator<Result<GameRecord>> {
  let found = false;
  for await (const member of members(source.stream, source.name)) {
    found = true;
    yield* readMember(member, domain);
  }
  if (!found) yield fail('empty', `${source.name}: the archive holds no files.`, { file: source.name });
}

async function* readMember(member: Member, domain: TraceDomain): AsyncGenerator<Result<GameRecord>> {
  const file = member.name;
  const { head, bytes } = await peek(member.bytes, 512);
  const kind = kindByName(file) ?? kindByContent(head);
  if (kind === 'parquet') yield* readParquet(await wholeOf(bytes), file, domain.traces);
  else if (kind === 'jsonl') yield* readJsonLines(textLines(bytes, file), file, domain.traces);
  else if (kind === 'pgn' && domain.name === 'chess') yield* readPgn(textLines(bytes, file), file);
  else if (kind === 'uci') yield* readTraceLines(textLines(bytes, file), file, domain.traces);
  else {
    const message = `${file}: this does not look like games; give .uci.txt, .pgn, .jsonl or .parquet (or one of them under .gz, .zst or .zip).`;
    yield fail('unknown-kind', message, { file });
  }
}

async function* readTraceLines(
  lines: AsyncIterable<{ text: string; line: number }>,
  file: string,
  format: TraceFormat,
): AsyncGenerator<Result<GameRecord>> {
  for await (const { text, line } of lines) {
    if (text.trim() === '') continue;
    yield recordOf(format.parse(text), {}, file, line);
  }
}

/** The kind of games a file's name tells, compression endings aside; null where it does not. */
export function kindByName(name: string): GameFileKind | null {
  const ending = /\.(txt|uci|pgn|jsonl|ndjson|parquet)(?:\.(?:gz|zst|zip))*$/i.exec(name)?.[1].toLowerCase();
  switch (ending) {
    case undefined:
      return null;
    case 'txt':
      return 'uci';
    case 'ndjson':
      return 'jsonl';
    default:
      return ending as GameFileKind;
  }
}

function kindByContent(head: Uint8Array): GameFileKind | null {
  const text = new TextDecoder().decode(head).trimStart();
  if (text.startsWith('PAR1')) return 'parquet';
  if (text.startsWith('{')) return 'jsonl';
  if (/^(\[\w+ "|%|1\.)/.test(text)) return 'pgn';
  return /^[a-h][1-8][a-h][1-8][qrbn]?\s/.test(text) ? 'uci' : null;
}

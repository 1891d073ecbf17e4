import { Budget } from '../base/budget.ts';
import { peek } from '../base/peek.ts';
import { members, textLines, type ByteStream, type Member } from '../base/streams.ts';
import { asUtf8 } from '../base/text-encoding.ts';
import { wholeOf } from '../base/whole-of.ts';
import { fail, inputError, unwrap, type Result } from '../base/result.ts';
import { chess } from '../domains/chess/chess.ts';
import type { TraceFormat } from '../domains/domain.ts';
import { domainNamed } from '../domains/domains.ts';
import { readPlayByPlay } from './baseball/read-play-by-play.ts';
import { domainOfKind, fileKindsOf, firstLine, kindByContent, kindByName } from './file-kinds.ts';
import { recordOf, type GameRecord } from './game-record.ts';
import { readJsonLines } from './json-games.ts';
import { isOtherGame, otherGame, otherGameOf, watched } from './other-game.ts';
import { readParquet } from './parquet/parquet.ts';
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
  /** What reading it may cost; the usual limits where it is left out. */
  budget?: Budget;
}

/** Failures before the first game after which a file is given up: it is another kind of file. */
const MOST_FAILURES = 100_000;

/**
 * The games of a file, one by one: a game a line in the game's own text (.uci.txt for chess), JSON Lines or Parquet; PGN
 * for chess; Retrosheet, Gameday and StatsAPI files for baseball; each under .gz, .zst or .zip of any number of files. The
 * kind is told by the name, else by the first bytes. A game that is not legal is a failure with file, line and ply, and
 * reading goes on; a file that cannot be read at all is one failure, and so is one that holds another game
 * (`other-game`, which ends the reading). What else lies in an archive of baseball (rosters, team lists) is passed over.
 * A file that begins with a hundred thousand failures is read no further (`no-games`).
 * Truncated or corrupt compression throws InputError after the games before it.
 */
export async function* readGames(source: GameSource, domain: TraceDomain = chess): AsyncGenerator<Result<GameRecord>> {
  const { name, stream, budget = new Budget(name) } = source;
  let files = 0;
  let failures = 0;
  const unknown: Result<GameRecord>[] = [];
  for await (const member of members(stream, name, budget)) {
    files++;
    const games = await gamesIn(member, domain, budget);
    if (games === null) {
      const message = `${member.name}: this does not look like games; give ${fileKindsOf(domain.name).description} (or one of them under .gz, .zst or .zip).`;
      unknown.push(fail('unknown-kind', message, { file: member.name }));
    } else
      for await (const game of games) {
        yield game;
        if (isOtherGame(game)) return;
        if (game.ok) failures = -Infinity;
        else if (++failures === MOST_FAILURES) {
          const message = `${member.name}: nothing of it could be read as a game in ${MOST_FAILURES} tries, so it was not read on; check that it is the right file.`;
          throw inputError('no-games', message, { file: member.name });
        }
      }
  }
  if (files === 0) yield fail('empty', `${name}: the archive holds no files.`, { file: name });
  else if (!fileKindsOf(domain.name).mixed) yield* unknown;
  else if (unknown.length === files) yield unknown[0];
}

/** The games of one file; null where its kind cannot be told. */
async function gamesIn(
  member: Member,
  domain: TraceDomain,
  budget: Budget,
): Promise<AsyncIterable<Result<GameRecord>> | Iterable<Result<GameRecord>> | null> {
  const file = member.name;
  const { head, bytes } = await peek(asUtf8(member.bytes), 512);
  const format = watched(domain, file);
  const kind = kindByName(file) ?? kindByContent(head) ?? kindByFirstLine(head, domain);
  const only = domainOfKind(kind);
  if (only !== null && only !== domain.name) return [otherGame(file, unwrap(domainNamed(only)))];
  switch (kind) {
    case 'parquet':
      return readParquet(await wholeOf(bytes, budget, file), file, format, budget);
    case 'jsonl':
      return readJsonLines(textLines(bytes, file), file, format, domain.name, budget);
    case 'pgn':
      return readPgn(textLines(bytes, file), file, budget);
    case 'play-by-play':
      return readPlayByPlay(await wholeOf(bytes, budget, file, 'document'), file, budget);
    case 'lines':
      return readTraceLines(textLines(bytes, file), file, format);
    case null:
      return null;
  }
}

/** Games a line where the first line is one, of this game or of another, which is then told. */
function kindByFirstLine(head: Uint8Array, domain: TraceDomain): 'lines' | null {
  const line = firstLine(head);
  if (line === '') return null;
  return domain.traces.parse(line).ok || otherGameOf(line, domain.name) !== null ? 'lines' : null;
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

import { Budget } from '../../base/budget.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { members, type ByteStream } from '../../base/streams.ts';
import { asUtf8 } from '../../base/text-encoding.ts';
import { wholeOf } from '../../base/whole-of.ts';
import { EVENT_FILE } from '../file-kinds.ts';
import { gamedayVerbs } from './gameday.ts';
import { retrosheetVerbs } from './retrosheet.ts';
import { retrosheetGames } from './retrosheet-records.ts';
import { statsapiVerbs } from './statsapi.ts';
import type { VerbGame } from './verb-writer.ts';

export { RETROSHEET_NOTICE } from './notice.ts';

/** A game of a file, and the kind of source that it comes from. */
export interface SourcedGame {
  source: 'retrosheet' | 'gameday' | 'statsapi';
  game: VerbGame;
  /** Line of the file at which it begins. */
  line: number;
}

/**
 * The games of a file as SPLAT verbs: Retrosheet event files (.EVA, .EVN and the like), Gameday XML, StatsAPI JSON, each
 * under .gz, .zst or .zip of any number of files; what else lies in an archive (rosters, team lists) is passed over. A
 * game that cannot be read is a failure, and reading goes on.
 */
export async function* verbGames(
  stream: ByteStream,
  name: string,
  budget: Budget = new Budget(name),
): AsyncGenerator<Result<SourcedGame>> {
  let found = false;
  let other: string | null = null;
  for await (const member of members(stream, name, budget)) {
    const games = playByPlayOf(
      await wholeOf(asUtf8(member.bytes), budget, member.name, 'document'),
      member.name,
      budget,
    );
    if (games === null) other ??= member.name;
    else {
      found = true;
      yield* games;
    }
  }
  if (found) return;
  if (other === null) yield fail('empty', `${name}: there are no files in it.`, { file: name });
  else
    yield fail(
      'unknown-kind',
      `${other}: this does not look like play-by-play; give a Retrosheet event file (.EVA, .EVN), Gameday's inning_all.xml or a StatsAPI game (.json).`,
      { file: other },
    );
}

/** The games of one file; null where it is none of these kinds. */
export function playByPlayOf(bytes: Uint8Array, name: string, budget: Budget): Iterable<Result<SourcedGame>> | null {
  // Older event files have names in Latin-1; the verbs hold no names.
  const text = new TextDecoder(/\.(xml|json)$/i.test(name) ? 'utf-8' : 'latin1').decode(bytes);
  const head = text.slice(0, 400).trimStart();
  const sourced = (source: SourcedGame['source'], game: Result<VerbGame>): Result<SourcedGame> =>
    game.ok ? ok({ source, game: game.value, line: 1 }) : game;
  if (/\.json$/i.test(name) || head.startsWith('{')) return [sourced('statsapi', statsapiVerbs(text, name, budget))];
  if (/\.xml$/i.test(name) || head.startsWith('<')) return [sourced('gameday', gamedayVerbs(text, name, budget))];
  return EVENT_FILE.test(name) || head.startsWith('id,') ? retrosheet(text, name) : null;
}

function* retrosheet(text: string, name: string): Generator<Result<SourcedGame>> {
  for (const game of retrosheetGames(linesOf(text), name)) {
    if (!game.ok) yield game;
    else if (game.value.events.some(({ kind }) => kind === 'play'))
      yield ok({ source: 'retrosheet', game: retrosheetVerbs(game.value), line: game.value.line });
    else {
      const { id, line } = game.value;
      const message = `${name}, line ${line}: ${id} is a box score without plays, from which no verbs can be told; leave it out.`;
      yield fail('no-plays', message, { file: name, line });
    }
  }
}

/** The lines of a text one by one: a list of them takes many times the text where they are short. */
function* linesOf(text: string): Generator<string> {
  const end = text.includes('\n') ? '\n' : '\r';
  let start = 0;
  for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, start)) {
    yield text.slice(start, at);
    start = at + 1;
  }
  yield text.slice(start);
}

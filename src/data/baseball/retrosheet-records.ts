import { fail, ok, type Result } from '../../base/result.ts';

/** One line of a play-by-play: a plate appearance or a part of one, a substitution, or a runner placed by rule. */
export type GameEvent =
  | {
      kind: 'play';
      line: number;
      inning: number;
      /** 0 top (visitors bat), 1 bottom. */
      half: number;
      batter: string;
      /** Balls and strikes before the last pitch, as written ("??" where unknown). */
      count: string;
      pitches: string;
      event: string;
    }
  | { kind: 'sub'; line: number; player: string; team: number; order: number; position: number }
  /** The runner that extra innings begin with since 2020. */
  | { kind: 'placed'; line: number; player: string; base: number };

export interface GameFile {
  /** Retrosheet's id: home team, date, number of the day's game. */
  id: string;
  line: number;
  away: string;
  home: string;
  info: Map<string, string>;
  /** [2][10] starting line-ups by batting order 1 to 9; 0 is a pitcher who does not bat. */
  starters: string[][];
  events: GameEvent[];
}

/** A line that must be a game's, and is not. */
const bad = (name: string, line: number, text: string) =>
  fail('bad-retrosheet', `${name}, line ${line}: ${text}`, { file: name, line });

/**
 * The games of a Retrosheet event file (https://www.retrosheet.org/eventfile.htm), one comma-separated record a line.
 * Comments, earned runs, hand changes and adjustments that move nobody are passed over.
 */
export function* retrosheetGames(lines: Iterable<string>, name: string): Generator<Result<GameFile>> {
  let game: GameFile | null = null;
  let broken: Result<GameFile> | null = null;
  let found = false;
  const finished = (): Result<GameFile> | null => broken ?? (game && ok(game));
  let line = 0;
  for (const text of lines) {
    line++;
    if (text.trim() === '' || text === '\u001a') continue;
    found = true;
    const fields = splitFields(text.replace(/\r$/, ''));
    if (fields[0] === 'id') {
      const done = finished();
      if (done) yield done;
      const id = fields[1]?.trim() ?? '';
      broken = null;
      game = { id, line, away: '', home: '', info: new Map(), starters: [[], []], events: [] };
      continue;
    }
    if (!game) {
      yield bad(name, line, 'a game begins with an "id" record; is this a Retrosheet event file (.EVA, .EVN)?');
      return;
    }
    if (broken) continue;
    const wrong = take(game, fields, line);
    if (wrong !== null) broken = bad(name, line, `${game.id}: ${wrong}`);
  }
  const done = finished();
  if (done) yield done;
  else if (!found) yield bad(name, 1, 'the file is empty.');
}

/** Adds a record to the game; what is wrong with it in words, or null. */
function take(game: GameFile, fields: string[], line: number): string | null {
  const [type] = fields;
  switch (type) {
    case 'info':
      game.info.set(fields[1], fields[2] ?? '');
      if (fields[1] === 'visteam') game.away = fields[2];
      if (fields[1] === 'hometeam') game.home = fields[2];
      return null;
    case 'start':
    case 'sub': {
      const [, player, , team, order, position] = fields;
      const numbers = [team, order, position].map(Number);
      if (!player || !numbers.every(Number.isInteger) || !isSide(numbers[0]) || numbers[1] < 0 || numbers[1] > 9)
        return `"${fields.join(',').slice(0, 60)}" does not name a player, a side, a place in the order and a position.`;
      if (type === 'start') game.starters[numbers[0]][numbers[1]] = player;
      else game.events.push({ kind: 'sub', line, player, team: numbers[0], order: numbers[1], position: numbers[2] });
      return null;
    }
    case 'play': {
      const [, inning, half, batter, count, pitches, ...event] = fields;
      if (fields.length < 7 || !isSide(Number(half)) || !(Number(inning) >= 1) || !batter)
        return `"${fields.join(',').slice(0, 60)}" is no play: inning, half, batter, count, pitches and event are wanted.`;
      game.events.push({
        kind: 'play',
        line,
        inning: Number(inning),
        half: Number(half),
        batter,
        count,
        pitches: pitches.replace(/ /g, ''),
        event: event.join(',').trim(),
      });
      return null;
    }
    case 'radj': {
      const base = Number(fields[2]);
      if (!fields[1] || !(base >= 1 && base <= 3)) return 'radj wants a player and a base from 1 to 3.';
      game.events.push({ kind: 'placed', line, player: fields[1], base });
      return null;
    }
    default:
      return PASSED_OVER.has(type) ? null : `"${type.slice(0, 20)}" is no record of an event file.`;
  }
}

const PASSED_OVER = new Set(['version', 'com', 'data', 'badj', 'padj', 'ladj', 'presadj', 'line', 'event', 'stat']);
const isSide = (n: number): boolean => n === 0 || n === 1;

/** Fields between commas; a field in double quotes may hold commas. */
function splitFields(text: string): string[] {
  if (!text.includes('"')) return text.split(',');
  return Array.from(text.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g), (match) => match[1])
    .slice(0, -1)
    .map((field) => (field.startsWith('"') ? field.slice(1, -1).replace(/""/g, '"') : field));
}

import { expect, it } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { statsapiVerbs } from './statsapi.ts';

const pitch = (code: string) => ({ isPitch: true, details: { call: { code } } });
const runner = (
  id: number,
  start: string | null,
  end: string | null,
  playIndex: number,
  out: string | null = null,
) => ({
  movement: { originBase: start, start, end, outBase: out, isOut: out !== null },
  details: { runner: { id }, playIndex },
});
const play = (batter: number, eventType: string, playEvents: object[], runners: object[], more: object = {}) => ({
  result: { type: 'atBat', eventType, awayScore: 0, homeScore: 0 },
  about: { inning: 1, isTopInning: true },
  count: { outs: 0 },
  matchup: { batter: { id: batter } },
  playEvents,
  runners,
  ...more,
});
const feed = (...allPlays: object[]) => ({
  gamePk: 7,
  gameData: { teams: { away: { abbreviation: 'AAA' }, home: { abbreviation: 'HHH' } } },
  liveData: { plays: { allPlays } },
});
const read = (...plays: object[]) => unwrap(statsapiVerbs(JSON.stringify(feed(...plays)), 'game.json'));

it('tells pitches, steals between them, hits and errors after them', () => {
  const { tokens, problems, runs, records } = read(
    play(11, 'walk', ['B', 'B', '*B', 'B'].map(pitch), [runner(11, null, '1B', 3)]),
    play(
      12,
      'single',
      [pitch('C'), pitch('X')],
      [
        runner(11, '1B', '2B', 0),
        // On to third, and home on an error.
        runner(11, '2B', '3B', 1),
        runner(11, '3B', 'score', 1),
        runner(12, null, '1B', 1),
      ],
      {
        result: { eventType: 'single', awayScore: 1, homeScore: 0 },
        matchup: { batter: { id: 12 }, postOnFirst: { id: 12 } },
      },
    ),
    play(
      13,
      'grounded_into_double_play',
      [pitch('L'), pitch('L'), pitch('X')],
      [runner(12, '1B', null, 2, '2B'), runner(13, null, null, 2, '1B')],
      { count: { outs: 2 }, result: { eventType: 'grounded_into_double_play', awayScore: 1, homeScore: 0 } },
    ),
    play(14, 'strikeout', ['S', 'F', 'F', 'W'].map(pitch), [runner(14, null, null, 3, '1B')], {
      count: { outs: 3 },
      result: { eventType: 'strikeout', awayScore: 1, homeScore: 0 },
    }),
  );
  expect(problems).toEqual([]);
  expect(tokens.join(' ')).toBe(
    '<sog> <newbatter> (id_100) <ball> <ball> <ball> <ball> <advance> (plate) (first) <atbat> ' +
      '<newbatter> (id_101) <strike> <advance> (first) (second) <hit> <advance> (second) (score) <advance> (plate) (first) <atbat> ' +
      '<newbatter> (id_102) <foul> <foul> <caught_stealing> (first) <out> (plate) <atbat> ' +
      '<newbatter> (id_103) <strike> <foul> <foul> <strike> <out> (plate) <atbat>',
  );
  expect(runs).toEqual([1, 0]);
  expect(records.map(({ outs, runners }) => [outs, runners])).toEqual([
    [0, [false, false, false]],
    [0, [true, false, false]],
    [2, [false, false, false]],
    [3, null],
  ]);
});

it('places the runner of extra innings, and replaces runners', () => {
  const { tokens } = read(
    play(
      21,
      'walk',
      [
        { details: { eventType: 'runner_placed' }, player: { id: 20 }, base: 2 },
        { isSubstitution: true, details: { eventType: 'offensive_substitution' }, player: { id: 22 }, base: 2 },
        pitch('I'),
      ],
      [runner(21, null, '1B', 2)],
    ),
  );
  expect(tokens.join(' ')).toBe(
    '<sog> <newbatter> (id_100) <advance> (plate) (second) <atbat> ' +
      '<newbatter> (id_101) <sub> (id_102) (id_100) <ball> <advance> (plate) (first) <atbat>',
  );
});

it.each([
  ['', 'not whole JSON'],
  ['{"gamePk": 1', 'not whole JSON'],
  ['[]', 'live feed of the StatsAPI is wanted'],
  ['{"gamePk": 1, "gameData": {}}', 'gameData.teams'],
  [JSON.stringify(feed({ about: 5 })), 'liveData.plays.allPlays.0'],
])('refuses %s', (text, expected) => {
  const read = statsapiVerbs(text, 'x.json');
  expect(read.ok ? '' : read.error.message).toContain(expected);
});

import { expect, test } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { baseball } from './baseball.ts';
import { appearancesOf } from './scorecard.ts';
import { ATBAT, eventText, NEWBATTER, verbOf } from './events.ts';
import { ordinal, stateText, valueText } from './state-text.ts';
import { traces } from './traces.ts';

const read = (line: string) => unwrap(traces.parse(line));

test('a plate appearance is written in a line', () => {
  const line =
    '<sog> <newbatter> (id_100) <ball> <strike> <foul> <hit> <advance> (plate) (first) <atbat> ' +
    '<newbatter> (id_101) <ball> <ball> <ball> <ball> <advance> (first) (second) <advance> (plate) (first) <atbat> ' +
    '<newbatter> (id_102) <strike> <strike> <strike> <out> (plate) <atbat> ' +
    '<newbatter> (id_103) <sub> (id_104) (id_101) <caught_stealing> (first) <hit> <advance> (second) (score) <advance> (plate) (second)';
  const lines = appearancesOf(read(line)).map(({ heading, events }) => `${heading}: ${events.join(', ')}`);
  expect(lines).toEqual([
    'Top 1st, 0 out: game begins, batter 100, ball, strike, foul, hit, batter to first, at-bat over',
    'Top 1st, 0 out: batter 101, ball, ball, ball, ball four, runner 100 to second, batter to first, at-bat over',
    'Top 1st, 0 out: batter 102, strike, strike, strike three, batter out, at-bat over',
    'Top 1st, 1 out: batter 103, 104 runs for 101, runner 104 caught off first, hit, runner 100 scores, batter to second',
  ]);
});

test('three out change the sides, and the bottom follows', () => {
  const out = (player: number) => `<newbatter> (id_${player}) <out> (plate) <atbat>`;
  const lines = appearancesOf(read(`<sog> ${[100, 101, 102, 103, 104, 105, 106].map(out).join(' ')}`));
  expect(lines.map(({ heading }) => heading)).toEqual([
    'Top 1st, 0 out',
    'Top 1st, 1 out',
    'Top 1st, 2 out',
    'Bottom 1st, 0 out',
    'Bottom 1st, 1 out',
    'Bottom 1st, 2 out',
    'Top 2nd, 0 out',
  ]);
  expect(lines.map(({ events }) => events.at(-1))).toEqual([
    'at-bat over',
    'at-bat over',
    'sides change',
    'at-bat over',
    'at-bat over',
    'sides change',
    'at-bat over',
  ]);
});

test('every event of a whole game is written once, in as many appearances as there are batters', () => {
  for (const trace of baseball.invented!.games(3, 5)) {
    const lines = appearancesOf(trace);
    expect(lines.flatMap(({ events }) => events)).toHaveLength(trace.length);
    expect(lines).toHaveLength(trace.filter((event) => verbOf(event) === NEWBATTER).length);
    for (const { from } of lines.slice(1)) expect(eventText(trace[from])).toMatch(/^<newbatter>/);
    expect(lines.at(-1)!.events.at(-1)).toBe('game over');
    expect(verbOf(trace.at(-1)!)).toBe(ATBAT);
    expect(lines.flatMap(({ events }) => events).filter((text) => text === 'game over')).toHaveLength(1);
  }
});

test('a state in sentences, whole and in part', () => {
  const values = {
    inning: '3',
    half: '1',
    outs: '2',
    balls: '1',
    strikes: '0',
    away: '4',
    home: '0',
    plate: '(id_104)',
    first: '___',
    second: '(id_117)',
    third: '___',
  };
  expect(stateText(values)).toBe(
    'Bottom of the 3rd, 2 out, 1 ball and 0 strikes. Away 4, home 0. 104 bats, 117 is on second.',
  );
  expect(stateText({ outs: '1' })).toBe('1 out.');
  expect(valueText('half', '0')).toBe('top');
  expect(valueText('first', '___')).toBe('empty');
  expect(valueText('plate', '(id_104)')).toBe('104');
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '22nd',
  ]);
});

import { describe, expect, it } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { slotsOf } from '../../base/slot-grammar.ts';
import { baseball } from './baseball.ts';
import { eventText } from './events.ts';
import { whyImpossible } from './rules.ts';
import { baseballSlots, SLOT_KINDS } from './slots.ts';
import { splatNotation } from './splat-notation.ts';
import type { BaseballState } from './state.ts';
import { replayTokens } from './traces.ts';
import { vocabulary } from './vocabulary.ts';

const after = (line: string): BaseballState =>
  unwrap(baseball.traces.parse(line)).reduce((state, event) => baseball.apply(state, event), baseball.initial());
/** The eleven variables as one line. */
const valuesOf = (state: BaseballState): string => baseball.variables.map((variable) => variable.of(state)).join(' ');
const error = (line: string): string => {
  const parsed = baseball.traces.parse(line);
  return parsed.ok ? 'no error' : parsed.error.message;
};

const bat = (id: number, verbs: string): string => `<newbatter> (id_${id}) ${verbs} <atbat>`;
const OUT = '<out> (plate)';
const HOMER = '<hit> <advance> (plate) (score)';
/** Half-innings in which three batters go down. */
const halves = (n: number): string => Array.from({ length: 3 * n }, (_, i) => bat(100 + (i % 9), OUT)).join(' ');

describe('the symbolic program', () => {
  it('keeps count, bases, score and innings (a half-inning worked out by hand)', () => {
    const states: [string, string][] = [
      ['<sog>', '1 0 0 0 0 0 0 ___ ___ ___ ___'],
      ['<newbatter> (id_100) <ball> <foul> <foul> <foul> <ball>', '1 0 0 2 2 0 0 (id_100) ___ ___ ___'],
      ['<hit> <advance> (plate) (second)', '1 0 0 2 2 0 0 ___ ___ (id_100) ___'],
      ['<atbat>', '1 0 0 0 0 0 0 ___ ___ (id_100) ___'],
      ['<newbatter> (id_101) <ball> <ball> <ball> <ball>', '1 0 0 4 0 0 0 (id_101) ___ (id_100) ___'],
      ['<advance> (plate) (first) <atbat>', '1 0 0 0 0 0 0 ___ (id_101) (id_100) ___'],
      ['<newbatter> (id_102) <strike> <sub> (id_103) (id_100)', '1 0 0 0 1 0 0 (id_102) (id_101) (id_103) ___'],
      ['<hit> <advance> (second) (score) <caught_stealing> (first)', '1 0 1 0 1 1 0 (id_102) ___ ___ ___'],
      ['<advance> (plate) (first) <atbat>', '1 0 1 0 0 1 0 ___ (id_102) ___ ___'],
      ['<newbatter> (id_104) <strike> <strike> <strike> <out> (plate)', '1 0 2 0 3 1 0 ___ (id_102) ___ ___'],
      ['<atbat> <newbatter> (id_105) <out> (plate)', '1 0 3 0 0 1 0 ___ (id_102) ___ ___'],
      ['<atbat>', '1 1 0 0 0 1 0 ___ ___ ___ ___'],
      [`${bat(106, HOMER)} ${bat(107, HOMER)}`, '1 1 0 0 0 1 2 ___ ___ ___ ___'],
      [`${bat(108, OUT)} ${bat(109, OUT)} ${bat(110, OUT)}`, '2 0 0 0 0 1 2 ___ ___ ___ ___'],
    ];
    let line = '';
    for (const [verbs, state] of states) expect(valuesOf(after((line += ` ${verbs}`))), verbs).toBe(state);
    expect(baseball.leader(after(line))).toBe('second');
  });

  it('leaves the batter at the plate where a runner makes the third out', () => {
    const line = `<sog> ${bat(100, OUT)} ${bat(101, OUT)} ${bat(102, '<hit> <advance> (plate) (first)')}`;
    const state = after(`${line} <newbatter> (id_103) <ball> <caught_stealing> (first) <atbat>`);
    expect(valuesOf(state)).toBe('1 1 0 0 0 0 0 (id_103) ___ ___ ___');
  });
});

describe('the end of a game', () => {
  it('comes after nine innings, without the bottom of the ninth where home leads', () => {
    const line = `<sog> ${halves(1)} ${bat(109, HOMER)} ${halves(15)}`;
    expect(baseball.outcome(after(line))).toBeNull();
    const over = after(`${line} ${halves(1)}`);
    expect(baseball.outcome(over)).toBe('home wins 1 to 0');
    expect(baseball.legal(over)).toEqual([]);
  });

  it('comes with the run that decides it, batter at the plate or not', () => {
    const ninth = `<sog> ${halves(17)} ${bat(109, '<hit> <advance> (plate) (third)')}`;
    const walkOff = after(`${ninth} <newbatter> (id_110) <ball> <advance> (third) (score) <atbat>`);
    expect(baseball.outcome(walkOff)).toBe('home wins 1 to 0');
    expect(valuesOf(walkOff)).toBe('9 1 0 0 0 0 1 (id_110) ___ ___ ___');
  });

  it('waits in extra innings for the bottom half', () => {
    const tenth = `<sog> ${halves(18)} ${bat(109, HOMER)}`;
    expect(valuesOf(after(tenth))).toBe('10 0 0 0 0 1 0 ___ ___ ___ ___');
    expect(baseball.outcome(after(tenth))).toBeNull();
    expect(baseball.outcome(after(`${tenth} ${halves(2)}`))).toBe('away wins 1 to 0');
    expect(baseball.outcome(after(`${tenth} ${halves(1)} ${bat(110, HOMER)}`))).toBeNull();
    expect(baseball.outcome(after(`${tenth} ${halves(1)} ${bat(110, HOMER)} ${bat(111, HOMER)}`))).toBe(
      'home wins 2 to 1',
    );
  });
});

describe('errors', () => {
  it.each([
    ['<newbatter> (id_100)', 'Token 1, <newbatter> (id_100): the game has not begun; the first verb is <sog>.'],
    ['[start] <sog> <ball> [end]', 'Token 3, <ball>: a plate appearance has ended; <newbatter> comes next.'],
    ['<sog> <sog>', 'Token 2, <sog>: the game has begun already.'],
    ['<sog> <newbatter>', 'Token 2: the line ends within a verb: <newbatter> takes one (players such as (id_100)).'],
    ['<sog> <newbatter> (first)', 'Token 3: "(first)" stands where <newbatter> takes one (players such as (id_100)).'],
    ['<sog> e2e4', 'Token 2: "e2e4" stands where a verb should, such as <ball> or <advance>.'],
    ['<sog> __proto__', 'Token 2: "__proto__" stands where a verb should, such as <ball> or <advance>.'],
    ['<sog> <newbatter> (id_100) [end] <ball>', 'Token 4: "[end]" stands where a verb should'],
    ['<sog> <newbatter> (id_150)', '(id_150) is beyond (id_149), the last of the 50 players'],
    ['<sog> <newbatter> (id_099)', '"(id_099)" stands where'],
    ['<sog> <newbatter> (id_100) <out> (first)', 'Token 4, <out> (first): nobody is on first.'],
    ['<sog> <newbatter> (id_100) <out> (score)', 'nobody stands at (score)'],
    ['<sog> <newbatter> (id_100) <advance> (plate) (plate)', 'a runner advances to a base ahead of plate'],
    ['<sog> <newbatter> (id_100) <atbat>', '(id_100) is still at the plate and the side is not out'],
    ['<sog> <newbatter> (id_100) <newbatter> (id_101)', 'the plate appearance is not over'],
    ['<sog> <newbatter> (id_100) <strike> <strike> <strike> <ball>', 'Token 7, <ball>: three strikes are called'],
    ['<sog> <newbatter> (id_100) <strike> <strike> <strike> <foul>', 'three strikes are called'],
    ['<sog> <newbatter> (id_100) <hit> <ball>', 'the ball was hit'],
    ['<sog> <newbatter> (id_100) <caught_stealing> (plate)', 'there is no runner who could be caught'],
    ['<sog> <newbatter> (id_100) <sub> (id_101) (id_100)', '(id_100) is the batter'],
    [`<sog> ${bat(100, '<advance> (plate) (first)')} <newbatter> (id_100)`, '(id_100) is on base'],
    [
      `<sog> ${bat(100, '<advance> (plate) (first)')} <newbatter> (id_101) <advance> (plate) (first)`,
      'lead runners are told first',
    ],
  ])('%s', (line, message) => expect(error(line)).toContain(message));

  it('are thrown by apply, and say which notation there is', () => {
    expect(() =>
      baseball.apply(baseball.initial(), unwrap(baseball.traces.parse(`<sog> ${bat(100, OUT)}`))[1]),
    ).toThrow(/<newbatter> \(id_100\) is not legal here/);
    expect(baseball.notation('uci')).toMatchObject({ ok: false, error: { code: 'unknown-notation' } });
  });

  it('are fewer for lines of questions, which may tell what the authors told by mistake', () => {
    const tokens =
      `<sog> ${bat(100, '<advance> (plate) (second)')} <newbatter> (id_101) <advance> (second) (second)`.split(' ');
    expect(replayTokens(tokens)).toMatchObject({ ok: false });
    const loose = unwrap(replayTokens(tokens, { rules: whyImpossible }));
    expect(valuesOf(loose.state)).toBe('1 0 0 0 0 0 0 (id_101) ___ ___ ___');
  });
});

describe('the vocabulary', () => {
  it('has the 144 tokens of the paper, each once', () => {
    expect(vocabulary.size).toBe(144);
    expect(new Set(vocabulary.tokens).size).toBe(144);
    for (const token of ['<sog>', '(score)', '[third]', '(id_149)', '29', '___', 'Q3', 'A3', '[sep]'])
      expect(vocabulary.tokens[vocabulary.id(token)!]).toBe(token);
    expect(vocabulary.id('constructor')).toBeUndefined();
  });

  it('has a token for every value of every variable', () => {
    expect(baseball.variables).toHaveLength(11);
    for (const { values } of baseball.variables)
      for (const value of values) expect(vocabulary.id(value)).toBeTypeOf('number');
  });
});

it('knows what every token is by its spelling', () => {
  const line = `[start] <sog> <newbatter> (id_100) <advance> (plate) (first) <sub> (id_101) (id_100) <out> (first) <atbat> [sep] Q1 [outs] 3 [end]`;
  const { slots } = slotsOf(
    baseballSlots,
    line.split(' ').map((token) => vocabulary.id(token)!),
  );
  expect(Array.from(slots, (slot) => SLOT_KINDS[slot]).join(', ')).toBe(
    'special, verb, verb, batter, verb, base, base reached, verb, substitute, player replaced, verb, base, verb, ' +
      'special, question part, question part, question part, special',
  );
});

describe('the notation', () => {
  it('refuses tokens that tell no game', () => {
    const ids = (line: string) => line.split(' ').map((token) => vocabulary.id(token) ?? 999);
    const failure = (line: string) => splatNotation.decode(ids(line));
    expect(failure('<sog>')).toMatchObject({ ok: false, error: { code: 'no-begin' } });
    expect(failure('[start] <sog> [end] <ball>')).toMatchObject({ ok: false, error: { code: 'bad-tokens' } });
    expect(failure('[start] <sog> what')).toMatchObject({ ok: false, error: { code: 'not-a-verb' } });
    expect(failure('[start] <sog> <atbat>')).toMatchObject({ ok: false, error: { code: 'illegal-verb' } });
    expect(unwrap(failure('[start] <sog> [end] [pad] [pad]'))).toEqual(Uint16Array.of(0));
  });

  it('throws on codes that no event has', () => {
    expect(() => eventText(11 << 12)).toThrow(RangeError);
    expect(() => eventText((1 << 12) | (50 << 6))).toThrow(RangeError);
  });
});

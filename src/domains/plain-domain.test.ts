import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../base/result.ts';
import { slotsOf } from '../base/slot-grammar.ts';
import { plainDomain, type PlainGame } from './plain-domain.ts';
import { PLAIN_SLOT_KINDS } from './plain-notation.ts';

/** Two players add 1, 2 or 3 in turn; whoever reaches 21 wins. Moves share their spelling with values of the total. */
interface Race {
  total: number;
  moves: number;
}
const toy: PlainGame<Race> = {
  name: 'race',
  title: 'Race to 21',
  initial: () => ({ total: 0, moves: 0 }),
  apply: ({ total, moves }, event) => ({ total: total + event + 1, moves: moves + 1 }),
  // In no order and past the end, which plainDomain has to put right.
  legal: ({ total }) => [2, 0, 1].filter((event) => total + event + 1 <= 21),
  events: ['1', '2', '3'],
  variables: [
    { name: 'total', values: Array.from({ length: 22 }, (_, i) => `${i}`), of: ({ total }) => `${total}` },
    { name: 'turn', values: ['one', 'two'], of: ({ moves }) => (moves % 2 === 0 ? 'one' : 'two') },
  ],
  leader: ({ total, moves }) => ((21 - total) % 4 === 0 ? (moves % 2 === 0 ? 'second' : 'first') : 'level'),
  outcome: ({ total, moves }) => (total < 21 ? null : moves % 2 === 1 ? 'one wins' : 'two wins'),
  description: 'Numbers drawn by chance.',
};
const race = plainDomain(toy);
const splat = unwrap(race.notation('splat'));
const { vocabulary } = splat;
const ids = (line: string) => line.split(' ').map((token) => vocabulary.id(token) ?? 9999);

/** Moves that chance might make, told by the sum alone. */
const someGame = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 30 }).map((adds) => {
  const kept: number[] = [];
  let total = 0;
  for (const add of adds) if (total + add <= 21) total += kept[kept.push(add) - 1];
  return kept;
});

describe('traces of a game written down plainly', () => {
  it('are read, checked and written back', () => {
    fc.assert(
      fc.property(someGame, (adds) => {
        const line = adds.join(' ');
        const trace = unwrap(race.traces.parse(line));
        expect([...trace]).toEqual(adds.map((add) => add - 1));
        expect(race.traces.format(trace)).toBe(line);
        const state = trace.reduce((now, event) => race.apply(now, event), race.initial());
        expect(race.variables[0].of(state)).toBe(`${adds.reduce((sum, add) => sum + add, 0)}`);
      }),
    );
    expect(unwrap(race.traces.parse(' [start] 3  1\t[end] '))).toEqual(Uint16Array.of(2, 0));
    expect(unwrap(race.traces.parse(''))).toHaveLength(0);
  });

  it('fail with code, place and what to do', () => {
    const failure = (line: string) => {
      const parsed = race.traces.parse(line);
      return parsed.ok ? null : parsed.error;
    };
    expect(failure('1 4 2')).toEqual({
      code: 'not-a-verb',
      message: 'Event 2, "4", is no event of this game; write one of 1 2 3.',
      where: { ply: 2 },
    });
    expect(failure('3 3 3 3 3 3 2 3')).toEqual({
      code: 'illegal-verb',
      message: 'Event 8, "3": the rules do not allow it here; what they allow is 1.',
      where: { ply: 8 },
    });
    expect(failure('3 3 3 3 3 3 3 1')?.message).toContain('Event 8, "1": the game is over (one wins)');
    expect(failure('3 __proto__')?.code).toBe('not-a-verb');
    expect(failure('3 [start] 3')?.where?.ply).toBe(2);
    expect(race.notation('uci')).toMatchObject({ ok: false, error: { code: 'unknown-notation' } });
    expect(() => race.apply({ total: 20, moves: 3 }, 1)).toThrow('2 is not legal here');
    expect(race.legal({ total: 0, moves: 0 })).toEqual([0, 1, 2]);
    expect(race.legal({ total: 21, moves: 9 })).toEqual([]);
    expect(() => race.traces.format([3])).toThrow(RangeError);
  });
});

describe('its notation', () => {
  it('has each spelling once: 4 special, 22 totals of which 3 are moves, 2 names, 2 turns, 32 indicators', () => {
    expect(vocabulary.size).toBe(4 + 22 + 2 + 2 + 32);
    expect(new Set(vocabulary.tokens).size).toBe(vocabulary.size);
    expect(vocabulary.tokens.slice(0, 9).join(' ')).toBe('[pad] [start] [end] [sep] 1 2 3 [total] [turn]');
    for (const token of ['0', '21', 'one', 'Q0', 'Q15', 'A0', 'A15'])
      expect(vocabulary.tokens[vocabulary.id(token)!]).toBe(token);
    expect([vocabulary.pad, vocabulary.begin, vocabulary.end]).toEqual([0, 1, 2]);
  });

  it('reads back what it wrote, a token an event', () => {
    fc.assert(
      fc.property(someGame, fc.boolean(), (adds, closed) => {
        const trace = Uint16Array.from(adds, (add) => add - 1);
        const tokens = splat.encode(trace, { random: null, closed });
        expect(tokens.map((id) => vocabulary.tokens[id]).join(' ')).toBe(
          ['[start]', ...adds, ...(closed ? ['[end]'] : [])].join(' '),
        );
        expect(tokens.length).toBeLessThanOrEqual(splat.maxTokens(adds.length));
        expect(unwrap(splat.decode([...tokens, ...(closed ? [0, 0] : [])]))).toEqual(trace);
      }),
    );
  });

  it('refuses tokens that tell no game', () => {
    const code = (line: string) => {
      const decoded = splat.decode(ids(line));
      return decoded.ok ? 'none' : `${decoded.error.code} ${decoded.error.where?.ply ?? ''}`.trim();
    };
    expect(code('1 2')).toBe('no-begin');
    expect(code('[start] 1 [end] 2')).toBe('bad-tokens');
    expect(code('[start] 1 [sep] Q2')).toBe('not-a-verb 2');
    expect(code('[start] 1 what')).toBe('not-a-verb 2');
    expect(code('[start] 3 3 3 3 3 3 2 2')).toBe('illegal-verb 8');
    expect(() => splat.encode([7], { random: null, closed: false })).toThrow(RangeError);
  });

  it('allows what keeps the sum at 21 or below, then the end', () => {
    const words = Math.ceil(vocabulary.size / 32);
    fc.assert(
      fc.property(someGame, (adds) => {
        const trace = Uint16Array.from(adds, (add) => add - 1);
        const tokens = splat.encode(trace, { random: null, closed: true });
        const sets = splat.valid(trace, tokens);
        expect(sets).toHaveLength(tokens.length * words);
        const allowed = (row: number) =>
          vocabulary.tokens.filter((_, id) => (sets[row * words + Math.floor(id / 32)] >>> (id % 32)) % 2 === 1);
        expect(allowed(0)).toEqual(['[start]']);
        let total = 0;
        for (const [i, add] of adds.entries()) {
          expect(allowed(i + 1)).toEqual([1, 2, 3].filter((next) => total + next <= 21).map(String));
          total += add;
        }
        expect(allowed(tokens.length - 1)).toEqual(['[end]']);
        expect(splat.valid(trace, tokens.slice(0, 2))).toEqual(sets.slice(0, 2 * words));
      }),
    );
    expect(() => splat.valid([0], ids('[start] 2'))).toThrow('token 2');
    expect(() => splat.valid([0], ids('[start] 1 [end] [end]'))).toThrow('token 4');
  });

  it('tells an event from a value of the same spelling by what stands before it', () => {
    const { slots } = slotsOf(splat.slots, ids('[start] 1 3 [sep] Q3 [total] 3 3 1 2 2 2 [end] Q2 A3'));
    expect(Array.from(slots, (slot) => PLAIN_SLOT_KINDS[slot]).join(' ')).toBe(
      'special event event special question variable value event event event event event special question answer',
    );
  });
});

describe('its invented games', () => {
  it('are legal, end at 21, and are the same however many are asked for', () => {
    const games = [...race.invented!.games(300, 5)];
    expect([...race.invented!.games(20, 5)]).toEqual(games.slice(0, 20));
    expect([...race.invented!.games(20, 6)]).not.toEqual(games.slice(0, 20));
    for (const game of games) expect([...game].reduce((sum, event) => sum + event + 1, 0)).toBe(21);
    // Uniform: 100 of 300 expected of each first move, with a standard deviation of 8.
    for (const event of [0, 1, 2])
      expect(Math.abs(games.filter((game) => game[0] === event).length - 100)).toBeLessThan(30);
    expect(race.invented!.description).toBe(toy.description);
  });

  it('are broken off where nothing ends them', () => {
    const endless = { ...toy, outcome: () => null, legal: () => [0], apply: (state: Race) => state };
    expect([...plainDomain(endless).invented!.games(1, 1)][0]).toHaveLength(300);
    expect([...plainDomain({ ...endless, longest: 7 }).invented!.games(1, 1)][0]).toHaveLength(7);
  });
});

describe('a game that contradicts itself', () => {
  const [total, turn] = toy.variables;
  it.each<[string, Partial<PlainGame<Race>>]>([
    ['small letters', { name: 'Race' }],
    ['no events', { events: [] }],
    ['has a space', { events: ['add 1', '2', '3'] }],
    ['spelled alike', { events: ['1', '1', '3'] }],
    ['another token', { events: ['[start]', '2', '3'] }],
    ['another token', { events: ['[turn]', '2', '3'] }],
    ['a token that asks', { events: ['Q1', '2', '3'] }],
    ['another token', { variables: [total, { ...turn, name: 'end' }] }],
    ['has a space', { variables: [{ ...turn, name: 'whose turn' }] }],
    ['spelled alike', { variables: [turn, turn] }],
    ['its values do not list', { variables: [{ ...total, values: ['1', '2'] }] }],
    ['there are events 0 to 2 only', { legal: () => [3] }],
    ['nothing is legal', { legal: () => [] }],
  ])('%s', (expected, change) => expect(() => plainDomain({ ...toy, ...change })).toThrow(expected));
});

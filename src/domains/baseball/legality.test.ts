import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { baseball } from './baseball.ts';
import { eventText, SUB, verbOf } from './events.ts';
import { nextTokens } from './next-tokens.ts';
import { isLegal, legalEvents } from './rules.ts';
import { simulateGame } from './simulator/game.ts';
import { splatNotation } from './splat-notation.ts';
import { BaseballState } from './state.ts';
import { vocabulary } from './vocabulary.ts';

/** A walk through legal events, the verb drawn before its arguments so that rare verbs come up. */
function walk(seed: number, verbs: number): { trace: number[]; state: BaseballState } {
  const random = seededRandom('walk', seed);
  const state = new BaseballState();
  const trace: number[] = [];
  while (trace.length < verbs) {
    const events = legalEvents(state);
    if (events.length === 0) break;
    const kinds = [...new Set(events.map(verbOf))];
    const kind = kinds[random.below(kinds.length)];
    const fitting = events.filter((event) => verbOf(event) === kind);
    const event = fitting[random.below(fitting.length)];
    state.play(event);
    trace.push(event);
  }
  return { trace, state };
}

const games = fc.record({ seed: fc.integer({ min: 0, max: 1e6 }), verbs: fc.integer({ min: 0, max: 400 }) });

/** The program over again, on the words themselves. */
function byWords(line: string): Record<string, string> {
  const value = new Map<string, string>();
  const number = (name: string) => Number(value.get(name) ?? 0);
  const add = (name: string) => value.set(name, String(number(name) + 1));
  const bare = (word: string) => word.slice(1, -1);
  const words = line.split(' ');
  while (words.length > 0) {
    const verb = words.shift()!;
    if (verb === '<newbatter>') value.set('plate', words.shift()!);
    if (verb === '<ball>') add('balls');
    if (verb === '<strike>' || (verb === '<foul>' && number('strikes') < 2)) add('strikes');
    if (verb === '<out>' || verb === '<caught_stealing>') {
      value.delete(bare(words.shift()!));
      add('outs');
    }
    if (verb === '<sub>') {
      const [fresh, tired] = [words.shift()!, words.shift()!];
      for (const [name, player] of value) if (player === tired) value.set(name, fresh);
    }
    if (verb === '<advance>') {
      const [from, to] = [bare(words.shift()!), bare(words.shift()!)];
      if (to === 'score') add(number('half') === 0 ? 'away' : 'home');
      else value.set(to, value.get(from)!);
      value.delete(from);
    }
    if (verb !== '<atbat>') continue;
    for (const name of ['balls', 'strikes']) value.delete(name);
    if (value.get('outs') !== '3') continue;
    for (const name of ['outs', 'first', 'second', 'third']) value.delete(name);
    if (value.delete('half')) add('inning');
    else value.set('half', '1');
  }
  const told: Record<string, string> = {};
  for (const { name } of baseball.variables) {
    const empty = ['plate', 'first', 'second', 'third'].includes(name) ? '___' : '0';
    told[name] = name === 'inning' ? String(number('inning') + 1) : (value.get(name) ?? empty);
  }
  return told;
}

describe('legality', () => {
  it('lists exactly the codes that are legal one by one, ascending', () => {
    fc.assert(
      fc.property(games, ({ seed, verbs }) => {
        const { state } = walk(seed, verbs);
        const events: number[] = [];
        for (let event = 0; event < 65536; event++) if (isLegal(state, event)) events.push(event);
        expect(baseball.legal(state)).toEqual(events);
      }),
      { numRuns: 60 },
    );
  });

  it('has next tokens that spell exactly the legal events', () => {
    fc.assert(
      fc.property(games, ({ seed, verbs }) => {
        const { state } = walk(seed, verbs);
        const spelt: string[] = [];
        const grow = (partial: number[]): void => {
          const next = nextTokens(state, partial);
          if (!next.ok) spelt.push(partial.map((id) => vocabulary.tokens[id]).join(' '));
          else if (next.value.includes(vocabulary.end)) expect(next.value).toEqual([vocabulary.end]);
          else for (const token of next.value) grow([...partial, token]);
        };
        grow([]);
        expect(spelt.sort()).toEqual(legalEvents(state).map(eventText).sort());
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a verb that is complete, or cannot be', () => {
    const { state } = walk(1, 2);
    for (const token of ['<ball>', '<atbat>', '29', '[end]'])
      expect(nextTokens(state, [vocabulary.id(token)!])).toMatchObject({ ok: false, error: { code: 'not-legal' } });
  });

  it('lets a plate appearance go on after four balls', () => {
    const line = '<sog> <newbatter> (id_100) <ball> <strike> <foul> <ball> <ball> <ball> <foul> <ball> <hit>';
    const trace = unwrap(baseball.traces.parse(line));
    const state = trace.reduce((now, event) => baseball.apply(now, event), baseball.initial());
    expect(baseball.variables.find(({ name }) => name === 'balls')!.of(state)).toBe('5');
    const before = trace.subarray(0, -1).reduce((now, event) => baseball.apply(now, event), baseball.initial());
    for (const verb of ['<ball>', '<strike>', '<foul>', '<hit>', '<advance>'])
      expect(unwrap(nextTokens(before as BaseballState))).toContain(vocabulary.id(verb));
  });

  it('lets every verb happen', () => {
    const seen = new Set<number>();
    for (let seed = 0; seed < 40; seed++) for (const event of walk(seed, 300).trace) seen.add(verbOf(event));
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(seen.has(SUB)).toBe(true);
  });
});

describe('replay', () => {
  it('agrees with a program written differently, in walks and in simulated games', () => {
    fc.assert(
      fc.property(games, fc.boolean(), ({ seed, verbs }, simulated) => {
        const trace = simulated
          ? simulateGame(seededRandom('game', seed)).subarray(0, verbs)
          : Uint16Array.from(walk(seed, verbs).trace);
        const state = trace.reduce((now, event) => baseball.apply(now, event), baseball.initial());
        const told = Object.fromEntries(baseball.variables.map((variable) => [variable.name, variable.of(state)]));
        expect(told).toEqual(byWords(baseball.traces.format(trace)));
      }),
      { numRuns: 100 },
    );
  });

  it('reads back what it wrote, as text and as tokens', () => {
    fc.assert(
      fc.property(games, fc.boolean(), ({ seed, verbs }, closed) => {
        const trace = Uint16Array.from(walk(seed, verbs).trace);
        expect(unwrap(baseball.traces.parse(baseball.traces.format(trace)))).toEqual(trace);
        const tokens = splatNotation.encode(trace, { random: null, closed });
        expect(tokens.length).toBeLessThanOrEqual(splatNotation.maxTokens(trace.length));
        expect(unwrap(splatNotation.decode(tokens))).toEqual(trace);
      }),
    );
  });

  it('never throws on lines of any words', () => {
    const words = fc.constantFrom(...vocabulary.tokens, '<sog>', '(id_150)', '(id_1000000)', '__proto__', '<', '');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.boolean(), (line, begun) => {
        const parsed = baseball.traces.parse((begun ? '<sog> <newbatter> (id_100) ' : '') + line.join(' '));
        if (!parsed.ok) expect(parsed.error.message).toMatch(/^Token \d+/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('valid tokens', () => {
  const allowed = (sets: Int32Array, row: number): number[] => {
    const words = sets.length === 0 ? 0 : Math.ceil(vocabulary.size / 32);
    return vocabulary.tokens.flatMap((_, v) => ((sets[row * words + (v >> 5)] >> (v & 31)) & 1 ? [v] : []));
  };

  it('are the next tokens of every prefix', () => {
    const { trace } = walk(7, 120);
    const tokens = splatNotation.encode(trace, { random: null, closed: true });
    const sets = splatNotation.valid(trace, tokens);
    expect(sets).toHaveLength(tokens.length * 5);
    expect(allowed(sets, 0)).toEqual([vocabulary.begin]);
    expect(allowed(sets, tokens.length - 1)).toEqual([vocabulary.end]);
    let row = 1;
    const state = new BaseballState();
    for (const event of trace) {
      const length = eventText(event).split(' ').length;
      for (let i = 0; i < length; i++, row++) {
        const expected = legalEvents(state)
          .map((legal) => eventText(legal).split(' '))
          .filter((words) => words.slice(0, i).every((word, j) => vocabulary.id(word) === tokens[row - i + j]))
          .map((words) => vocabulary.id(words[i])!);
        expect(allowed(sets, row)).toEqual([...new Set(expected)].sort((a, b) => a - b));
      }
      state.play(event);
    }
  });

  it('may be asked of a beginning, and of nothing else', () => {
    const { trace } = walk(8, 50);
    const tokens = splatNotation.encode(trace, { random: null, closed: true });
    const sets = splatNotation.valid(trace, tokens);
    expect(splatNotation.valid(trace, tokens.slice(0, 20))).toEqual(sets.slice(0, 100));
    expect(() => splatNotation.valid(trace, [...tokens, vocabulary.pad])).toThrow();
    expect(() => splatNotation.valid(trace.slice(0, 30), tokens)).toThrow();
  });
});

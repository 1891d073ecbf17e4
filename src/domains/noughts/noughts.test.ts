import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../base/result.ts';
import { domainNamed } from '../domains.ts';
import { noughts, SQUARES } from './noughts.ts';

type State = ReturnType<typeof noughts.initial>;

/** Noughts and crosses again, from the squares played: a grid of letters, in which lines are walked step by step. */
class Grid {
  readonly marks = new Map<string, string>();
  constructor(readonly played: readonly string[]) {
    played.forEach((square, i) => this.marks.set(square, 'XO'[i % 2]));
  }

  /** What stands on each of the eight lines, "XXO" without the empty squares. */
  lines(): string[] {
    const walk = (from: string, right: number, up: number) =>
      [0, 1, 2]
        .map((step) => 'abc'['abc'.indexOf(from[0]) + right * step] + (Number(from[1]) + up * step))
        .map((square) => this.marks.get(square) ?? '')
        .join('');
    return [
      ...['1', '2', '3'].map((row) => walk(`a${row}`, 1, 0)),
      ...['a', 'b', 'c'].map((column) => walk(`${column}1`, 0, 1)),
      walk('a1', 1, 1),
      walk('a3', 1, -1),
    ];
  }

  outcome(): string | null {
    for (const mark of 'XO') if (this.lines().includes(mark.repeat(3))) return `${mark} wins`;
    return this.marks.size === 9 ? 'a draw' : null;
  }

  free(): string[] {
    return this.outcome() ? [] : SQUARES.filter((square) => !this.marks.has(square));
  }

  leader(): string {
    const outcome = this.outcome();
    if (outcome === 'X wins') return 'first';
    if (outcome === 'O wins') return 'second';
    const alone = (pattern: RegExp) => this.lines().filter((line) => pattern.test(line)).length;
    const [crosses, rings] = [alone(/^X+$/), alone(/^O+$/)];
    return crosses === rings ? 'level' : crosses > rings ? 'first' : 'second';
  }
}

const value = (state: State, name: string) => noughts.variables.find((variable) => variable.name === name)!.of(state);

describe('noughts and crosses', () => {
  it('goes as a second program says, at every event of any game', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...SQUARES], { minLength: 9, maxLength: 9 }), (order) => {
        let state = noughts.initial();
        for (let n = 0; n <= 9; n++) {
          const grid = new Grid(order.slice(0, n));
          const free = grid.free();
          expect(noughts.legal(state).map((square) => SQUARES[square])).toEqual(free);
          expect(noughts.outcome(state)).toBe(grid.outcome());
          expect(noughts.leader(state)).toBe(grid.leader());
          for (const square of SQUARES) expect(value(state, square)).toBe(grid.marks.get(square) ?? 'empty');
          expect(value(state, 'turn')).toBe('XO'[n % 2]);
          const line = order.slice(0, n + 1).join(' ');
          if (free.length === 0) {
            expect(noughts.traces.parse(line).ok).toBe(n === 9);
            break;
          }
          state = noughts.apply(state, SQUARES.indexOf(order[n] as (typeof SQUARES)[number]));
          expect(unwrap(noughts.traces.parse(line))).toHaveLength(n + 1);
        }
      }),
    );
  });

  it('has 5,478 positions and 255,168 games: 131,184 won by X, 77,904 by O, 46,080 drawn', () => {
    const seen = new Map<string, number[]>();
    const count = (state: State): number[] => {
      const key = JSON.stringify(state);
      const known = seen.get(key);
      if (known) return known;
      const outcome = noughts.outcome(state);
      const sums = ['X wins', 'O wins', 'a draw'].map((end) => Number(end === outcome));
      for (const square of noughts.legal(state))
        count(noughts.apply(state, square)).forEach((games, end) => (sums[end] += games));
      seen.set(key, sums);
      return sums;
    };
    expect(count(noughts.initial())).toEqual([131_184, 77_904, 46_080]);
    expect(seen.size).toBe(5478);
  });

  it('is over by chance as often for each as chance says: X 58.5, O 28.8, drawn 12.7 in 100', () => {
    const games = [...noughts.invented!.games(2000, 1)];
    const ends = games.map((game) =>
      noughts.outcome(game.reduce((s, square) => noughts.apply(s, square), noughts.initial())),
    );
    const share = (end: string) => ends.filter((told) => told === end).length / games.length;
    // Three standard errors of 2,000 games.
    expect(Math.abs(share('X wins') - 0.585)).toBeLessThan(0.033);
    expect(Math.abs(share('O wins') - 0.288)).toBeLessThan(0.031);
    expect(Math.abs(share('a draw') - 0.127)).toBeLessThan(0.023);
  });

  it('says what is wrong with a line', () => {
    const message = (line: string) => {
      const parsed = noughts.traces.parse(line);
      return parsed.ok ? '' : parsed.error.message;
    };
    expect(message('a1 b2 a1')).toBe(
      'Event 3, "a1": the rules do not allow it here; what they allow is b1 c1 a2 c2 a3 b3 c3.',
    );
    expect(message('a1 b1 a2 b2 a3 b3')).toBe(
      'Event 6, "b3": the game is over (X wins), so that nothing follows; end the line before it.',
    );
  });

  it('is listed among the games of the lab, and has 58 tokens', () => {
    expect(unwrap(domainNamed('noughts')).title).toBe('Noughts and crosses');
    // 4 special, 9 squares, 10 names, empty X O, 32 indicators.
    expect(unwrap(noughts.notation('splat')).vocabulary.size).toBe(4 + 9 + 10 + 3 + 32);
  });
});

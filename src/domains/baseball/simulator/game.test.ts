import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { baseball } from '../baseball.ts';
import { ATBAT, eventText, firstOf, NEWBATTER, SUB, verbOf } from '../events.ts';
import { splatNotation } from '../splat-notation.ts';
import { BaseballState } from '../state.ts';
import { simulateGame, simulateGames } from './game.ts';

const GAMES = 1500;
let games: Uint16Array[] = [];
beforeAll(() => {
  games = [...simulateGames(GAMES, 1)];
});

const mean = (of: (game: Uint16Array) => number): number => games.reduce((sum, game) => sum + of(game), 0) / GAMES;
const count = (game: Uint16Array, verb: number): number => game.filter((event) => verbOf(event) === verb).length;
function finalState(game: Uint16Array): BaseballState {
  const state = new BaseballState();
  for (const event of game) state.play(event);
  return state;
}

it('plays whole games by the rules, the same ones for the same seed', () => {
  for (const game of games.slice(0, 300)) {
    expect(unwrap(baseball.traces.parse(baseball.traces.format(game)))).toEqual(game);
    expect(baseball.outcome(finalState(game))).toMatch(/wins/);
  }
  expect([...simulateGames(3, 1)]).toEqual(games.slice(0, 3));
  expect(simulateGame(seededRandom('baseball', 1, 2))).toEqual(games[2]);
  expect([...simulateGames(1, 2)][0]).not.toEqual(games[0]);
});

it('numbers players in the order in which they appear', () => {
  for (const game of games) {
    let seen = 0;
    for (const event of game) {
      if (verbOf(event) !== NEWBATTER && verbOf(event) !== SUB) continue;
      expect(firstOf(event)).toBeLessThanOrEqual(seen);
      if (firstOf(event) === seen) seen++;
    }
    expect(seen).toBeGreaterThanOrEqual(18);
  }
});

describe('the statistics of whole games', () => {
  it('have the paper’s 704.2 tokens within 2%', () => {
    const tokens = mean((game) => splatNotation.encode(game, { random: null, closed: false }).length - 1);
    expect(tokens / 704.2).toBeGreaterThan(0.98);
    expect(tokens / 704.2).toBeLessThan(1.02);
  });

  // Retrosheet 2015: 75.8 plate appearances and 8.5 runs a game; the league's runs from 2008 to 2018 lie between 8.1 and 9.3.
  it('have plate appearances and runs as the league has them', () => {
    expect(Math.abs(mean((game) => count(game, ATBAT)) - 75.8)).toBeLessThan(1.5);
    const runs = mean((game) => finalState(game).away + finalState(game).home);
    expect(runs).toBeGreaterThan(8.3);
    expect(runs).toBeLessThan(9.3);
  });

  it('go to extra innings, end in walk-offs, and name fewer than 50 players', () => {
    const ends = games.map(finalState);
    // About one game in eleven, and one in eleven or twelve: league records.
    const extra = ends.filter(({ inning, half }) => inning > 10 || (inning === 10 && half === 1)).length / GAMES;
    expect(Math.abs(extra - 0.09)).toBeLessThan(0.03);
    const walkOffs = games.filter((game) => finalState(game.subarray(0, -1)).isWalkOff()).length / GAMES;
    expect(Math.abs(walkOffs - 0.085)).toBeLessThan(0.03);
    // 51 substitutions in 27,460 plate appearances of the released validation lines.
    const subs = mean((game) => count(game, SUB)) / mean((game) => count(game, ATBAT));
    expect(Math.abs(subs - 51 / 27460)).toBeLessThan(0.0006);
    const most = Math.max(
      ...games.map((game) => Math.max(...Array.from(game, (e) => (verbOf(e) === NEWBATTER ? firstOf(e) : 0)))),
    );
    expect(most).toBeGreaterThan(24);
    expect(most).toBeLessThan(50);
  });
});

/** Outcomes (verbs but pitches) of plate appearances that began with these outs and runners, and how many there were. */
function outcomesAt(outs: number, runners: string): { shares: Map<string, number>; n: number } {
  const counts = new Map<string, number>();
  let n = 0;
  for (const game of games) {
    const state = new BaseballState();
    let verbs: string[] | null = null;
    for (const event of game) {
      if (verbOf(event) === NEWBATTER) {
        const on = [1, 2, 3].map((base) => (state.bases[base] >= 0 ? '1' : '0')).join('');
        verbs = state.outs === outs && on === runners ? [] : null;
      } else if (verbOf(event) === ATBAT && verbs) {
        const line = verbs.join(' ');
        counts.set(line, (counts.get(line) ?? 0) + 1);
        n++;
      } else if (verbs && verbOf(event) > 4 && verbOf(event) !== SUB) verbs.push(eventText(event));
      state.play(event);
    }
  }
  return { shares: new Map([...counts].map(([line, times]) => [line, times / n])), n };
}

describe('the statistics of plate appearances', () => {
  // Counts in the released lines; the simulator leans to outs by 5 in 100 (outcomes.ts), at most 1.5 points of share.
  it.each([
    [
      0,
      '000',
      14284,
      {
        '<out> (plate)': 9447,
        '<hit> <advance> (plate) (first)': 2415,
        '<advance> (plate) (first)': 1136,
        '<hit> <advance> (plate) (score)': 385,
      },
    ],
    [
      1,
      '000',
      9691,
      { '<out> (plate)': 6479, '<hit> <advance> (plate) (first)': 1551, '<advance> (plate) (first)': 866 },
    ],
    [
      0,
      '100',
      3605,
      {
        '<out> (plate)': 1096,
        '<advance> (first) (second) <out> (plate)': 429,
        '<out> (first) <out> (plate)': 423,
        '<caught_stealing> (first) <advance> (plate) (first)': 219,
      },
    ],
  ] as [number, string, number, Record<string, number>][])(
    'with %i out and runners %s, end as they do in the released lines',
    (outs, runners, total, counts) => {
      const { shares, n } = outcomesAt(outs, runners);
      for (const [line, times] of Object.entries(counts)) {
        const share = times / total;
        const error = 4 * Math.sqrt((share * (1 - share)) / n);
        expect(Math.abs(shares.get(line)! - share), line).toBeLessThan(0.015 + error);
      }
    },
  );

  // P(next verb) at each count with a batter at the plate: the SPLAT specification's table over all released lines.
  it.each([
    ['0-0', [0.323, 0.309, 0.108, 0.07, 0.061]],
    ['0-1', [0.367, 0.222, 0.102, 0.142, 0.054]],
    ['0-2', [0.384, 0.217, 0.101, 0.145, 0.049]],
    ['1-0', [0.325, 0.268, 0.095, 0.123, 0.057]],
    ['1-1', [0.315, 0.185, 0.121, 0.166, 0.069]],
    ['1-2', [0.327, 0.146, 0.132, 0.179, 0.07]],
    ['2-0', [0.359, 0.262, 0.081, 0.122, 0.059]],
    ['2-1', [0.252, 0.178, 0.131, 0.186, 0.083]],
    ['2-2', [0.248, 0.144, 0.151, 0.208, 0.079]],
    ['3-0', [0.525, 0.4, 0.016, 0.023, 0.01]],
    ['3-1', [0.24, 0.202, 0.131, 0.178, 0.081]],
    ['3-2', [0.178, 0.122, 0.171, 0.234, 0.1]],
  ])('at %s, go on as in the released lines', (at, expected) => {
    const verbs = ['<ball>', '<strike>', '<out> (plate)', '<foul>', '<hit>'];
    const counts = verbs.map(() => 0);
    let n = 0;
    for (const game of games) {
      const state = new BaseballState();
      for (const event of game) {
        if (state.phase === 'appearance' && state.bases[0] >= 0 && `${state.balls}-${state.strikes}` === at) {
          n++;
          const verb = verbs.indexOf(eventText(event));
          if (verb >= 0) counts[verb]++;
        }
        state.play(event);
      }
    }
    expected.forEach((share, i) => expect(Math.abs(counts[i] / n - share), verbs[i]).toBeLessThan(0.02));
  });
});

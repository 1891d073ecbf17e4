import { ADVANCE, CAUGHT_STEALING, eventOf, HIT, OUT } from '../events.ts';

/**
 * How plate appearances end, by outs and bases before them: counts over the 56,876 plate appearances of the SPLAT
 * authors' released baseball lines (Demeter and Downey, CoNLL 2021; the verbs of each appearance without its pitches).
 * Left out: outcomes seen fewer than three times, and those that the rules forbid (162 appearances together).
 *
 * A row is outs, then first, second and third (1 where a runner stands), then outcomes with their counts. An outcome is
 * a list of moves, lead runner first: "h" a hit; from and to for an advance, out of p (plate), 1, 2, 3 and s (score);
 * from and x for an out; from and c for a runner caught or forced.
 */
const COUNTS = `
  0000: px 9447 | h p1 2415 | p1 1136 | h p2 794 | h ps 385 | h p3 104
  0100: px 1096 | 12 px 429 | h 12 p1 425 | 1x px 423 | 12 p1 290 | 1c p1 219 | h 13 p1 177 | h 13 p2 132 | h 1s ps 94 | 13 px 86 | h 1s p2 60 | 1c px 46 | h 1s p3 18 | h 1s p1 14 | h 1s px 8 | 1x p1 8 | h 1c p1 6 | 1x p2 6 | h 1c p2 5 | h 1x p1 5 | 13 p1 4
  0010: px 325 | 23 px 264 | h 23 p1 104 | p1 64 | h 2s p1 50 | h 2s p2 47 | h 2s ps 17 | 2x p1 12 | 2x px 6 | h 2s p3 5 | h 2s px 5 | h p1 4 | h 23 p2 4
  0001: px 50 | h 3s px 31 | h 3s p1 19 | h 3s p2 13 | p1 11 | h 3s ps 3
  0110: px 239 | 23 12 px 125 | 23 12 p1 81 | 23 1x px 74 | h 23 12 p1 69 | 23 1c p1 49 | h 2s 13 p2 39 | h 2s 12 p1 37 | 23 px 31 | h 2s 1s ps 24 | h 2s 13 p1 24 | h 2s 1s p2 19 | 2c 12 p1 9 | 2x 12 px 7 | 2x px 7 | h 2s 12 px 5 | h 2s 1s p3 4 | h 2s 13 px 3 | h 2s 1c p1 3 | h 2s 1x p1 3
  0101: px 80 | h 3s 12 p1 57 | h 3s px 40 | h 3s 1x px 31 | 12 p1 29 | 12 px 22 | h 3s 12 px 14 | h 3s 13 p1 13 | h 3s 13 p2 13 | h 3s 1c p1 11 | h 3s 1s ps 7 | h 3s 1s p2 5 | 3x 12 p1 3 | 1c p1 3
  0011: px 53 | h 3s 23 px 32 | p1 28 | h 3s px 19 | h 3s 23 p1 19 | h 3s 2s p1 14 | h 3s 2s p2 10 | h 3s 2s ps 4
  0111: px 58 | h 3s 23 12 p1 26 | h 3s 23 1x px 25 | h 3s px 20 | h 3s 23 12 px 17 | h 3s 23 px 14 | 3s 23 12 p1 14 | h 3s 2s 13 p2 13 | h 3s 23 1c p1 12 | h 3s 2s 12 p1 9 | 3c 23 12 p1 8 | h 3s 2s 1s ps 6 | h 3s 2s 1s p2 6 | h 3s 2s 13 p1 5 | 3x 23 12 px 4
  1000: px 6479 | h p1 1551 | p1 866 | h p2 517 | h ps 225 | h p3 52
  1100: px 1307 | 1x px 485 | h 12 p1 485 | 12 px 418 | 12 p1 381 | 1c p1 202 | h 13 p1 160 | h 1s ps 122 | h 13 p2 107 | h 1s p2 86 | 1c px 62 | 13 px 57 | h 1s p3 28 | h 1s p1 22 | 1x p1 18 | h 1s px 17 | h 1c p1 12 | 13 p1 9 | h 1c p2 6 | 1c p2 4 | 1x p2 3 | h 1x p2 3
  1010: px 621 | 23 px 318 | p1 165 | h 2s p1 100 | h 23 p1 93 | h 2s p2 86 | h 2s ps 36 | 2x p1 27 | 23 p1 24 | 2x px 19 | h 2s px 15 | h p1 12 | h 2s p3 9 | 2c px 5 | h 23 p2 4 | 2s px 3
  1001: px 168 | h 3s px 131 | h 3s p1 111 | p1 65 | h 3s p2 28 | 3x p1 8 | h 3s ps 7 | 3x px 6 | 3s px 5
  1110: px 485 | 23 12 p1 156 | 1x px 145 | 23 12 px 124 | h 23 12 p1 93 | h 2s 12 p1 77 | 23 1c p1 76 | 23 px 50 | h 2s 13 p2 50 | h 2s 13 p1 44 | h 2s 1s ps 37 | 2x px 30 | h 2s 1s p2 24 | 2c 12 p1 15 | h 2s 12 px 8 | h 2s 1s p1 7 | h 2s 1s p3 6 | 2x 12 p1 6 | h 2s 1c p2 4 | h 2s 13 px 4 | h 2c 1s p1 3 | h 2s 1c p1 3 | 2x 13 p1 3 | 2c px 3
  1101: px 129 | h 3s 12 p1 102 | 1x px 82 | h 3s px 64 | 12 p1 55 | h 3s 12 px 34 | h 3s 13 p1 34 | h 3s 1c p1 33 | 12 px 24 | h 3s 1s ps 15 | h 3s 13 p2 15 | 3x px 11 | h 3s 1s p2 9 | 3x 12 p1 9 | 1c px 6 | h 3s 13 px 4 | 3x 12 px 4 | 3s 12 px 4 | h 12 p1 4 | 3x 13 p2 4 | h 3s 1x p2 3 | 3s 1c px 3
  1011: px 110 | p1 80 | h 3s 23 px 46 | h 3s px 40 | h 3s 23 p1 40 | h 3s 2s p2 25 | h 3s 2s p1 20 | h 3s 2s ps 7 | 3x 23 p1 5 | 3x px 5 | 3x p1 4 | 3s 23 px 4 | 3x 23 p2 3 | h 3s 2s px 3 | h 3s p1 3
  1111: px 146 | 1x px 49 | h 3s 23 12 p1 47 | h 3s px 44 | 3s 23 12 p1 40 | h 3s 2s 13 p2 27 | h 3s 23 px 27 | h 3s 23 12 px 24 | h 3s 23 1c p1 23 | h 3s 2s 12 p1 22 | 3x px 16 | 3c 23 12 p1 15 | h 3s 2s 1s ps 11 | h 3s 2s 13 p1 10 | h 3s 2s 1s p2 5
  2000: px 4880 | h p1 1184 | p1 732 | h p2 373 | h ps 201 | h p3 37
  2100: px 2057 | h 12 p1 368 | 12 p1 346 | 1c p1 250 | 12 px 173 | h 13 p1 165 | h 1s ps 109 | h 1s p2 91 | h 13 p2 82 | 1c 56 | 1x 50 | h 1s p1 32 | h 1s p3 27 | 13 px 20 | 13 p1 8 | 1x p1 8 | 1x p2 6 | h 1s px 4
  2010: px 1101 | p1 264 | h 2s p1 154 | h 2s p2 128 | h 23 p1 59 | h 2s ps 45 | 23 px 33 | 23 p1 29 | 2x p1 20 | h 2s p3 17 | h 2s px 7 | 2x 3
  2001: px 496 | p1 124 | h 3s p1 107 | h 3s p2 38 | h 3s ps 22 | 3s px 8
  2110: px 990 | 23 12 p1 166 | 1c p1 109 | h 2s 12 p1 89 | h 2s 13 p1 76 | h 23 12 p1 56 | h 2s 1s p2 46 | h 2s 13 p2 45 | h 2s 1s ps 38 | 23 12 px 23 | 2c 12 p1 21 | 2x 12 p1 13 | h 2s 1s p3 11 | h 2s 1x p1 9 | 23 px 7 | h 2s 1s p1 6 | h 2s 1s px 4
  2101: px 427 | 12 p1 94 | h 3s 12 p1 91 | 1c p1 63 | h 3s 13 p1 28 | h 3s 1s ps 22 | 12 px 21 | h 3s 13 p2 20 | h 3s 1s p2 15 | 3s 12 p1 8 | 3x 7 | 3s 12 px 7 | h 3s 1s p3 6 | h 3s 1s p1 4 | h 3s 1x p2 3 | 1c 3
  2011: px 271 | p1 87 | h 3s 2s p1 36 | h 3s 2s p2 28 | h 3s 2s ps 8 | h 3s 23 p1 8 | 3s 23 px 3
  2111: px 371 | 3s 23 12 p1 62 | 1c p1 37 | h 3s 2s 12 p1 35 | h 3s 2s 13 p1 26 | h 3s 2s 1s p2 19 | h 3s 2s 13 p2 17 | h 3s 23 12 p1 15 | h 3s 2s 1s ps 14 | 2c 12 p1 10 | h 3s 2s 1s p3 5 | 3s 23 12 px 3 | h 3s 2s 1x p2 3
`;

/**
 * Outcomes with an out weigh this many for each 100 of another. The released lines lose some outs: 0.688 an appearance,
 * against 0.707 in the league's own record (Retrosheet 2015), and a game made without them is two appearances too long.
 */
const OUT_WEIGHT = 105;

/**
 * How an appearance ends, as far as the pitches before it must fit: a hit; the batter out; walked or hit by a pitch, with forced runners
 * only; on base by a play in the field; or the side out with the batter at the plate.
 */
export type Ending = 'hit' | 'out' | 'walk' | 'reached' | 'cut short';

export interface PlateOutcome {
  ending: Ending;
  /** Events in order, <hit> among them. */
  events: readonly number[];
  /** Of an ending "out": it took a batted ball, since a runner was put out with the batter or forced. */
  batted: boolean;
  /** Weights of the outcomes up to this one. */
  sum: number;
}

/** [outs * 8 + bases] outcomes with their summed weights ascending; bit b of bases is base b + 1. */
export const OUTCOMES: readonly (readonly PlateOutcome[])[] = read();

function read(): PlateOutcome[][] {
  const table: PlateOutcome[][] = Array.from({ length: 24 }, () => []);
  for (const line of COUNTS.trim().split('\n')) {
    const [situation, rest] = line.trim().split(': ');
    const [outs, first, second, third] = [...situation].map(Number);
    const row = table[outs * 8 + first + 2 * second + 4 * third];
    const forced = forcedWalk([first, second, third]);
    let sum = 0;
    for (const item of rest.split(' | ')) {
      const words = item.split(' ');
      const count = Number(words.pop());
      sum += count * (words.some((word) => /[xc]$/.test(word)) ? OUT_WEIGHT : 100);
      row.push({ ...outcomeOf(words, forced), sum });
    }
  }
  return table;
}

function outcomeOf(moves: readonly string[], forced: string): Omit<PlateOutcome, 'sum'> {
  return {
    ending: endingOf(moves, forced),
    events: moves.map((move) => {
      if (move === 'h') return eventOf(HIT);
      const from = 'p123s'.indexOf(move[0]);
      if (move[1] === 'x') return eventOf(OUT, from);
      return move[1] === 'c' ? eventOf(CAUGHT_STEALING, from) : eventOf(ADVANCE, from, 'p123s'.indexOf(move[1]));
    }),
    batted: moves.some((move) => move !== 'px' && move[1] === 'x'),
  };
}

function endingOf(moves: readonly string[], forced: string): Ending {
  if (moves[0] === 'h') return 'hit';
  if (moves.join(' ') === forced) return 'walk';
  const batter = moves.find((move) => move[0] === 'p');
  return batter === undefined ? 'cut short' : batter === 'px' ? 'out' : 'reached';
}

/** The moves of a walk: the batter to first, and the runners whom that pushes on. */
function forcedWalk([first, second, third]: number[]): string {
  if (!first) return 'p1';
  if (!second) return '12 p1';
  return third ? '3s 23 12 p1' : '23 12 p1';
}

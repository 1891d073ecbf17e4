import type { Random } from '../../../base/random.ts';
import { BALL, FOUL, STRIKE } from '../events.ts';
import type { PlateOutcome } from './outcomes.ts';

/**
 * What follows at each count (rows: balls * 3 + strikes): ball, strike, foul, and the end of the appearance by a hit, by
 * an out in the field, and by the batter reaching base otherwise. Counted over the 27,460 plate appearances of the SPLAT
 * authors' released validation lines; moves of runners between pitches are passed over.
 */
const COUNTS: readonly (readonly number[])[] = [
  [10084, 9753, 2118, 1919, 3403, 174],
  [4832, 2962, 1926, 738, 1338, 70],
  [2437, 1443, 904, 310, 647, 48],
  [3780, 3072, 1422, 628, 1043, 126],
  [3382, 2011, 1779, 740, 1310, 99],
  [2992, 1348, 1634, 649, 1152, 79],
  [1518, 1129, 521, 234, 347, 29],
  [1508, 1078, 1122, 506, 744, 69],
  [1997, 1171, 1665, 674, 1239, 107],
  [815, 618, 36, 15, 26, 7],
  [616, 491, 494, 203, 331, 26],
  [944, 641, 1144, 500, 857, 38],
];
const SUMS = COUNTS.map((row) => row.reduce((sum, count) => sum + count, 0));
const [FALLS_FOR_HIT, FIELDED, REACHES] = [3, 4, 5];

/**
 * Of appearances that end as a walk does, the share kept that end before the fourth ball (hit by a pitch, an error):
 * so chosen that 8 in 100 do, as in the lines. Most ways of reaching base otherwise are endings of their own kind.
 */
const REACHES_KEPT = 0.24;

/** How the pitches of an appearance ended it. */
type PitchesEnd = 'hit' | 'fielded' | 'reached' | 'strikeout' | 'ball four';

/**
 * The pitches (verbs) of a plate appearance whose outcome is known, by rejection: pitch after pitch by the count until
 * the appearance ends, and again from the start until it ends in a way that fits. So both the outcomes by outs and bases
 * and the pitches by count keep the shares that were counted. `strikeout`: the last pitch was the third strike.
 */
export function pitchesFor(outcome: PlateOutcome, random: Random): { pitches: number[]; strikeout: boolean } {
  for (;;) {
    const { pitches, end } = draw(random);
    if (fits(outcome, end, random)) return { pitches, strikeout: end === 'strikeout' };
  }
}

function draw(random: Random): { pitches: number[]; end: PitchesEnd } {
  const pitches: number[] = [];
  let balls = 0;
  let strikes = 0;
  for (;;) {
    const row = balls * 3 + strikes;
    let at = random.below(SUMS[row]);
    let what = 0;
    while (at >= COUNTS[row][what]) at -= COUNTS[row][what++];
    if (what === FALLS_FOR_HIT) return { pitches, end: 'hit' };
    if (what === FIELDED) return { pitches, end: 'fielded' };
    if (what === REACHES) return { pitches, end: 'reached' };
    pitches.push([BALL, STRIKE, FOUL][what]);
    if (what === 0) balls++;
    else if (what === 1 || strikes < 2) strikes++;
    if (balls === 4) return { pitches, end: 'ball four' };
    if (strikes === 3) return { pitches, end: 'strikeout' };
  }
}

function fits({ ending, batted }: PlateOutcome, end: PitchesEnd, random: Random): boolean {
  switch (ending) {
    case 'hit':
      return end === 'hit';
    case 'out':
      return end === 'fielded' || (end === 'strikeout' && !batted);
    case 'walk':
      return end === 'ball four' || (end === 'reached' && random.next() < REACHES_KEPT);
    case 'reached':
      return end === 'reached';
    case 'cut short':
      // The inning ended between pitches; game.ts cuts these off somewhere.
      return end === 'fielded';
  }
}

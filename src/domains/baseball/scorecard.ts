import {
  ADVANCE,
  ATBAT,
  BALL,
  CAUGHT_STEALING,
  firstOf,
  FOUL,
  HIT,
  LOCATIONS,
  NEWBATTER,
  OUT,
  PLATE,
  SCORE,
  secondOf,
  SOG,
  STRIKE,
  SUB,
  verbOf,
} from './events.ts';
import type { RecordLine } from '../domain.ts';
import { BaseballState, NOBODY } from './state.ts';
import { halfInningText } from './state-text.ts';

/**
 * A game as the plate appearances of a scorecard, every event in one of them; the start of the game is in the first. A
 * heading says where the game stood when the batter came, "Top 3rd, 1 out"; the events read "batter 104", "ball", "hit",
 * "batter to first". The trace is followed by the symbolic program, which checks nothing.
 */
export function appearancesOf(trace: ArrayLike<number>): RecordLine[] {
  const state = new BaseballState();
  const appearances: RecordLine[] = [];
  for (let i = 0; i < trace.length; i++) {
    const begins = verbOf(trace[i]) === NEWBATTER && i > 0 && verbOf(trace[i - 1]) !== SOG;
    if (begins || appearances.length === 0) appearances.push({ heading: headingOf(state), from: i, events: [] });
    appearances[appearances.length - 1].events.push(describeEvent(state, trace[i]));
    state.play(trace[i]);
  }
  return appearances;
}

/** What an event does in a state, in a few words without a full stop. */
export function describeEvent(state: BaseballState, event: number): string {
  const first = firstOf(event);
  const second = secondOf(event);
  switch (verbOf(event)) {
    case SOG:
      return 'game begins';
    case NEWBATTER:
      return `batter ${100 + first}`;
    case BALL:
      return state.balls === 3 ? 'ball four' : 'ball';
    case STRIKE:
      return state.strikes === 2 ? 'strike three' : 'strike';
    case FOUL:
      return 'foul';
    case HIT:
      return 'hit';
    case ADVANCE:
      return second === SCORE ? `${who(state, first)} scores` : `${who(state, first)} to ${LOCATIONS[second]}`;
    case OUT:
      return `${who(state, first)} out`;
    case CAUGHT_STEALING:
      return `${who(state, first)} caught off ${LOCATIONS[first]}`;
    case SUB:
      return `${100 + first} runs for ${100 + second}`;
    case ATBAT:
      return describeEnd(state, event);
    default:
      return '';
  }
}

function headingOf({ inning, half, outs }: BaseballState): string {
  return `${halfInningText(inning, half)}, ${outs} out`;
}

function who({ bases }: BaseballState, base: number): string {
  if (base === PLATE) return 'batter';
  return bases[base] === NOBODY ? `runner on ${LOCATIONS[base]}` : `runner ${100 + bases[base]}`;
}

/** The verb that ends a plate appearance may end the half-inning or the game with it. */
function describeEnd(state: BaseballState, event: number): string {
  const after = state.clone();
  after.play(event);
  if (after.over) return 'game over';
  return state.outs === 3 ? 'sides change' : 'at-bat over';
}

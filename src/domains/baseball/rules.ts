import {
  ADVANCE,
  ATBAT,
  BALL,
  CAUGHT_STEALING,
  eventOf,
  FIRST,
  firstOf,
  FOUL,
  HIT,
  LOCATIONS,
  NEWBATTER,
  OUT,
  PLATE,
  PLAYERS,
  playerToken,
  SCORE,
  SECOND,
  secondOf,
  SOG,
  STRIKE,
  SUB,
  THIRD,
  verbOf,
  VERBS,
} from './events.ts';
import { NOBODY, type BaseballState } from './state.ts';

/**
 * Why a verb means nothing here, as a clause without a full stop, or null: it needs a batter or a runner who is not
 * there, or stands at the wrong place in a plate appearance. The 176,699 verbs before [sep] in the released validation
 * file never do; four of them break the further rules of `whyIllegal` (a runner who advances to a base that is taken, or
 * to his own, and a batter caught stealing), so question lines are held to this alone.
 */
export function whyImpossible(state: BaseballState, event: number): string | null {
  const verb = verbOf(event);
  const first = firstOf(event);
  const { bases, phase } = state;
  const problem = malformed(event);
  if (problem !== null) return problem;
  if (phase === 'before') return verb === SOG ? null : 'the game has not begun; the first verb is <sog>';
  if (verb === SOG) return 'the game has begun already';
  if (verb === NEWBATTER)
    return phase === 'between' ? null : 'the plate appearance is not over; <atbat> ends it before a new batter comes';
  if (phase === 'between') return 'a plate appearance has ended; <newbatter> comes next';
  switch (verb) {
    case BALL:
    case STRIKE:
    case FOUL:
    case HIT:
      return bases[PLATE] === NOBODY ? 'nobody is at the plate' : null;
    case ADVANCE:
    case OUT:
    case CAUGHT_STEALING:
      return bases[first] === NOBODY ? `nobody is ${placeOf(first)}` : null;
    case SUB:
      return bases.indexOf(secondOf(event)) < 0 ? `${playerToken(secondOf(event))} is on no base` : null;
    default:
      return null;
  }
}

/**
 * Why the rules forbid a verb, as a clause without a full stop, or null where it is legal. Our rules, in the spirit of
 * the recovered grammar: no pitch once three strikes are called, the ball in play or the side out (balls are not capped,
 * since umpires have miscounted); runners go forward to a base
 * that is free; no fourth out; a substitute is new on the field and comes for a runner; a plate appearance ends when the
 * plate is empty, the side is out or home has won; after the game nothing follows.
 */
export function whyIllegal(state: BaseballState, event: number): string | null {
  const impossible = whyImpossible(state, event);
  if (impossible !== null) return impossible;
  if (state.over) return 'the game is over';
  const first = firstOf(event);
  const second = secondOf(event);
  const { bases } = state;
  switch (verbOf(event)) {
    case NEWBATTER:
      return bases.indexOf(first, FIRST) >= FIRST ? `${playerToken(first)} is on base` : null;
    case BALL:
    case STRIKE:
    case FOUL:
    case HIT:
      return whyNoPitch(state);
    case ADVANCE:
      if (second <= first) return `a runner advances to a base ahead of ${LOCATIONS[first]}`;
      if (second !== SCORE && bases[second] !== NOBODY)
        return `${playerToken(bases[second])} is ${placeOf(second)} already; lead runners are told first`;
      return null;
    case OUT:
      return state.outs >= 3 ? 'three are out already' : null;
    case CAUGHT_STEALING:
      if (state.outs >= 3) return 'three are out already';
      return hasRunner(state) ? null : 'there is no runner who could be caught';
    case SUB:
      if (bases.indexOf(first) >= 0) return `${playerToken(first)} is on the field already`;
      return bases[PLATE] === second ? `${playerToken(second)} is the batter; substitutes come for runners` : null;
    case ATBAT:
      if (bases[PLATE] === NOBODY || state.outs === 3 || state.isWalkOff()) return null;
      return `${playerToken(bases[PLATE])} is still at the plate and the side is not out`;
    default:
      return null;
  }
}

export function isLegal(state: BaseballState, event: number): boolean {
  return whyIllegal(state, event) === null;
}

/** All legal events, ascending. Written apart from `whyIllegal`, since asking it of every code would be a hundred times slower. */
export function legalEvents(state: BaseballState): number[] {
  const { bases, phase, outs } = state;
  if (phase === 'before') return [eventOf(SOG)];
  if (state.over) return [];
  if (phase === 'between') return offBase(bases, FIRST).map((player) => eventOf(NEWBATTER, player));
  const events: number[] = [];
  if (whyNoPitch(state) === null) events.push(eventOf(BALL), eventOf(STRIKE), eventOf(FOUL), eventOf(HIT));
  const taken = [PLATE, FIRST, SECOND, THIRD].filter((base) => bases[base] !== NOBODY);
  for (const from of taken)
    for (let to = from + 1; to <= SCORE; to++)
      if (to === SCORE || bases[to] === NOBODY) events.push(eventOf(ADVANCE, from, to));
  if (outs < 3) {
    for (const base of taken) events.push(eventOf(OUT, base));
    if (hasRunner(state)) for (const base of taken) events.push(eventOf(CAUGHT_STEALING, base));
  }
  const runners = taken
    .filter((base) => base !== PLATE)
    .map((base) => bases[base])
    .sort((a, b) => a - b);
  if (runners.length > 0)
    for (const player of offBase(bases, PLATE)) for (const runner of runners) events.push(eventOf(SUB, player, runner));
  if (bases[PLATE] === NOBODY || outs === 3 || state.isWalkOff()) events.push(eventOf(ATBAT));
  return events;
}

function whyNoPitch(state: BaseballState): string | null {
  if (state.bases[PLATE] === NOBODY) return 'nobody is at the plate';
  if (state.inPlay) return 'the ball was hit; no more pitches come';
  if (state.outs >= 3) return 'three are out already';
  return state.strikes >= 3 ? 'three strikes are called; the batter is out or runs' : null;
}

function malformed(event: number): string | null {
  const verb = verbOf(event);
  const first = firstOf(event);
  const second = secondOf(event);
  const takes = VERBS[verb]?.takes;
  if (takes === undefined) return 'no verb has this code';
  const limits = [first, second].map((argument, i) => {
    if (takes[i] === undefined) return argument === 0;
    return argument < (takes[i] === 'player' ? PLAYERS : LOCATIONS.length);
  });
  if (!limits[0] || !limits[1]) return `${VERBS[verb].token} has no such argument`;
  return takes[0] === 'location' && first === SCORE ? 'nobody stands at (score)' : null;
}

function hasRunner({ bases }: BaseballState): boolean {
  return bases[1] !== NOBODY || bases[2] !== NOBODY || bases[3] !== NOBODY;
}

/** Players not on the bases from `base` on, ascending. */
function offBase(bases: Int8Array, base: number): number[] {
  const players: number[] = [];
  for (let player = 0; player < PLAYERS; player++) if (bases.indexOf(player, base) < 0) players.push(player);
  return players;
}

function placeOf(base: number): string {
  return base === PLATE ? 'at the plate' : `on ${LOCATIONS[base]}`;
}

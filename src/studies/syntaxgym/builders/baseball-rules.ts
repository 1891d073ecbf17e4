import {
  ADVANCE,
  ATBAT,
  BALL,
  CAUGHT_STEALING,
  eventOf,
  eventText,
  FIRST,
  firstOf,
  FOUL,
  NEWBATTER,
  OUT,
  PLATE,
  SCORE,
  SECOND,
  secondOf,
  STRIKE,
  SUB,
  THIRD,
  verbOf,
  VERBS,
} from '../../../domains/baseball/events.ts';
import { BaseballState, NOBODY } from '../../../domains/baseball/state.ts';
import { END_TOKEN, vocabulary } from '../../../domains/baseball/vocabulary.ts';
import type { Contrast, GamePoint, SuiteRule, Verdict } from './contrast.ts';

type Point = GamePoint<BaseballState>;

/** Pitches that leave the batter at the plate, whatever they are. */
const PITCHES = [BALL, STRIKE, FOUL].map((verb) => VERBS[verb].token);
const TO_FIRST = eventText(eventOf(ADVANCE, PLATE, FIRST));
const STEPS = [FIRST, SECOND, THIRD].map((base) => ({ base, event: eventOf(ADVANCE, base, base + 1) }));
const APPEARANCE_ENDS = eventText(eventOf(ATBAT));
const GAME_ENDS = vocabulary.tokens[END_TOKEN];
/** The verb alone: who comes is another question. */
const BATTER_COMES = VERBS[NEWBATTER].token;
const BATTERS = 9;

function rule(name: string, title: string, tags: string[], comment: string) {
  const described = { name, title, comment, tags: ['rules of baseball', ...tags] };
  return {
    contrasts: (contrasts: (point: Point) => Contrast[]): SuiteRule<BaseballState> => ({ ...described, contrasts }),
    verdict: (verdict: (point: Point) => Verdict | null): SuiteRule<BaseballState> => ({ ...described, verdict }),
  };
}

function lastEvent({ events }: Point): number {
  return events[events.length - 1];
}

/** Whether a pitch may come right after one that was a strike or a ball; null where no such one came last. */
function pitchAfter(point: Point, verb: number, allowed: boolean): Verdict | null {
  return lastEvent(point) === eventOf(verb) && !point.state.inPlay ? { allowed, continuations: PITCHES } : null;
}

function isOn({ bases }: BaseballState, base: number): boolean {
  return bases[base] !== NOBODY;
}

/** Steps of one base by runners: those that the bases ahead leave free, and those that they do not, or of nobody. */
function steps({ state }: Point): { free: string[]; taken: string[]; nobody: string[] } {
  const texts = (wanted: (base: number) => boolean): string[] =>
    STEPS.filter(({ base }) => wanted(base)).map(({ event }) => eventText(event));
  const ahead = (base: number): boolean => base + 1 !== SCORE && isOn(state, base + 1);
  return {
    free: texts((base) => isOn(state, base) && !ahead(base)),
    taken: texts((base) => isOn(state, base) && ahead(base)),
    nobody: texts((base) => !isOn(state, base)),
  };
}

function all(fits: readonly string[], fails: readonly string[]): Contrast[] {
  return fits.flatMap((fit) => fails.map((fail) => ({ fits: fit, fails: fail })));
}

/** The rules of baseball that the shipped suites test; each speaks of points where the game has just come to the question. */
export const BASEBALL_RULES: readonly SuiteRule<BaseballState>[] = [
  rule(
    'third_strike',
    'The third strike',
    ['count and outs'],
    'After the third strike no pitch comes; after the second one does.',
  ).verdict((point) => pitchAfter(point, STRIKE, point.state.strikes < 3)),
  rule(
    'fourth_ball',
    'The fourth ball',
    ['count and outs'],
    'After the fourth ball no pitch comes; after the third one does.',
  ).verdict((point) => pitchAfter(point, BALL, point.state.balls < 4)),
  rule(
    'forced_runner',
    'Forced runners',
    ['bases', 'count'],
    'On a walk a runner on first makes room before the batter comes; where first is free, the batter comes at once.',
  ).contrasts((point) => {
    const { state } = point;
    if (lastEvent(point) !== eventOf(BALL) || state.balls !== 4 || isOn(state, SECOND)) return [];
    const step = eventText(STEPS[0].event);
    return isOn(state, FIRST) ? [{ fits: step, fails: TO_FIRST }] : [{ fits: TO_FIRST, fails: step }];
  }),
  rule(
    'lead_runner',
    'A base that is taken',
    ['bases'],
    'A runner does not advance to a base that another holds: the lead runner goes first.',
  ).contrasts((point) => {
    if (!point.state.inPlay) return [];
    const { free, taken, nobody } = steps(point);
    return [...all(free, taken), ...all(free, nobody).map((contrast) => ({ ...contrast, control: true }))];
  }),
  rule(
    'empty_base',
    'A base without a runner',
    ['bases'],
    'Only from a base on which somebody stands does anybody advance.',
  ).contrasts((point) => (point.state.inPlay ? all(steps(point).free, steps(point).nobody) : [])),
  rule(
    'three_outs',
    'Three outs',
    ['count and outs'],
    'When a runner is the third out, the plate appearance is over; when he is not, the batter goes on.',
  ).contrasts((point) => {
    const { state } = point;
    const last = lastEvent(point);
    const runnerOut = (verbOf(last) === OUT || verbOf(last) === CAUGHT_STEALING) && firstOf(last) !== PLATE;
    if (!runnerOut || !isOn(state, PLATE) || isOn(state, FIRST)) return [];
    return state.outs >= 3
      ? [{ fits: APPEARANCE_ENDS, fails: TO_FIRST }]
      : [{ fits: TO_FIRST, fails: APPEARANCE_ENDS }];
  }),
  rule(
    'sides_change',
    'The sides change',
    ['batting order', 'outs'],
    'After the third out the other side bats, and before it the same side.',
  ).contrasts((point) => {
    const order = battingOrders(point.events);
    const next = order.next[order.half];
    const other = order.next[order.half ^ 1];
    return !order.between || next === null || other === null ? [] : [{ fits: comes(next), fails: comes(other) }];
  }),
  rule(
    'batting_order',
    'The batting order',
    ['batting order'],
    'The nine batters of a side come in their order, again and again.',
  ).contrasts((point) => {
    const { half, next, orders, between } = battingOrders(point.events);
    const due = next[half];
    if (!between || due === null) return [];
    const others = orders[half].filter((player) => player !== due && point.state.bases.indexOf(player) < 0);
    return all([comes(due)], others.map(comes));
  }),
  rule(
    'walk_off',
    'The walk-off',
    ['end of the game', 'score'],
    'The game is over at once when the home side takes the lead in the bottom of the ninth inning or later.',
  ).contrasts((point) => {
    const { state } = point;
    if (lastEvent(point) !== eventOf(ATBAT) || state.half !== 1 || state.inning < 9) return [];
    return state.isWalkOff() ? [{ fits: GAME_ENDS, fails: BATTER_COMES }] : [{ fits: BATTER_COMES, fails: GAME_ENDS }];
  }),
  rule(
    'last_out',
    'The last out',
    ['end of the game', 'score', 'outs'],
    'After the last out of the ninth inning the game is over, but not where the score is level.',
  ).contrasts((point) => {
    const { state, events } = point;
    if (lastEvent(point) !== eventOf(ATBAT) || state.isWalkOff()) return [];
    const before = new BaseballState();
    for (const event of events.slice(0, -1)) before.play(event);
    if (before.outs !== 3 || before.inning < 9) return [];
    return state.over ? [{ fits: GAME_ENDS, fails: BATTER_COMES }] : [{ fits: BATTER_COMES, fails: GAME_ENDS }];
  }),
];

function comes(batter: number): string {
  return eventText(eventOf(NEWBATTER, batter));
}

/**
 * The batting orders that a game has shown: players of each side in the order in which they first came, a substitute in
 * the place of whom he replaced; who is due on each side, null before all nine have come; and whether a batter comes now.
 * A batter whose appearance the third out of a runner cut short comes again.
 */
function battingOrders(events: readonly number[]) {
  const orders: number[][] = [[], []];
  const due = [0, 0];
  const state = new BaseballState();
  let half = 0;
  for (const event of events) {
    const order = orders[state.half];
    const verb = verbOf(event);
    if (verb === NEWBATTER) {
      const batter = firstOf(event);
      if (order.length < BATTERS && !order.includes(batter)) order.push(batter);
      // A new player in the place that is due has taken it over.
      else if (!order.includes(batter)) order[due[state.half]] = batter;
    } else if (verb === SUB) {
      const at = order.indexOf(secondOf(event));
      if (at >= 0) order[at] = firstOf(event);
    } else if (verb === ATBAT && state.bases[PLATE] === NOBODY) due[state.half] = (due[state.half] + 1) % BATTERS;
    state.play(event);
    half = state.half;
  }
  const next = orders.map((order, side) => (order.length === BATTERS ? order[due[side]] : null));
  return { orders, half, next, between: state.phase === 'between' && !state.over && events.length > 1 };
}

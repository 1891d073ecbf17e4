import { fail, ok } from '../../base/result.ts';
import type { Domain, StateVariable } from '../domain.ts';
import { appearancesOf, describeEvent } from './scorecard.ts';
import { eventText, PLAYERS, playerToken } from './events.ts';
import { legalEvents, whyIllegal } from './rules.ts';
import { simulateGames } from './simulator/game.ts';
import { splatNotation } from './splat-notation.ts';
import { BaseballState, NOBODY } from './state.ts';
import { traces } from './traces.ts';
import { EMPTY, NUMBERS, VARIABLE_NAMES, type VariableName } from './vocabulary.ts';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
const PLAYERS_AND_NOBODY = [EMPTY, ...Array.from({ length: PLAYERS }, (_, player) => playerToken(player))];
const BASES = ['plate', 'first', 'second', 'third'];
/** Counts within an inning reach 3 or 4; the verbs that goal questions apply twice bring them to 5. */
const COUNT = numbers(0, 5);

const VALUES: Record<string, readonly string[]> = {
  inning: numbers(1, NUMBERS - 1),
  half: ['0', '1'],
  outs: COUNT,
  balls: COUNT,
  strikes: COUNT,
  away: numbers(0, NUMBERS - 1),
  home: numbers(0, NUMBERS - 1),
};

const variables: StateVariable<BaseballState>[] = VARIABLE_NAMES.map((name) => ({
  name,
  values: VALUES[name] ?? PLAYERS_AND_NOBODY,
  of: (state) => valueOf(state, name),
}));

/**
 * A variable's value as its token. Numbers beyond the last that has a token are told as that one: no team of the
 * major leagues has reached 30 runs since 2007, nor any game 29 innings.
 */
function valueOf(state: BaseballState, name: VariableName): string {
  const base = BASES.indexOf(name);
  if (base < 0)
    return String(Math.min(state[name as Exclude<VariableName, 'plate' | 'first' | 'second' | 'third'>], NUMBERS - 1));
  return state.bases[base] === NOBODY ? EMPTY : playerToken(state.bases[base]);
}

/** Baseball as SPLAT tells it, from <sog> on; events are packed verbs (events.ts). */
export const baseball: Domain<BaseballState> = {
  name: 'baseball',
  title: 'Baseball',
  eventName: { one: 'verb', many: 'verbs' },
  // Demeter and Downey 2021, section 4.2.
  trainingGames: {
    lengths: { minPlies: 1, maxPlies: null, maxTokens: 1000 },
    description: 'Games of at most 1,000 tokens are kept, as the paper keeps them.',
  },
  initial: () => new BaseballState(),
  apply: (state, event) => {
    const wrong = whyIllegal(state, event);
    if (wrong !== null) throw new RangeError(`${eventText(event)} is not legal here: ${wrong}`);
    const next = state.clone();
    next.play(event);
    return next;
  },
  legal: legalEvents,
  variables,
  leader: ({ away, home }) => (away > home ? 'first' : home > away ? 'second' : 'level'),
  outcome: ({ over, away, home }) => {
    if (!over) return null;
    return away > home ? `away wins ${away} to ${home}` : `home wins ${home} to ${away}`;
  },
  traces,
  record: { lines: appearancesOf, describe: describeEvent },
  notations: [splatNotation.name],
  notation: (name) =>
    name === splatNotation.name
      ? ok(splatNotation)
      : fail('unknown-notation', `"${name}" is not a notation for baseball; choose splat.`),
  invented: {
    description:
      'Games played out by chance, pitch by pitch, with the odds of the major leagues. The players and scores are made up; the rules and how often things happen are not.',
    games: simulateGames,
  },
};

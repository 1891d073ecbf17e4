import { seededRandom } from '../base/random.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Domain, StateVariable, TwoPlayers } from './domain.ts';
import { plainNotation, readEvents } from './plain-notation.ts';
import { SPLAT_SPECIALS, wordsOfLine } from './splat-tokens.ts';

/** Events after which an invented game is broken off where nothing has ended it. */
const LONGEST = 300;

/** What has to be said of a game in which every event is one token; the rest follows from it. */
export interface PlainGame<State> {
  /** As configs, folders and commands name it: small letters, digits and dashes. */
  name: string;
  /** As people read it. */
  title: string;
  initial(): State;
  /** A new state after a legal event; `state` itself stays as it is. Never asked of an event that is not legal. */
  apply(state: State, event: number): State;
  /** Event codes that the rules allow, in any order; not asked once the game has an outcome. */
  legal(state: State): readonly number[];
  /** The token of every event code, from 0 on, without spaces: "a1". Their number is the number of codes. */
  events: readonly string[];
  /** What can be asked of a state. Names and values are tokens too (a name in square brackets), so without spaces. */
  variables: readonly StateVariable<State>[];
  /** Who is ahead: "first", "second" or "level". */
  leader(state: State): 'first' | 'second' | 'level';
  /** How the game ended, in words, or null while it goes on. */
  outcome(state: State): string | null;
  /** Where two players move in turn: who they are, the first one first; whose turn it is, and who has won, if anybody has. */
  players?: { sides: readonly [string, string]; toMove(state: State): 0 | 1; winner(state: State): 0 | 1 | null };
  /** Where the invented games come from, one or two plain sentences. */
  description: string;
  /** Events of the longest invented game. */
  longest?: number;
}

/**
 * A whole domain of a game whose events are single tokens: traces, the notation "splat" (plain-notation.ts) and invented
 * games, which are legal play drawn uniformly until the outcome. Questions follow from it too (plain-questions.ts).
 * @throws RangeError where the game contradicts itself: a token with a space, a value that is not listed
 */
export function plainDomain<State>(game: PlainGame<State>): Domain<State> {
  const { name, title, events, leader, outcome } = game;
  checkSpelling(game);
  const variables = game.variables.map((variable) => checked(variable, name));
  const legal = (state: State): number[] => {
    if (outcome(state) !== null) return [];
    const codes = [...game.legal(state)].sort((a, b) => a - b);
    const unknown = codes.find((code) => events[code] === undefined);
    if (unknown !== undefined)
      throw new RangeError(`${name}: legal() gives ${unknown}, and there are events 0 to ${events.length - 1} only`);
    return codes;
  };
  const apply = (state: State, event: number): State => {
    if (!legal(state).includes(event)) throw new RangeError(`${events[event] ?? event} is not legal here`);
    return game.apply(state, event);
  };
  const rules = { initial: () => game.initial(), apply: game.apply, legal, outcome, events };
  if (legal(game.initial()).length === 0) throw new RangeError(`${name}: nothing is legal at the beginning of a game`);
  for (const variable of variables) variable.of(game.initial());
  const splat = plainNotation(rules, variables);

  function* games(count: number, seed: number): Generator<Uint16Array> {
    for (let i = 0; i < count; i++) {
      const random = seededRandom(name, seed, i);
      const trace: number[] = [];
      let state = game.initial();
      for (let choice = legal(state); choice.length > 0 && trace.length < (game.longest ?? LONGEST);) {
        trace.push(choice[random.below(choice.length)]);
        state = game.apply(state, trace.at(-1)!);
        choice = legal(state);
      }
      yield Uint16Array.from(trace);
    }
  }

  const traces = {
    parse: (line: string): Result<Uint16Array> => readEvents(rules, wordsOfLine(line).words),
    format: (trace: ArrayLike<number>): string =>
      Array.from(trace, (event) => {
        if (events[event] === undefined) throw new RangeError(`${event} is no event of ${name}`);
        return events[event];
      }).join(' '),
  };
  const { players } = game;
  const play: TwoPlayers<State> | undefined = players && {
    sides: players.sides,
    toMove: (state) => players.toMove(state),
    ending: (state) => {
      const text = outcome(state);
      return text === null ? null : { text, winner: players.winner(state) };
    },
    move: (_, event) => events[event],
    read: (text) => (text.trim() === '' ? ok(new Uint16Array()) : traces.parse(text)),
    reads: `moves such as ${events.slice(0, 2).join(' ')}`,
  };

  return {
    name,
    title,
    ...(play ? { play } : {}),
    eventName: { one: 'move', many: 'moves' },
    initial: () => game.initial(),
    apply,
    legal,
    variables,
    leader: (state) => leader(state),
    outcome: (state) => outcome(state),
    traces,
    notations: [splat.name],
    notation: (wanted) =>
      wanted === splat.name
        ? ok(splat)
        : fail('unknown-notation', `"${wanted.slice(0, 40)}" is not a notation for ${name}; choose splat.`),
    invented: { description: game.description, games },
  };
}

/** The variable, whose values are held to those that it lists: a model is asked to choose among them. */
function checked<State>(variable: StateVariable<State>, game: string): StateVariable<State> {
  const values = new Set(variable.values);
  return {
    name: variable.name,
    values: variable.values,
    of: (state) => {
      const value = variable.of(state);
      if (!values.has(value))
        throw new RangeError(`${game}: ${variable.name} is "${value}", which its values do not list`);
      return value;
    },
  };
}

/** Whatever would make a vocabulary or a line of text that cannot be read back. */
function checkSpelling<State>({ name, events, variables }: PlainGame<State>): void {
  const wrong = (text: string): never => {
    throw new RangeError(`${name}: ${text}`);
  };
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(name)) wrong('a game is named in small letters, digits and dashes');
  if (events.length > 65_536) wrong('an event code has 16 bits, so there are 65,536 events at most');
  const names = variables.map((variable) => variable.name);
  const taken = new Set([...SPLAT_SPECIALS, ...names.map((variable) => `[${variable}]`)]);
  const lists = {
    events,
    variables: names,
    ...Object.fromEntries(variables.map((v) => [`values of ${v.name}`, v.values])),
  };
  for (const [list, texts] of Object.entries(lists)) {
    if (texts.length === 0) wrong(`there are no ${list}`);
    if (new Set(texts).size < texts.length) wrong(`two ${list} are spelled alike`);
    for (const text of texts) {
      if (!/^\S+$/.test(text)) wrong(`"${text}" (${list}) is empty or has a space; tokens are told apart by spaces`);
      if (list === 'variables' ? ['pad', 'start', 'end', 'sep'].includes(text) : taken.has(text))
        wrong(`"${text}" (${list}) is the name of another token; spell it otherwise`);
      if (list !== 'variables' && /^Q\d+$/.test(text))
        wrong(`${text} (${list}) is a token that asks; spell it otherwise`);
    }
  }
}

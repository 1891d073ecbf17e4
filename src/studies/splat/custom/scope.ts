import type { Domain, StateVariable } from '../../../domains/domain.ts';
import { span, type NumberRange } from './number-range.ts';

/** What an expression is, and what it gives in a state. */
export type Meaning<State> =
  | { kind: 'truth'; of: (state: State) => boolean }
  | { kind: 'number'; range: NumberRange; of: (state: State) => number }
  /** `values`: all that it can be, in the order in which the game lists them. */
  | { kind: 'text'; values: readonly string[]; of: (state: State) => string };

export interface ScopeVariable<State> {
  variable: StateVariable<State>;
  meaning: Meaning<State>;
  /** The value that says that nothing is there: ".", "___" or "empty"; null where there is none. */
  empty: string | null;
}

/** What a text may speak of in one game. */
export interface Scope<State> {
  /** "chess". */
  game: string;
  variables: ReadonlyMap<string, ScopeVariable<State>>;
  /**
   * Squares, bases: the most variables that have the same values, which is what "count" looks at. All variables were
   * rejected, since White's last right to castle is written "Q", as the queen is.
   */
  places: readonly StateVariable<State>[];
  legal: Meaning<State>;
  leader: Meaning<State>;
}

/** No game of the lab has so many legal events; chess has 218 at most. */
const MOST_LEGAL = 999;

/** What expressions about a game may name: its variables and places, what is legal, who is ahead. */
export function scopeOf<State>(domain: Domain<State>): Scope<State> {
  return {
    game: domain.name,
    variables: new Map(domain.variables.map((variable) => [variable.name, inScope(variable)])),
    places: placesOf(domain.variables),
    legal: {
      kind: 'number',
      range: span(0, MOST_LEGAL),
      of: (state) => Math.min(domain.legal(state).length, MOST_LEGAL),
    },
    leader: { kind: 'text', values: ['first', 'second', 'level'], of: (state) => domain.leader(state) },
  };
}

/** The games write that nothing is there with marks alone, no letter or digit among them, or in plain words. */
export function isEmpty(value: string): boolean {
  return value === 'empty' || !/[\p{L}\p{N}]/u.test(value);
}

function inScope<State>(variable: StateVariable<State>): ScopeVariable<State> {
  return { variable, meaning: meaningOf(variable), empty: variable.values.find(isEmpty) ?? null };
}

function meaningOf<State>(variable: StateVariable<State>): Meaning<State> {
  const { values } = variable;
  if (values.length === 2 && values.includes('yes') && values.includes('no'))
    return { kind: 'truth', of: (state) => variable.of(state) === 'yes' };
  if (!values.every((value) => /^\d{1,6}$/.test(value)))
    return { kind: 'text', values, of: (state) => variable.of(state) };
  const range = span(Math.min(...values.map(Number)), Math.max(...values.map(Number)));
  // Baseball counts on where its values end: a goal verb told twice may bring a sixth ball.
  return {
    kind: 'number',
    range,
    of: (state) => Math.min(range.most, Math.max(range.least, Number(variable.of(state)))),
  };
}

function placesOf<State>(variables: readonly StateVariable<State>[]): StateVariable<State>[] {
  const alike = new Map<string, StateVariable<State>[]>();
  for (const variable of variables) {
    const key = variable.values.join('\n');
    alike.set(key, [...(alike.get(key) ?? []), variable]);
  }
  return [...alike.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}

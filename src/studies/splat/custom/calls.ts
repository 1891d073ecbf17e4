import type { Reader } from './meaning.ts';
import { span } from './number-range.ts';
import type { Meaning, ScopeVariable } from './scope.ts';
import { few, inText, unknownValue } from './suggestions.ts';
import type { Span, Tree } from './tree.ts';

type Call = Extract<Tree, { kind: 'call' }>;

const CALLS = {
  count: 'count("Q", "q")',
  any: 'any("Q", "q")',
  taken: 'taken(a variable, another)',
  empty: 'empty(a variable)',
  least: 'least(9, a number)',
  most: 'most(0, a number)',
} as const;

/** What a call means, as tree.ts lists them. */
export function meaningOfCall<State>(reader: Reader<State>, call: Call): Meaning<State> {
  const { name } = call;
  const refused = (message: string): Meaning<State> => {
    reader.refuse('bad-call', message, call);
    return { kind: 'truth', of: () => false };
  };
  if (!isKnown(name))
    return refused(`There is no "${name.slice(0, 24)}(...)"; there are ${Object.values(CALLS).join(', ')}.`);
  if (call.takes.length === 0) return refused(`Something belongs between the brackets, as in ${CALLS[name]}.`);
  if (name === 'count' || name === 'any') return counted(reader, call);
  if (name === 'taken' || name === 'empty') return emptied(reader, call);
  const pick = name === 'least' ? Math.min : Math.max;
  const numbers = call.takes.map((tree) => reader.number(tree));
  return numbers.reduce((left, right) => reader.arithmetic(call, left, right, (a, b) => pick(a, b)));
}

/** Places that hold one of some values, which are written as they are. */
function counted<State>(reader: Reader<State>, { name, takes }: Call): Meaning<State> {
  const { places } = reader.scope;
  const wanted = new Set<string>();
  for (const tree of takes) {
    const value = tree.kind === 'number' ? String(tree.value) : tree.kind === 'text' ? tree.value : null;
    if (value === null) {
      const text = tree.kind === 'name' ? `as in ${name}("${tree.name.slice(0, 24)}")` : `as in ${name}("a value")`;
      reader.refuse('bad-call', `A value belongs here as it is written, ${text}.`, tree);
    } else if (!places[0]?.values.includes(value)) reader.refuse('unknown-value', unknownValue(places, value), tree);
    else wanted.add(value);
  }
  const has = (state: State) => (place: (typeof places)[number]) => wanted.has(place.of(state));
  if (name === 'any') return { kind: 'truth', of: (state) => places.some(has(state)) };
  return { kind: 'number', range: span(0, places.length), of: (state) => places.filter(has(state)).length };
}

/** How many of some variables are not empty, or whether all are. */
function emptied<State>(reader: Reader<State>, { name, takes }: Call): Meaning<State> {
  const found = takes.map((tree) => emptiable(reader, tree)).filter((known) => known !== null);
  const filled = (state: State): number => found.filter(({ variable, empty }) => variable.of(state) !== empty).length;
  if (name === 'empty') return { kind: 'truth', of: (state) => filled(state) === 0 };
  return { kind: 'number', range: span(0, found.length), of: filled };
}

function emptiable<State>(reader: Reader<State>, tree: Tree): ScopeVariable<State> | null {
  const refuse = (text: string, place: Span): null => {
    reader.refuse('bad-call', text, place);
    return null;
  };
  if (tree.kind !== 'name') return refuse('A variable belongs here by its name.', tree);
  const known = reader.scope.variables.get(tree.name);
  if (known === undefined) {
    // It says what the name should have been.
    reader.meaning(tree);
    return refuse(`"${tree.name.slice(0, 24)}" is no variable.`, tree);
  }
  if (known.empty !== null) return known;
  const able = [...reader.scope.variables.values()].filter(({ empty }) => empty !== null);
  const message = able.length > 0 ? `${few(able.map(({ variable }) => inText(variable.name)))} can be` : 'none can be';
  return refuse(`${inText(tree.name)} is never empty; ${message}.`, tree);
}

function isKnown(name: string): name is keyof typeof CALLS {
  return Object.hasOwn(CALLS, name);
}

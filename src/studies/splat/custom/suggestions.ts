import type { StateVariable } from '../../../domains/domain.ts';
import type { Scope } from './scope.ts';

/** Why a name is none of this game's, with the one that was meant or those there are. */
export function unknownName<State>({ game, variables }: Scope<State>, name: string): string {
  const told = `"${name.slice(0, 40)}"`;
  const names = [...variables.keys()];
  const alike = names.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (alike !== undefined) return `${told} is written ${inText(alike)}.`;
  for (const { variable } of variables.values()) {
    const value = variable.values.find((candidate) => candidate.replace(/[^\p{L}\p{N}_]/gu, '') === name);
    if (value !== undefined) return `"${value}" is a value of ${inText(variable.name)}; put it in quotes.`;
  }
  const text = ['legal', 'leader'].filter((word) => !variables.has(word)).join(' and ');
  return `${told} is no variable of ${game}; there are ${few(names.map(inText))}, and ${text}.`;
}

/** A variable's name as it is written in a text. */
export function inText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `[${name}]`;
}

/** "a, b, c ... z". */
export function few(words: readonly string[]): string {
  const told = words.map((word) => word.slice(0, 24));
  return told.length <= 13 ? told.join(', ') : `${told.slice(0, 4).join(', ')} ... ${told.slice(-5).join(', ')}`;
}

/** Why no place of this game holds a value, with the one that was meant or all there are. */
export function unknownValue<State>(places: readonly StateVariable<State>[], value: string): string {
  const told = value.slice(0, 24);
  const { values = [], name = '' } = places[0] ?? {};
  const alike = values.find((known) => known.toLowerCase() === value.toLowerCase());
  if (alike !== undefined) return `"${told}" is written "${alike}".`;
  const last = places.at(-1)?.name ?? '';
  return `"${told}" is never on ${inText(name)} to ${inText(last)}, which are counted; the values are ${few(values)}.`;
}

import type { SlotGrammar } from '../../base/slot-grammar.ts';

/** A token as a grammar reads it somewhere: the slot it stands in and the state after it. */
export interface Reading {
  token: number;
  slot: number;
  next: number;
}

/** The readings that a grammar can give, in the order of the tokens, then of the states after them. */
export interface Readings {
  list: readonly Reading[];
  /** [states * vocabulary] the reading of a token in a state. */
  at: Int32Array;
  states: number;
  vocabulary: number;
}

/**
 * With the readings as a vocabulary, a sequence tells its slots by itself: the state after a reading is known without
 * what came before it, and in a state every token has one reading.
 */
export function readingsOf({ states, slot, next }: SlotGrammar): Readings {
  const vocabulary = slot.length / states;
  const found = new Map<string, Reading>();
  const key = (at: number): string => `${at % vocabulary} ${slot[at]} ${next[at]}`;
  for (let at = 0; at < slot.length; at++)
    found.set(key(at), { token: at % vocabulary, slot: slot[at], next: next[at] });
  const sorted = [...found].sort(([, a], [, b]) => a.token - b.token || a.next - b.next || a.slot - b.slot);
  const numbers = new Map(sorted.map(([name], number) => [name, number]));
  const at = Int32Array.from(slot, (_, place) => numbers.get(key(place))!);
  return { list: sorted.map(([, reading]) => reading), at, states, vocabulary };
}

/** The first reading of each token [vocabulary]. */
export function firstReadings({ list, vocabulary }: Readings): number[] {
  return Array.from({ length: vocabulary }, (_, token) => list.findIndex((reading) => reading.token === token));
}

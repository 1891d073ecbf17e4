import { ok, type Failure } from '../../../base/result.ts';
import type { AnyDomain } from '../../../domains/domains.ts';

/** A line of a game as far as it can be read, and what it leads to. */
export interface TraceReading {
  events: Uint16Array;
  /** [events + 1] the state before the first event, and after each. */
  states: readonly unknown[];
  /** Why the rest of the line could not be read; null where all was. */
  failure: Failure | null;
  /** Where in the text that rest begins; the text's length where there is none. */
  readable: number;
}

/** Reads a line in the domain's own text; of one that is wrong, the events before the first wrong one. */
export function readTrace(domain: AnyDomain, text: string): TraceReading {
  const whole = text.trim() === '' ? ok(new Uint16Array()) : domain.traces.parse(text);
  if (whole.ok)
    return { events: whole.value, states: statesOf(domain, whole.value), failure: null, readable: text.length };
  const readable = goodBeginning(domain, text, (whole.error.where?.ply ?? 1) - 1);
  const part = domain.traces.parse(text.slice(0, readable));
  const events = part.ok ? part.value : new Uint16Array();
  return { events, states: statesOf(domain, events), failure: whole.error, readable: part.ok ? readable : 0 };
}

/** The state of a game's first half that has changed most since its beginning, by number: where a picture shows most. */
export function liveliest(domain: AnyDomain, states: readonly unknown[]): number {
  const before = domain.variables.map((variable) => variable.of(states[0]));
  let best = 0;
  let most = 0;
  for (let i = 0; i <= states.length >> 1; i++) {
    const changed = domain.variables.filter((variable, v) => variable.of(states[i]) !== before[v]).length;
    if (changed > most) [best, most] = [i, changed];
  }
  return best;
}

/**
 * Where the first `wanted` events of a line end that goes wrong behind them. An event has one word or several, which
 * only the domain knows: halving finds the shortest beginning that tells them all.
 */
function goodBeginning(domain: AnyDomain, text: string, wanted: number): number {
  if (wanted === 0) return 0;
  const ends = [...text.matchAll(/\S+/g)].map((word) => word.index + word[0].length);
  const told = (words: number): number => {
    const part = domain.traces.parse(text.slice(0, ends[words - 1]));
    return part.ok ? part.value.length : (part.error.where?.ply ?? 1) - 1;
  };
  let few = 0;
  let enough = ends.length;
  while (enough - few > 1) {
    const middle = (few + enough) >> 1;
    if (told(middle) >= wanted) enough = middle;
    else few = middle;
  }
  return ends[enough - 1] ?? 0;
}

function statesOf(domain: AnyDomain, events: Uint16Array): unknown[] {
  const states = [domain.initial()];
  for (const event of events) states.push(domain.apply(states[states.length - 1], event));
  return states;
}

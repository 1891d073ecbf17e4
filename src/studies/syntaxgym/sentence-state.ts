import { domainNamed, type AnyDomain } from '../../domains/domains.ts';
import { valuesOf } from '../../domains/state-values.ts';
import type { Board } from '../../report/board.ts';

/** Where a sentence of moves stands before its last event, or before the first that the rules forbid. */
export interface SentenceState {
  domain: string;
  /** The events that lead there, in the game's own text. */
  line: string;
  /** Value of each state variable, by name. */
  values: Readonly<Record<string, string>>;
  /** The event that comes next; null for an empty sentence. */
  next: string | null;
  /** Whether the rules allow it. */
  legal: boolean;
}

const SQUARES = 64;
const SQUARE = /^[a-h][1-8]$/;

/** Reads a sentence by the rules of its game. Null where its domain is none of the lab's. */
export function sentenceState(domain: string | undefined, sentence: string): SentenceState | null {
  const found = domain === undefined ? null : domainNamed(domain);
  if (!found?.ok) return null;
  const game = found.value;
  const texts = sentence.split(/\s+/).filter(Boolean);
  const { count, events } = readBeginning(game, texts);
  const state = Array.from(events).reduce((before, event) => game.apply(before, event), game.initial());
  return {
    domain: game.name,
    line: texts.slice(0, count).join(' '),
    values: valuesOf(game, state),
    next: texts[count] ?? null,
    legal: game.traces.parse(texts.join(' ')).ok,
  };
}

/** The longest beginning that the game reads, short of the whole. Suites break the rules at their ends, so that is near. */
function readBeginning(game: AnyDomain, texts: readonly string[]): { count: number; events: Uint16Array } {
  for (let count = texts.length - 1; count > 0; count--) {
    const read = game.traces.parse(texts.slice(0, count).join(' '));
    if (read.ok) return { count, events: read.value };
  }
  return { count: 0, events: new Uint16Array() };
}

/** The board with the next move drawn on it; null in games without a board of 64 squares. */
export function sentenceBoard({ values, next, legal }: SentenceState): Board | null {
  const names = Object.keys(values).filter((name) => SQUARE.test(name));
  if (names.length !== SQUARES) return null;
  const [from, to] = [next?.slice(0, 2) ?? '', next?.slice(2, 4) ?? ''].map((name) => names.indexOf(name));
  const drawn = from >= 0 && to >= 0;
  return {
    pieces: names.map((name) => values[name]).join(''),
    framed: drawn ? from : null,
    answered: drawn ? { square: to, right: legal } : null,
    description:
      next === null ? 'The board' : `The board before ${next}, which the rules ${legal ? 'allow' : 'forbid'}`,
  };
}

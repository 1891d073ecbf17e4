import { inPatternMoves } from './chess/rules/in-pattern.ts';
import { positionAfter } from './chess/replay.ts';

/**
 * Events that would be possible after these if nothing but the thing that moves were in the world. Only some games have
 * such a notion, and they are listed here by name.
 */
export type Pattern = (prefix: Uint16Array) => number[];

const PATTERNS: Readonly<Record<string, Pattern>> = {
  chess: (prefix) => inPatternMoves(positionAfter(prefix)),
};

/** The pattern of a game, or null where it has none. */
export function patternOf(domain: string): Pattern | null {
  return Object.hasOwn(PATTERNS, domain) ? PATTERNS[domain] : null;
}

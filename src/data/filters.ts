import { unwrap } from '../base/result.ts';
import type { AnyDomain } from '../domains/domains.ts';

/** Which games are kept. */
export interface Filters {
  /** Shortest and longest game kept, in plies or verbs, both included; null for no longest. */
  minPlies: number;
  maxPlies: number | null;
  /** Longest game kept in tokens of SPLAT, [start] and [end] counted; left out where games are not counted so. */
  maxTokens?: number | null;
  /** Least rating of both players; games without ratings are then dropped. Null keeps all. */
  minElo: number | null;
  /** Most games kept; null for all. */
  limit: number | null;
}

/** The chess testbed's: games of 10 to 150 plies (Toshniwal et al. 2022). */
export const testbedFilters: Filters = { minPlies: 10, maxPlies: 150, minElo: null, limit: null };

/** SPLAT's for baseball: no sequences of more than 1,000 tokens (Demeter and Downey 2021, section 4.2). */
const splatFilters: Filters = { minPlies: 1, maxPlies: null, maxTokens: 1000, minElo: null, limit: null };

/** The filters of a domain: those of its paper, and none where there is no paper. */
export function filtersOf(domain: string): Filters {
  if (domain === 'chess') return testbedFilters;
  if (domain === 'baseball') return splatFilters;
  return { minPlies: 1, maxPlies: null, minElo: null, limit: null };
}

/** Counts a game's tokens as `maxTokens` does. */
export function tokenCounter(domain: Pick<AnyDomain, 'notation'>): (trace: Uint16Array) => number {
  const notation = unwrap(domain.notation('splat'));
  return (trace) => notation.encode(trace, { random: null, closed: true }).length;
}

/** What is kept of a domain's games, in a sentence for people. */
export function filterWords(domain: string): string {
  if (domain === 'chess') return 'Games of 10 to 150 plies are kept.';
  if (domain === 'baseball') return 'Games of at most 1,000 tokens are kept, as the paper keeps them.';
  return 'Games of any length are kept.';
}

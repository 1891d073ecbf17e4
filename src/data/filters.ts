import { unwrap } from '../base/result.ts';
import type { GameLengths } from '../domains/domain.ts';
import { domainNamed, type AnyDomain } from '../domains/domains.ts';

/** Which games are kept. */
export interface Filters extends GameLengths {
  /** Least rating of both players; games without ratings are then dropped. Null keeps all. */
  minElo: number | null;
  /** Most games kept; null for all. */
  limit: number | null;
}

/** The filters of a domain: those of its paper, and none where there is no paper. */
export function filtersOf(domain: string): Filters {
  return { ...trainingGamesOf(domain).lengths, minElo: null, limit: null };
}

/** The chess testbed's. */
export const testbedFilters = filtersOf('chess');

/** Counts a game's tokens as `maxTokens` does. */
export function tokenCounter(domain: Pick<AnyDomain, 'notation'>): (trace: Uint16Array) => number {
  const notation = unwrap(domain.notation('splat'));
  return (trace) => notation.encode(trace, { random: null, closed: true }).length;
}

/** What is kept of a domain's games, in a sentence for people. */
export function filterDescription(domain: string): string {
  return trainingGamesOf(domain).description;
}

function trainingGamesOf(name: string): NonNullable<AnyDomain['trainingGames']> {
  const domain = domainNamed(name);
  const ofPaper = domain.ok ? domain.value.trainingGames : undefined;
  return ofPaper ?? { lengths: { minPlies: 1, maxPlies: null }, description: 'Games of any length are kept.' };
}

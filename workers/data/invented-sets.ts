import { SPLITS } from '../../src/data/corpus.ts';
import { finished, INVENTED_COUNTS, inventedBuilders, inventedFacts, inventedGames } from '../../src/data/invented.ts';
import { DOMAINS, type AnyDomain } from '../../src/domains/domains.ts';
import type { GamesSummary } from './protocol.ts';
import type { OpenSet, ReportGames } from './set-reader.ts';

const PREFIX = 'invented-';
/** Games between two reports of progress. */
const REPORTED_EVERY = 100;

/** Domains with games made up on the spot, in the lab's order. */
export function inventingDomains(): AnyDomain[] {
  return DOMAINS.filter(({ invented }) => invented !== null);
}

/** The key of a domain's invented set. */
export function inventedKey(domain: string): string {
  return `${PREFIX}${domain}`;
}

/** The domain whose invented set has this key; null where it is another set's. */
export function inventingDomain(key: string): AnyDomain | null {
  return inventingDomains().find(({ name }) => inventedKey(name) === key) ?? null;
}

/** What is known of the set before it is made. */
export async function inventedSummary(domain: AnyDomain): Promise<GamesSummary> {
  const { hash, meanEvents, lengths, lengthStep } = await inventedFacts(domain, INVENTED_COUNTS);
  const splitOf = (games: number) => ({ games, events: Math.round(games * meanEvents) });
  return {
    key: inventedKey(domain.name),
    domain: domain.name,
    title: 'Invented games',
    description: domain.invented!.description,
    source: 'Made by this lab when they are opened, the same ones each time.',
    licence: 'free of rights (CC0)',
    hash,
    splits: Object.fromEntries(SPLITS.map((split) => [split, splitOf(INVENTED_COUNTS[split])])),
    lengths,
    ...(lengthStep === 10 ? {} : { lengthStep }),
  };
}

/** Makes the set, game by game; `report` is awaited now and then, and throws where the games are no longer wanted. */
export async function makeInvented(domain: AnyDomain, report: ReportGames): Promise<OpenSet> {
  const summary = await inventedSummary(domain);
  const total = SPLITS.reduce((sum, split) => sum + INVENTED_COUNTS[split], 0);
  const builders = inventedBuilders();
  const label = `Making games of ${domain.title}`;
  let made = 0;
  for (const { split, trace } of inventedGames(domain, INVENTED_COUNTS)) {
    builders[split].add(trace);
    if (++made % REPORTED_EVERY === 0) await report({ label, share: made / total, games: made });
  }
  await report({ label, share: 1, games: made });
  const corpora = finished(builders);
  const splits = Object.fromEntries(
    Object.entries(corpora).map(([split, { length, events }]) => [split, { games: length, events: events.length }]),
  );
  return { summary: { ...summary, splits }, manifest: summary.hash, corpora, failures: [] };
}

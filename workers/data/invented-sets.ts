import { ok, type Failure, type Result } from '../../src/base/result.ts';
import {
  finished,
  INVENTED_COUNTS,
  INVENTED_SPLITS,
  inventedBuilders,
  inventedFacts,
  inventedGames,
} from '../../src/data/invented.ts';
import { DOMAINS, type AnyDomain } from '../../src/domains/domains.ts';
import type { DataProgress, GamesSummary, OpenedGames } from './protocol.ts';

const PREFIX = 'invented-';
/** Games between two words to the page. */
const TOLD_EVERY = 100;

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
  const splitOf = (games: number) => ({ games, plies: Math.round(games * meanEvents) });
  return {
    key: inventedKey(domain.name),
    domain: domain.name,
    title: 'Invented games',
    words: domain.invented!.words,
    source: 'Made by this lab when they are opened, the same ones each time.',
    licence: 'free of rights (CC0)',
    hash,
    splits: Object.fromEntries(INVENTED_SPLITS.map((split) => [split, splitOf(INVENTED_COUNTS[split])])),
    lengths,
    ...(lengthStep === 10 ? {} : { lengthStep }),
  };
}

/** Makes the set, game by game. `pause` is awaited now and then and says whether to give up, with a failure. */
export async function openInvented(
  domain: AnyDomain,
  onProgress: (progress: DataProgress) => void,
  pause: () => Promise<Failure | null>,
): Promise<Result<OpenedGames>> {
  const summary = await inventedSummary(domain);
  const total = INVENTED_SPLITS.reduce((sum, split) => sum + INVENTED_COUNTS[split], 0);
  const builders = inventedBuilders();
  const words = `Making games of ${domain.title}`;
  let made = 0;
  for (const { split, trace } of inventedGames(domain, INVENTED_COUNTS)) {
    builders[split].add(trace);
    if (++made % TOLD_EVERY !== 0) continue;
    onProgress({ words, share: made / total, games: made });
    const failure = await pause();
    if (failure !== null) return { ok: false, error: failure };
  }
  onProgress({ words, share: 1, games: made });
  const { train, dev, test, probe } = finished(builders);
  const splits = Object.fromEntries(
    Object.entries({ train, dev, test, probe }).map(([split, { length, plies }]) => [split, { games: length, plies }]),
  );
  const buffers = ({ moves, offsets }: typeof train) => ({ moves, offsets });
  return ok({
    summary: { ...summary, splits },
    train: buffers(train),
    dev: buffers(dev),
    test: buffers(test),
    probe: buffers(probe),
    failures: [],
  });
}

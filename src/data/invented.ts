import { sha256 } from '../base/bytes.ts';
import type { AnyDomain } from '../domains/domains.ts';
import { Corpus, CorpusBuilder, lengthHistogram, lengthStep, SPLITS, type Split } from './corpus.ts';
import { filtersOf, tokenCounter } from './filters.ts';
import { gameKey } from './game-key.ts';

export type InventedCounts = Record<Split, number>;

/** Games of a set as the page makes it, and as "invented" names on the command line. */
export const INVENTED_COUNTS: InventedCounts = { train: 3000, dev: 150, test: 150, probe: 150 };

/** Of every set: a run's own seed must not change what it is trained on. */
const SEED = 1;
/** Counted up where the way from games to splits changes. */
const VERSION = 1;
/** Games that stand for all in the hash and in what is said before any set is made. */
const SAMPLE = 50;
/** A game with few possible courses runs out of new ones: so many tries for each that is wanted. */
const TRIES = 4;
/** After so many tries without a new game there are hardly any left. */
export const MOST_IN_VAIN = 2000;

/** Which games, named without making them. */
export interface InventedFacts {
  /** Names the games: the same only where the same games would be made. */
  hash: string;
  /** Events of a mean game. */
  meanEvents: number;
  lengths: number[];
  lengthStep: number;
}

/** `total` games in the proportions of the page's set; at least one in each split. */
export function inventedCounts(total: number): InventedCounts {
  const all = SPLITS.reduce((sum, split) => sum + INVENTED_COUNTS[split], 0);
  const held = (split: Split): number => Math.max(1, Math.round((total * INVENTED_COUNTS[split]) / all));
  const [dev, test, probe] = [held('dev'), held('test'), held('probe')];
  return { train: Math.max(1, total - dev - test - probe), dev, test, probe };
}

/**
 * What can be said of a set before it is made: from the first fifty games, so within milliseconds. The hash is of the
 * domain, this version, the counts and those games, so that a run resumes on the same games or is told that it cannot.
 */
export async function inventedFacts(domain: AnyDomain, counts: InventedCounts): Promise<InventedFacts> {
  const sample = Corpus.from(source(domain, SAMPLE));
  const first = Array.from(sample.events).join(' ');
  const step = lengthStep(sample);
  return {
    hash: await sha256(JSON.stringify({ domain: domain.name, version: VERSION, seed: SEED, counts, first })),
    meanEvents: sample.events.length / Math.max(1, sample.length),
    lengths: lengthHistogram(sample, step),
    lengthStep: step,
  };
}

/**
 * The games of a set, one by one with the split that each falls to: none twice, so that what is held out was not trained
 * on, and none that the domain's filters would drop. A game with few courses may fill its splits only in part, the
 * training games least: held-out games come first.
 */
export function* inventedGames(
  domain: AnyDomain,
  counts: InventedCounts,
): Generator<{ split: Split; trace: Uint16Array }> {
  const order = SPLITS.toReversed();
  const wanted = order.map((split) => counts[split]);
  const total = wanted.reduce((sum, games) => sum + games, 0);
  const { maxTokens = null } = filtersOf(domain.name);
  const tokens = maxTokens === null ? null : tokenCounter(domain);
  const seen = new Set<string>();
  let at = 0;
  let filled = 0;
  let inVain = 0;
  for (const trace of source(domain, total * TRIES)) {
    if (inVain++ === MOST_IN_VAIN) return;
    if (tokens !== null && tokens(trace) > maxTokens!) continue;
    const key = gameKey(trace);
    if (seen.has(key)) continue;
    seen.add(key);
    inVain = 0;
    while (filled === wanted[at]) {
      at++;
      filled = 0;
    }
    yield { split: order[at], trace };
    filled++;
    if (seen.size === total) return;
  }
}

/**
 * A whole set at once, or no more of it than one of its splits needs: the others are then empty or begun.
 * @param options.only that split
 * @param options.onGame told of each game, with how many there will be
 */
export function inventedCorpora(
  domain: AnyDomain,
  counts: InventedCounts,
  { only = null, onGame }: { only?: Split | null; onGame?: (made: number, of: number) => void } = {},
): Record<Split, Corpus> {
  const builders = inventedBuilders();
  // Splits are filled from the last to the first.
  const needed = SPLITS.slice(only === null ? 0 : SPLITS.indexOf(only));
  const of = needed.reduce((sum, split) => sum + counts[split], 0);
  let made = 0;
  for (const { split, trace } of inventedGames(domain, counts)) {
    builders[split].add(trace);
    onGame?.(++made, of);
    if (made === of) break;
  }
  return finished(builders);
}

const bySplit = <T>(of: (split: Split) => T) =>
  Object.fromEntries(SPLITS.map((split) => [split, of(split)])) as Record<Split, T>;

/** Splits to be filled game by game. */
export const inventedBuilders = () => bySplit(() => new CorpusBuilder());
export const finished = (builders: Record<Split, CorpusBuilder>) => bySplit((split) => builders[split].finish());

function source({ invented, title }: AnyDomain, count: number): Iterable<Uint16Array> {
  if (invented === null) throw new RangeError(`${title} has no invented games`);
  return invented.games(count, SEED);
}

import { existsSync } from 'node:fs';
import { inputError, ok, type Result } from '../src/base/result.ts';
import type { GameRecord } from '../src/data/game-record.ts';
import { SPLITS, type Corpus, type Split } from '../src/data/corpus.ts';
import { INVENTED_COUNTS, inventedCorpora, inventedCounts, type InventedCounts } from '../src/data/invented.ts';
import { DOMAINS, type AnyDomain } from '../src/domains/domains.ts';

/** What "invented", "invented:5000" and "invented:5000:test" name: a set of so many games in all, or one split of it. */
export interface InventedName {
  counts: InventedCounts;
  split: Split | null;
}

/** Hears how many games are made (node-io.ts). */
interface Bar {
  update(done: number, of: number): void;
  end(): void;
}

/** Reads such a name; null for any other, and where there is a file of that name. */
export function inventedName(path: string): InventedName | null {
  const parts = /^invented(?::(\d{1,7}))?(?::([a-z]+))?$/.exec(path);
  if (parts === null || existsSync(path)) return null;
  const [, total, split] = parts;
  const named = SPLITS.find((name) => name === split) ?? null;
  if (split !== undefined && named === null)
    throw inputError('no-such-split', `${path}: invented games have the splits ${SPLITS.join(', ')}.`);
  if (total !== undefined && Number(total) < SPLITS.length)
    throw inputError('too-few-games', `${path}: ask for at least ${SPLITS.length} games, one for each split.`);
  return { counts: total === undefined ? INVENTED_COUNTS : inventedCounts(Number(total)), split: named };
}

/** Fails where the lab makes no games of this domain up. */
export function checkInvents(path: string, { invented, title }: AnyDomain): void {
  if (invented !== null) return;
  const others = DOMAINS.filter((domain) => domain.invented !== null).map(({ name }) => name);
  throw inputError(
    'not-invented',
    `${path}: there are no invented games of ${title}, only of ${others.join(' and ')} (--domain); give files of games.`,
  );
}

/**
 * The games of such a name; of a single split, no others are made than must be. Fails as InputError with `too-many-games`
 * where the game has not so many different ones, as far as trying tells.
 */
export function inventedCorporaOf(
  path: string,
  { counts, split }: InventedName,
  domain: AnyDomain,
  bar: Bar,
): Record<Split, Corpus> {
  const corpora = inventedCorpora(domain, counts, { only: split, onGame: bar.update });
  bar.end();
  const short = (split === null ? SPLITS : [split]).find((name) => corpora[name].length < counts[name]);
  // A set of the usual size is taken as full as it comes: a small game has no more.
  if (short === undefined || (counts === INVENTED_COUNTS && corpora[short].length > 0)) return corpora;
  const made = SPLITS.reduce((sum, name) => sum + corpora[name].length, 0);
  const message = `${path}: after ${made} different games of ${domain.title} hardly a new one is left, and the split "${short}" has ${corpora[short].length} of ${counts[short]}; ask for fewer.`;
  throw inputError('too-many-games', message);
}

/** The games that such a name stands for; null where the path is none. */
export function inventedRecords(path: string, domain: AnyDomain, bar: Bar): Iterable<Result<GameRecord>> | null {
  const name = inventedName(path);
  if (name === null) return null;
  checkInvents(path, domain);
  const corpora = inventedCorporaOf(path, name, domain, bar);
  const splits = name.split === null ? SPLITS : [name.split];
  return splits.flatMap((split) => [...corpora[split]].map((events) => ok({ events, meta: {}, where: {} })));
}

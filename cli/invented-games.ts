import { existsSync } from 'node:fs';
import { fail, InputError, ok, type Result } from '../src/base/result.ts';
import type { GameRecord } from '../src/data/game-record.ts';
import {
  INVENTED_COUNTS,
  INVENTED_SPLITS,
  inventedCorpora,
  inventedCounts,
  type InventedCounts,
  type InventedSplit,
} from '../src/data/invented.ts';
import { DOMAINS, type AnyDomain } from '../src/domains/domains.ts';

/** What "invented", "invented:5000" and "invented:5000:test" name: a set of so many games in all, or one split of it. */
export interface InventedName {
  counts: InventedCounts;
  split: InventedSplit | null;
}

/** Reads such a name; null for any other, and where there is a file of that name. */
export function inventedName(path: string): InventedName | null {
  const parts = /^invented(?::(\d{1,7}))?(?::([a-z]+))?$/.exec(path);
  if (parts === null || existsSync(path)) return null;
  const [, total, split] = parts;
  const named = INVENTED_SPLITS.find((name) => name === split) ?? null;
  if (split !== undefined && named === null)
    throw new InputError(
      fail('no-such-split', `${path}: invented games have the splits ${INVENTED_SPLITS.join(', ')}.`).error,
    );
  if (total !== undefined && Number(total) < INVENTED_SPLITS.length)
    throw new InputError(
      fail('too-few-games', `${path}: ask for at least ${INVENTED_SPLITS.length} games, one for each split.`).error,
    );
  return { counts: total === undefined ? INVENTED_COUNTS : inventedCounts(Number(total)), split: named };
}

/** Fails where the lab makes no games of this domain up. */
export function checkInvents(path: string, { invented, title }: AnyDomain): void {
  if (invented !== null) return;
  const others = DOMAINS.filter((domain) => domain.invented !== null).map(({ name }) => name);
  throw new InputError(
    fail(
      'not-invented',
      `${path}: there are no invented games of ${title}, only of ${others.join(' and ')} (--domain); give files of games.`,
    ).error,
  );
}

/** The games that such a name stands for; null where the path is none. */
export function inventedRecords(path: string, domain: AnyDomain): Iterable<Result<GameRecord>> | null {
  const name = inventedName(path);
  if (name === null) return null;
  checkInvents(path, domain);
  const corpora = inventedCorpora(domain, name.counts);
  const splits = name.split === null ? INVENTED_SPLITS : [name.split];
  return splits.flatMap((split) => [...corpora[split]].map((moves) => ok({ moves, meta: {}, where: {} })));
}

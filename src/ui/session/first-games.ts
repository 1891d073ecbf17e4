import { unwrap } from '../../base/result.ts';
import { Corpus, type Split } from '../../data/corpus.ts';
import type { Services } from './workers.ts';

/**
 * The first games of a set, from the first of these splits that has any.
 * @throws the failure where they cannot be read
 */
export async function firstGames(
  workers: Pick<Services, 'data' | 'guard'>,
  key: string,
  splits: readonly Split[],
  most: number,
): Promise<Uint16Array[]> {
  const request = { key, splits: Object.fromEntries(splits.map((split) => [split, most])) };
  const games = unwrap(await workers.guard(workers.data.read(request)));
  const found = splits.map((split) => games[split]).find(({ offsets }) => offsets.length > 1);
  return found === undefined ? [] : [...Corpus.of(found)];
}

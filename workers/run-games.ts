import { fail, type Result } from '../src/base/result.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import type { GamesRead, GamesRequest } from './data/protocol.ts';
import type { ReadGames, Reading } from './data/games-port.ts';

/** The games that a run's config names. Fails with `other-game` where that set is of another game than the run. */
export async function gamesOfRun(
  read: ReadGames,
  { data, domain }: RunConfig,
  splits: GamesRequest['splits'],
  reading?: Reading,
): Promise<Result<GamesRead>> {
  const games = await read({ key: data.games, splits }, reading);
  if (!games.ok || games.value.summary.domain === domain) return games;
  const { title } = games.value.summary;
  return fail('other-game', `${title} holds other games than ${domain}; choose another set.`);
}

/** Why games are not those that a run was trained on; null where they are, or where that is not known. */
export function otherGames({ data }: RunConfig, { manifest, summary }: GamesRead, so: string) {
  if (data.manifest === '' || data.manifest === manifest) return null;
  return fail('other-games', `${summary.title} is no longer the set that this run was trained on, so ${so}.`);
}

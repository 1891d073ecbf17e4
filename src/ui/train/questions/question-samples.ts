import { failureOf, ok, type Result } from '../../../base/result.ts';
import { domainNamed } from '../../../domains/domains.ts';
import { firstGames } from '../../session/first-games.ts';
import type { Services } from '../../session/workers.ts';
import { builtInGames } from '../../session/experiment/game-setup.ts';

/** Games that a question is tried on. */
export const SAMPLE_GAMES = 100;
const SEED = 1;

const samples = new Map<string, Uint16Array[]>();

/** A hundred games of the lab's own to try questions on: made up on the spot, or read once and kept. */
export async function sampleGames(
  workers: Pick<Services, 'data' | 'guard'>,
  domain: string,
): Promise<Result<Uint16Array[]>> {
  const before = samples.get(domain);
  if (before) return ok(before);
  const found = domainNamed(domain);
  if (!found.ok) return found;
  const { invented } = found.value;
  if (invented) {
    const games = [...invented.games(SAMPLE_GAMES, SEED)];
    samples.set(domain, games);
    return ok(games);
  }
  try {
    const games = await firstGames(workers, builtInGames(domain), ['dev'], SAMPLE_GAMES);
    samples.set(domain, games);
    return ok(games);
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
}

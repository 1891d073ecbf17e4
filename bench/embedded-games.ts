import { readFile } from 'node:fs/promises';
import { unwrap } from '../src/base/result.ts';
import { readManifest, shardGames } from '../src/data/shards.ts';

const folder = new URL('../public/data/chess-selfplay/', import.meta.url);

/** The first `count` games of a split of the games that come with Blindfold. */
export async function embeddedGames(split: string, count: number): Promise<Uint16Array[]> {
  const fetchBytes = async (path: string) => new Uint8Array(await readFile(new URL(path, folder)));
  const games: Uint16Array[] = [];
  for await (const game of shardGames(unwrap(await readManifest(fetchBytes)), split, fetchBytes)) {
    if (games.length === count) break;
    games.push(unwrap(game).events);
  }
  return games;
}

import { existsSync } from 'node:fs';
import { makeInstances, type Instance } from '../src/studies/testbed/instances.ts';
import { randomPlayInstances } from '../src/studies/testbed/material.ts';
import { traces } from './node-io.ts';

/** What names games of legal moves drawn by chance instead of files, the same as the page measures. */
export const RANDOM_PLAY = 'random';

/** Instances from GAMES, or from random legal play, none of whose prefixes opens a game of `avoid`. */
export async function probingInstances(
  games: string,
  range: readonly [number, number],
  { n, seed }: { n: number; seed: number },
  avoid: () => Iterable<Uint16Array> | AsyncIterable<Uint16Array>,
): Promise<Instance[]> {
  if (games === RANDOM_PLAY && !existsSync(games)) return randomPlayInstances(range, { n, seed }, avoid);
  return makeInstances(traces([games]), { range, n, seed, avoid: avoid() });
}

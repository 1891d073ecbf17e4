import { PythonRandom } from '../base/python-random.ts';
import type { Split } from './corpus.ts';

/** The testbed's training sets: the first so many games of its training pool (Toshniwal et al. 2022, section 3.1). */
export const trainSubsets = { S: 15_000, M: 50_000, L: 200_000 } as const;
export type TrainSubset = keyof typeof trainSubsets;

/** Seed of the authors' shuffle. */
export const TESTBED_SEED = 10;

/** Places in the shuffled games, as the authors' shell commands cut them: counts from the start or from the end. */
const POOL = 500_000;
const TEST = 15_000;
const DEV = 15_000;
const PROBE_FROM_END = 130_000;
const PROBE = 50_000;
/** The fewest games in which no two of these overlap. */
const FEWEST = POOL + PROBE_FROM_END;

export interface TestbedSplit {
  /** Game numbers by split, in shuffled order. */
  splits: Record<Split, Uint32Array>;
  /** What was done, in plain sentences for the manifest. */
  description: string;
}

/**
 * Splits games 0 to games - 1 as the testbed does: shuffled by Python's generator seeded 10, then by place. The first
 * 500,000 are the pool that training games are taken from in order; the last 15,000 are test, the 15,000 before them
 * dev, and `tail -130000 | head -50000` is what probing instances are made of (here "probe"). The rest belongs to none,
 * as published. Of fewer than 630,000 games, where these would overlap, each takes its share of what there is.
 * Games that break the rules are gone before the shuffle; the authors, who shuffle first, had none in their corpus to
 * speak of, so that only a corpus with such games comes out in another order.
 * @param subset the first games of the pool alone
 */
export function testbedSplit(games: number, subset: TrainSubset | null, seed: number = TESTBED_SEED): TestbedSplit {
  const order = Uint32Array.from({ length: games }, (_, game) => game);
  new PythonRandom(seed).shuffle(order);
  const scale = Math.min(1, games / FEWEST);
  const share = (count: number): number => Math.floor(count * scale);
  const [pool, test, dev, probe] = [POOL, TEST, DEV, PROBE].map(share);
  const probeAt = games - share(PROBE_FROM_END);
  const wanted = subset === null ? pool : trainSubsets[subset];
  const train = Math.min(pool, wanted);
  const description = [`Split as the chess testbed is (shuffled by Python's random.seed(${seed}), then cut by place).`];
  if (scale < 1)
    description.push(
      `With ${games} games instead of at least ${FEWEST}, every part was scaled down by ${scale.toPrecision(3)}.`,
    );
  if (subset !== null)
    description.push(
      train < wanted
        ? `Train-${subset} wants ${wanted} training games; there are only ${train}.`
        : `The training games are Train-${subset}, the first ${wanted} of the pool.`,
    );
  return {
    splits: {
      train: order.subarray(0, train),
      dev: order.subarray(games - test - dev, games - test),
      test: order.subarray(games - test),
      probe: order.subarray(probeAt, probeAt + probe),
    },
    description: description.join(' '),
  };
}

import { proportion } from '../../base/statistics.ts';
import { unwrap, type Result, ok } from '../../base/result.ts';
import { INSTANCE_SEED } from '../../config/instance-seed.ts';
import { parseSquare, squareName } from '../../domains/chess/squares.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Answer } from './assessment.ts';
import type { Bigram } from './bigram.ts';
import { makeInstances, type Instance } from './instances.ts';
import { perplexity } from '../asking/perplexity.ts';
import {
  prefixRanges,
  type BoardEvaluation,
  type PrefixRange,
  type RangeScores,
  type ReferenceScores,
  type TaskScores,
} from '../scores.ts';
import { askTasks, fitsContext, randomLegalExact, type TaskName } from './tasks.ts';

/** What a run is watched with: the same held-out games and instances at every evaluation. */
export interface Watch {
  dev: readonly Uint16Array[];
  instances: Record<PrefixRange, readonly Instance[]>;
}

/**
 * Held-out games and instances for a run. Instances whose prefix does not fit the model's context are left
 * out: their scores are of the rest, and `n` says how many that is.
 */
export async function makeWatch(
  games: { train: Iterable<Uint16Array>; dev: Iterable<Uint16Array>; probe: Iterable<Uint16Array> },
  notation: Notation,
  options: { games: number; instances: number; context: number },
): Promise<Watch> {
  const instances = async (range: PrefixRange): Promise<Instance[]> => {
    const made = await makeInstances(games.probe, {
      range: prefixRanges[range],
      n: options.instances,
      seed: INSTANCE_SEED,
      avoid: games.train,
    });
    return made.filter((instance) => fitsContext(instance, notation, options.context));
  };
  const dev = [...games.dev].slice(0, options.games);
  return { dev, instances: { short: await instances('short'), long: await instances('long') } };
}

const ranges = Object.keys(prefixRanges) as PrefixRange[];
/** Rows of a batch; few where somebody may be waiting for an answer, which on WASM takes no longer in all. */
const rowsFor = (pause: unknown): number => (pause === undefined ? 8 : 2);

/** All the live scores of a model at one step. */
export async function evaluate(
  engine: Engine,
  notation: Notation,
  watch: Watch,
  options: { step: number; pause?: () => Promise<void> },
): Promise<Result<BoardEvaluation>> {
  const { pause, step } = options;
  const rowsPerBatch = rowsFor(pause);
  const held = await perplexity(engine, watch.dev, notation, { rowsPerBatch, pause });
  if (!held.ok) return held;
  const scores = {} as Record<PrefixRange, RangeScores>;
  for (const range of ranges) {
    const judged = await askTasks(engine, notation, watch.instances[range], {
      tasks: ['end-actual', 'start-actual'],
      rowsPerBatch,
      pause,
    });
    scores[range] = { endActual: scoresOf(judged, 'end-actual'), startActual: scoresOf(judged, 'start-actual') };
  }
  return ok({ step, devPerplexity: held.value.perplexity, short: scores.short, long: scores.long });
}

function scoresOf(judged: readonly Answer[], task: TaskName): TaskScores {
  const answers = judged.filter((answer) => answer.task === task);
  return {
    exact: proportion(answers.filter((answer) => answer.exact).length, answers.length),
    legal: proportion(answers.filter((answer) => answer.legal).length, answers.length),
  };
}

/** What random legal play and the board-blind bigram score on the same instances. */
export function referenceScores(instances: Watch['instances'], bigram: Bigram): ReferenceScores {
  const each = <T>(of: (set: readonly Instance[]) => T): Record<PrefixRange, T> => ({
    short: of(instances.short),
    long: of(instances.long),
  });
  return {
    randomLegal: each((set) => ({
      endExact: randomLegalExact(set, 'end-actual') ?? 0,
      startExact: randomLegalExact(set, 'start-actual') ?? 0,
    })),
    bigram: each((set) => {
      const answers = set.map((instance) => {
        const side = instance.prefix.split(' ').length & 1;
        const to = bigram.destination(side, unwrap(parseSquare(instance.starting_square)));
        const square = to < 0 ? '' : squareName(to);
        return { exact: square === instance.ending_square, legal: instance.legal_ending_square.includes(square) };
      });
      const share = (hits: boolean[]): number => (hits.length === 0 ? 0 : hits.filter(Boolean).length / hits.length);
      return { endExact: share(answers.map((a) => a.exact)), endLegal: share(answers.map((a) => a.legal)) };
    }),
    instances: each((set) => set.length),
  };
}

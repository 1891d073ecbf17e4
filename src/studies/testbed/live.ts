import { unwrap, ok } from '../../base/result.ts';
import { proportion } from '../../base/statistics.ts';
import { INSTANCE_SEED } from '../../config/instance-seed.ts';
import { parseSquare, squareName } from '../../domains/chess/rules/squares.ts';
import { rowsPerBatch } from '../asking/held-out-perplexity.ts';
import type { Live, LiveReference, LiveScores } from '../live.ts';
import type { Answer } from './assessment.ts';
import { countBigram, type Bigram } from './bigram.ts';
import { makeInstances, type Instance } from './instances.ts';
import { livePanel, MEASURES } from './live-panel.ts';
import { PREFIX_RANGES, prefixRanges, type PrefixRange } from './prefix-ranges.ts';
import { publishedFor } from './published/published-for.ts';
import { NO_BOARD } from './story.ts';
import { askTasks, fitsContext, randomLegalExact } from './tasks.ts';

export type LiveInstances = Record<PrefixRange, readonly Instance[]>;

const tasks = { end: 'end-actual', start: 'start-actual' } as const;

const RIGHT = {
  legal: ({ legal }: Answer): boolean => legal,
  exact: ({ exact }: Answer): boolean => exact === true,
  spelt: ({ error }: Answer): boolean => error !== 'unreachable',
};

/** Legal and exact answers about positions of held-out games: where a piece goes, and where it stands. */
export const testbedLive: Live = {
  panel: (config, games) => livePanel(config, publishedFor(config, games), null),
  async prepare(config, notation, games) {
    const { evaluation, model } = config;
    const instancesOf = async (range: PrefixRange): Promise<Instance[]> => {
      const made = await makeInstances(games.probe, {
        range: prefixRanges[range],
        n: evaluation.instances,
        seed: INSTANCE_SEED,
        avoid: games.train,
      });
      // Scores are of the instances that fit, and `n` says how many those are.
      return made.filter((instance) => fitsContext(instance, notation, model.context));
    };
    const instances = { short: await instancesOf('short'), long: await instancesOf('long') };
    return ok({
      empty: instances.short.length === 0,
      panel: () =>
        livePanel(config, publishedFor(config, games.train.length), {
          positions: { short: instances.short.length, long: instances.long.length },
          references: baselines(instances, countBigram(games.train)),
        }),
      async evaluate(engine, pause) {
        const scores: [string, LiveScores[string]][] = [];
        for (const range of PREFIX_RANGES) {
          const answers = await askTasks(engine, notation, instances[range], {
            tasks: Object.values(tasks),
            rowsPerBatch: rowsPerBatch(pause),
            pause,
          });
          for (const name of ['end', 'start'] as const) {
            const task = tasks[name];
            const asked = answers.filter((answer) => answer.task === task);
            for (const measure of MEASURES[name]) {
              const right = asked.filter(RIGHT[measure]).length;
              scores.push([`${name}-${measure}-${range}`, proportion(right, asked.length)]);
            }
          }
        }
        return ok(Object.fromEntries(scores));
      },
    });
  },
};

/**
 * What random legal play and a bigram without a board score on the same instances. A random legal answer is always legal,
 * so that it is a line for exact answers alone.
 */
export function baselines(instances: LiveInstances, bigram: Bigram): LiveReference[] {
  const values = (of: (range: readonly Instance[]) => Record<string, number>): LiveReference['values'] =>
    Object.fromEntries(
      PREFIX_RANGES.flatMap((range) =>
        Object.entries(of(instances[range])).map(([name, value]) => [`${name}-${range}`, value]),
      ),
    );
  return [
    {
      label: NO_BOARD,
      values: values((range) => {
        const answers = range.map((instance) => {
          const side = instance.prefix.split(' ').length & 1;
          const to = bigram.destination(side, unwrap(parseSquare(instance.starting_square)));
          const square = to < 0 ? '' : squareName(to);
          return { exact: square === instance.ending_square, legal: instance.legal_ending_square.includes(square) };
        });
        return { 'end-legal': shareOf(answers, 'legal'), 'end-exact': shareOf(answers, 'exact') };
      }),
    },
    {
      label: 'random legal',
      values: values((range) => ({
        'end-exact': randomLegalExact(range, 'end-actual') ?? 0,
        'start-exact': randomLegalExact(range, 'start-actual') ?? 0,
      })),
    },
  ];
}

function shareOf<K extends string>(answers: readonly Record<K, boolean>[], key: K): number {
  return proportion(answers.filter((answer) => answer[key]).length, answers.length).mean ?? 0;
}

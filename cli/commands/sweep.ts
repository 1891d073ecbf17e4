import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { unwrap } from '../../src/base/result.ts';
import { presets } from '../../src/config/presets.ts';
import {
  expandSweep,
  parseSweep,
  SWEEP_EQUALS,
  usualAssessPlan,
  type Sweep,
  type SweepRun,
} from '../../src/config/sweep.ts';
import { Corpus } from '../../src/data/corpus.ts';
import type { Assessment } from '../../src/studies/testbed/assessment.ts';
import { GIGA, withEqualCompute } from '../../src/studies/compute/equal-compute.ts';
import { guessedSpeed, operationsOfRuns } from '../../src/studies/compute/step-cost.ts';
import { taskNames, taskReport } from '../../src/studies/testbed/tasks.ts';
import { writeWhole } from '../folder-store.ts';
import { gamesList, jsonFile, report, unwrapAt, usageError, wholeNumber, writeResult } from '../node-io.ts';
import { deviceFor } from '../open-model.ts';
import { assessRun, trainRun } from '../sweep-run.ts';
import { preparedOnce, SPLIT_SEED } from '../sweep-games.ts';
import { trainingGames } from '../training-games.ts';
import { wasmHost } from '../wasm-host.ts';

/** What `report --from` reads: a JSON array of assessments, in the order of the runs. */
const ASSESSMENTS = 'assessments.json';

const axes = {
  preset: { type: 'string', description: `models, from ${presets.map(({ name }) => name).join(', ')}` },
  rap: { type: 'string', description: 'percent of moves with a piece name in training: 5,15,25' },
  notations: { type: 'string', description: 'notations: uci,rap:15,ap' },
  objectives: { type: 'string', description: 'what is learned: next,legal,valid' },
  limits: { type: 'string', description: 'training games: numbers, S, M or L (the paper’s sizes), or all' },
  seeds: { type: 'string', description: 'seeds: 1,2,3' },
  steps: { type: 'string', description: 'steps of every run' },
  epochs: { type: 'string', description: 'passes of every run over its games' },
  equal: {
    type: 'string',
    description: `${SWEEP_EQUALS.join(', ')}: every run has as many as the first, whose length is as the other options say`,
  },
  ranges: { type: 'string', description: 'prefix lengths to probe: short,long' },
  instances: { type: 'string', description: `instances a range, ${usualAssessPlan.instances} where not said` },
  'perplexity-games': { type: 'string', description: `games, ${usualAssessPlan.perplexityGames} where not said` },
  'assess-seed': { type: 'string', description: `seed of instance choice, ${usualAssessPlan.seed} where not said` },
  'random-play': { type: 'boolean', description: 'also probe prefixes of random legal play' },
} as const;

export default defineCommand({
  meta: {
    name: 'sweep',
    description: 'Train runs that differ in a few things, one after another, and assess each; goes on where it ended.',
  },
  args: {
    data: { type: 'string', required: true, description: 'a folder made by prepare, or GAMES' },
    out: { type: 'string', required: true, description: 'folder for a folder a run, and for assessments.json' },
    config: { type: 'string', description: 'a Sweep as JSON, instead of the options below' },
    ...axes,
    'assess-games': { type: 'string', description: 'GAMES to measure with; those held out of --data where not said' },
    engine: { type: 'string', description: 'webgpu, wasm or cpu, or tfjs; by default the best there is' },
  },
  async run({ args }) {
    const sweep = args.config === undefined ? sweepOf(args) : await sweepFile(args.config, args);
    unwrap(expandSweep(sweep, null));
    const assessGames = args['assess-games'];
    const measured = assessGames === undefined ? null : Corpus.from(await gamesList([assessGames]));
    const data = await preparedOnce(args.data, args.out);
    // All training games, whatever a run's limit: what none has seen is the same question for every run.
    const all = await trainingGames(data, { limit: null, seed: SPLIT_SEED });
    const expanded = unwrap(expandSweep(sweep, all.train.length));
    const read = { events: all.train.events.length / Math.max(1, all.train.length), count: all.train.length };
    const runs = sweep.equal === null ? expanded : unwrap(withEqualCompute(expanded, sweep.equal, read));
    const games = measured ? { ...all, dev: measured, probe: measured } : all;
    await mkdir(args.out, { recursive: true });
    report(`${runs.length} ${runs.length === 1 ? 'run' : 'runs'}: ${runs.map(({ name }) => name).join(', ')}.`);
    report(await outlookOf(runs, read, args.engine));
    const assessments: Assessment[] = [];
    for (const run of runs) {
      const from = { folder: join(args.out, run.name), data, engine: args.engine };
      const trained = await trainRun(run, from);
      if (trained === 'stopped') {
        report('Stopped. The same command goes on from here.');
        process.exit(0);
      }
      const asked = { plan: sweep.assess, games: assessGames ?? args.data };
      const assessment = await assessRun(run, games, asked, from);
      assessments.push(assessment);
      await writeWhole(args.out, ASSESSMENTS, new TextEncoder().encode(`${JSON.stringify(assessments)}\n`));
      writeResult({ name: run.name, trained: trained === 'trained', ...summaryOf(assessment) });
    }
    process.exit(0);
  },
});

/** What all training takes, said before it begins. */
async function outlookOf(
  runs: readonly SweepRun[],
  games: { events: number; count: number },
  engine: string | undefined,
): Promise<string> {
  const { backend } = await deviceFor(engine);
  const { threads } = wasmHost();
  const flops = runs.map(({ config }) => operationsOfRuns([config], games));
  const seconds = runs.reduce((sum, { config }, at) => sum + flops[at] / guessedSpeed(config, backend, threads), 0);
  const gigaflops = Math.round(flops.reduce((sum, some) => sum + some, 0) / GIGA).toLocaleString('en-GB');
  const minutes = Math.max(1, Math.round(seconds / 60)).toLocaleString('en-GB');
  return `Training takes ${gigaflops} GFLOPs in all: about ${minutes} min, a first guess.`;
}

type SweepOptions = { [name in keyof typeof axes]?: (typeof axes)[name]['type'] extends 'boolean' ? boolean : string };

function sweepOf(args: SweepOptions): Sweep {
  if (args.preset === undefined) throw usageError('Give either --preset NAMES or --config SWEEP.json.');
  const list = (text: string | undefined): string[] =>
    text === undefined ? [] : text.split(',').map((word) => word.trim());
  const number = (option: keyof SweepOptions, least: number): number | undefined =>
    args[option] === undefined ? undefined : wholeNumber(`--${option}`, String(args[option]), least);
  return unwrap(
    parseSweep({
      version: 1,
      bases: list(args.preset),
      notations: [...list(args.notations), ...list(args.rap).map((p) => `rap:${wholeNumber('--rap', p, 0)}`)],
      objectives: list(args.objectives),
      limits: list(args.limits).map((limit) =>
        limit === 'all' ? null : /^[SML]$/.test(limit) ? limit : wholeNumber('--limits', limit, 1),
      ),
      seeds: list(args.seeds).map((seed) => wholeNumber('--seeds', seed, 0)),
      steps: number('steps', 1) ?? null,
      epochs: number('epochs', 1) ?? null,
      equal: args.equal ?? null,
      assess: {
        ranges: args.ranges === undefined ? usualAssessPlan.ranges : list(args.ranges),
        instances: number('instances', 1) ?? usualAssessPlan.instances,
        perplexityGames: number('perplexity-games', 1) ?? usualAssessPlan.perplexityGames,
        randomPlay: args['random-play'] ?? false,
        seed: number('assess-seed', 0) ?? usualAssessPlan.seed,
      },
    }),
  );
}

async function sweepFile(path: string, args: SweepOptions): Promise<Sweep> {
  const given = (Object.keys(axes) as (keyof SweepOptions)[]).filter((name) => args[name] !== undefined);
  if (given.length > 0) throw usageError(`--config has all of the sweep; leave out --${given.join(', --')}.`);
  return unwrapAt(path, parseSweep(await jsonFile(path, 'bad-config', 'a sweep as JSON')));
}

/** What a person wants to see of a run as it finishes; all of it is in assessments.json. */
function summaryOf({ subject, perplexity, sets }: Assessment): object {
  return {
    steps: subject.steps,
    perplexity: perplexity.dev?.perplexity ?? null,
    sets: sets.map(({ range, source, instances, answers }) => ({
      range,
      source,
      instances: instances.length,
      ...Object.fromEntries(
        taskNames.map((task) => {
          const { exm, lgm, rprec } = taskReport(answers, task);
          return [task, { exm, lgm, rprec }];
        }),
      ),
    })),
  };
}

import * as v from 'valibot';
import { issueText } from './issue-text.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { OBJECTIVES } from './objectives.ts';
import { INSTANCE_SEED } from './instance-seed.ts';
import { count } from './fields.ts';
import { presetNamed, presets } from './presets.ts';
import { layersOf } from './model-schema.ts';
import { parseRunConfig, type RunConfig } from './run-config.ts';

/**
 * A sweep: runs that differ in a few things only, each assessed alike when it is finished. One schema for the page's
 * form and for `blindfold sweep`, so that both make the same runs.
 */
export const SWEEP_VERSION = 1;

/** More runs than this are taken for a slip of the pen. */
export const MOST_RUNS = 200;

/** Training games of the chess testbed's three sizes (Toshniwal et al. 2022, Table 9). */
export const trainSizes = { S: 15_000, M: 50_000, L: 200_000 } as const;

/** What all runs of a sweep may have as much of as its first; equal parameters come with equal tokens. */
export const SWEEP_EQUALS = ['tokens', 'flops', 'parameters'] as const;
export type SweepEqual = (typeof SWEEP_EQUALS)[number];

const seed = count(0, Number.MAX_SAFE_INTEGER);

/** What every finished run of a sweep is asked. */
export const AssessPlanSchema = v.strictObject({
  /** Ranges of prefix lengths (src/studies/testbed/prefix-ranges.ts). */
  ranges: v.pipe(
    v.array(v.picklist(['short', 'long'])),
    v.minLength(1, 'name at least one range'),
    v.checkItems((range, at, all) => all.indexOf(range) === at, 'name each range once'),
  ),
  /** Probing instances for each range; the paper has 1000. */
  instances: count(1, 1e5),
  /** Held-out games for perplexity. */
  perplexityGames: count(1, 1e6),
  /** Also probe prefixes of uniformly random legal play. */
  randomPlay: v.boolean(),
  /** Seed of instance choice. */
  seed,
});
export type AssessPlan = v.InferOutput<typeof AssessPlanSchema>;

export const usualAssessPlan: AssessPlan = {
  ranges: ['short', 'long'],
  instances: 200,
  perplexityGames: 200,
  randomPlay: false,
  seed: INSTANCE_SEED,
};

/** An axis left empty stays as each base has it. */
export const SweepSchema = v.strictObject({
  version: v.literal(SWEEP_VERSION),
  /** Names of presets, or whole RunConfigs. */
  bases: v.pipe(v.array(v.union([v.string(), v.looseObject({})])), v.minLength(1, 'name at least one model')),
  /** Key of the games on the page; null leaves each base's. The command line takes them from --data. */
  games: v.optional(v.nullable(v.string()), null),
  /** "uci", "rap:15", "ap". */
  notations: v.optional(v.array(v.string()), []),
  /** Training games: a number, one of the paper's sizes, or null for all there are. */
  limits: v.optional(v.array(v.nullable(v.union([count(1, 1e9), v.picklist(['S', 'M', 'L'])]))), []),
  seeds: v.optional(v.array(seed), []),
  /** What is learned, as RunConfig has it. */
  objectives: v.optional(v.array(v.picklist(OBJECTIVES)), []),
  /** Steps of every run, or passes over its games; at most one of the two. */
  steps: v.optional(v.nullable(count(1, 1e8)), null),
  epochs: v.optional(v.nullable(count(1, 10_000)), null),
  /** Null leaves each run its own length. */
  equal: v.optional(v.nullable(v.picklist(SWEEP_EQUALS)), null),
  assess: v.optional(AssessPlanSchema, usualAssessPlan),
});
export type Sweep = v.InferOutput<typeof SweepSchema>;

/** One run of a sweep. */
export interface SweepRun {
  /** Unlike any other of the sweep, and good as the name of a folder: "tiny-rap-15-15000-games-seed-1". */
  name: string;
  config: RunConfig;
}

/** A Sweep from anything; the failure names the first field that is wrong. */
export function parseSweep(input: unknown): Result<Sweep> {
  const parsed = v.safeParse(SweepSchema, input);
  if (!parsed.success) {
    return fail('sweep-invalid', `${issueText(parsed.issues, 'the sweep')}. Correct it and try again.`);
  }
  const { steps, epochs } = parsed.output;
  if (steps !== null && epochs !== null)
    return fail('sweep-invalid', 'The sweep sets both steps and epochs; leave one of them out.');
  return ok(parsed.output);
}

/**
 * The runs of a sweep without duplicates, the first seed of everything before the second, so that a table is whole
 * early. @param trainGames how many training games there are; null where not known yet.
 * Fails with `sweep-invalid`, `sweep-too-large`, `too-few-games`, or as parseRunConfig does, naming the run.
 */
export function expandSweep(sweep: Sweep, trainGames: number | null): Result<SweepRun[]> {
  const bases = basesOf(sweep);
  if (!bases.ok) return bases;
  const axis = <T>(values: readonly T[]): readonly (T | undefined)[] => (values.length === 0 ? [undefined] : values);
  const limits = axis(sweep.limits.map((limit) => (typeof limit === 'string' ? trainSizes[limit] : limit)));
  const objectives = axis(sweep.objectives);
  const notations = axis(sweep.notations);
  const seeds = axis(sweep.seeds);
  const combinations = bases.value.length * limits.length * objectives.length * notations.length * seeds.length;
  if (combinations > MOST_RUNS)
    return fail(
      'sweep-too-large',
      `This sweep would be ${combinations} runs, and at most ${MOST_RUNS} are taken at once; leave out some models, sizes, notations or seeds.`,
    );
  const runs = new Map<string, SweepRun>();
  for (const seed of seeds)
    for (const base of bases.value)
      for (const limit of limits)
        for (const objective of objectives)
          for (const notation of notations) {
            const config = configOf(base.config, { ...sweep, seed, limit, objective, notation }, trainGames);
            if (!config.ok) return config;
            const key = JSON.stringify(config.value);
            if (!runs.has(key)) runs.set(key, { name: nameOf(base.name, config.value), config: config.value });
          }
  return ok([...runs.values()]);
}

/** The runs of the bases as they are. */
function basesOf(sweep: Sweep): Result<SweepRun[]> {
  const bases = new Map<string, SweepRun>();
  const taken = new Set<string>();
  for (const given of sweep.bases) {
    const preset = typeof given === 'string' ? presetNamed(given) : undefined;
    if (typeof given === 'string' && preset === undefined)
      return fail(
        'sweep-invalid',
        `bases: there is no preset "${given}"; the presets are ${presets.map(({ name }) => name).join(', ')}.`,
      );
    const config = parseRunConfig(preset?.config ?? given);
    if (!config.ok) return config;
    const key = JSON.stringify(config.value);
    if (bases.has(key)) continue;
    const { model } = config.value;
    const stem = preset?.name ?? `${model.kind}-${layersOf(model)}x${model.width}`;
    let name = stem;
    for (let i = 2; taken.has(name); i++) name = `${stem}-no-${i}`;
    taken.add(name);
    bases.set(key, { name, config: config.value });
  }
  return ok([...bases.values()]);
}

interface Point {
  seed?: number;
  limit?: number | null;
  objective?: RunConfig['objective'];
  notation?: string;
}

function configOf(
  base: RunConfig,
  { games, steps, epochs, seed, limit, objective, notation }: Point & Pick<Sweep, 'games' | 'steps' | 'epochs'>,
  trainGames: number | null,
): Result<RunConfig> {
  if (limit && trainGames !== null && limit > trainGames)
    return fail(
      'too-few-games',
      `The sweep asks for ${limit} training games and this set has ${trainGames}; ask for at most that, or for all.`,
    );
  const length = steps !== null ? { steps, epochs: null } : epochs !== null ? { epochs } : {};
  return parseRunConfig({
    ...base,
    data: { games: games ?? base.data.games, manifest: '', limit: limit === undefined ? base.data.limit : limit },
    notation: notation ?? base.notation,
    objective: objective ?? base.objective,
    schedule: { ...base.schedule, ...length },
    seed: seed ?? base.seed,
  });
}

function nameOf(base: string, { notation, objective, data, seed }: RunConfig): string {
  const games = data.limit === null ? 'all-games' : `${data.limit}-games`;
  const learned = objective === 'next' ? [] : [objective];
  return [base, notation.replace(':', '-'), ...learned, games, `seed-${seed}`].join('-');
}

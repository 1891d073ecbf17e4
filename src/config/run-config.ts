import * as v from 'valibot';
import { fail, ok, type Result } from '../base/result.ts';

/**
 * Everything that decides a run: one schema for the page, its URL, the command line and the checkpoint.
 * Same config and seed, same batches in the same order.
 */
export const CONFIG_VERSION = 1;

const count = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const between = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));

export const RunConfigSchema = v.strictObject({
  version: v.literal(CONFIG_VERSION),
  domain: v.literal('chess'),
  /** `games` names the source for people; `manifest` is the hash of its manifest, empty until the data are read. */
  data: v.strictObject({ games: v.string(), manifest: v.string(), limit: v.nullable(count(1, 1e9)) }),
  /** "uci" or "rap:15" (a piece name before 15 percent of the moves, in training only). */
  notation: v.pipe(
    v.string(),
    v.regex(/^(uci|rap:(100|[1-9]?\d))$/, 'notation is "uci" or "rap:P" with P from 0 to 100'),
  ),
  model: v.strictObject({
    kind: v.literal('gpt2'),
    layers: count(1, 48),
    width: count(8, 2048),
    heads: count(1, 64),
    context: count(16, 1024),
    dropout: between(0, 0.9),
  }),
  optimizer: v.strictObject({
    kind: v.literal('adamw'),
    learningRate: between(1e-7, 1),
    beta1: between(0, 0.9999),
    beta2: between(0, 0.99999),
    epsilon: between(1e-12, 1e-2),
    weightDecay: between(0, 1),
    clipNorm: between(0, 1e6),
  }),
  schedule: v.strictObject({
    steps: count(1, 1e8),
    /** Share of the steps over which the learning rate rises. */
    warmup: between(0, 1),
    /** The rate at the last step as a share of the peak. */
    floor: between(0, 1),
  }),
  /** Games in a batch. */
  batch: count(1, 512),
  evaluation: v.strictObject({
    /** Steps between evaluations. */
    every: count(1, 1e8),
    /** Dev games for perplexity. */
    games: count(1, 1e6),
    /** Probing instances for each range of prefix lengths. */
    instances: count(1, 1e5),
  }),
  /** Steps between checkpoints. */
  checkpointEvery: count(1, 1e8),
  seed: count(0, Number.MAX_SAFE_INTEGER),
});

export type RunConfig = v.InferOutput<typeof RunConfigSchema>;

/** A RunConfig from anything; the failure names the first field that is wrong. */
export function parseRunConfig(input: unknown): Result<RunConfig> {
  if (typeof input === 'object' && input !== null && 'version' in input && input.version !== CONFIG_VERSION)
    return fail(
      'config-version',
      `This config is of version ${JSON.stringify(input.version)?.slice(0, 20)}; this build reads version ${CONFIG_VERSION}. Open it with the build that made it, or start a new run with the same settings.`,
    );
  const parsed = v.safeParse(RunConfigSchema, input);
  if (!parsed.success) {
    const issue = parsed.issues[0];
    const field = v.getDotPath(issue) ?? 'the config';
    return fail('config-invalid', `${field}: ${issue.message}. Correct it or start from a preset.`);
  }
  if (parsed.output.model.width % parsed.output.model.heads !== 0)
    return fail(
      'config-invalid',
      `model.width: ${parsed.output.model.width} must be a multiple of model.heads (${parsed.output.model.heads}).`,
    );
  return ok(parsed.output);
}

import * as v from 'valibot';
import { fail, ok, type Result } from '../base/result.ts';

/**
 * Everything that decides a run: one schema for the page, its URL, the command line and the checkpoint.
 * Same config and seed, same batches in the same order.
 */
export const CONFIG_VERSION = 1;

const count = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const between = (least: number, most: number) => v.pipe(v.number(), v.minValue(least), v.maxValue(most));

const layers = count(1, 48);
const width = count(8, 2048);
const heads = count(1, 64);
const context = count(16, 1024);
const dropout = between(0, 0.9);
/** Tokens that a token sees, itself included; null sees all before it. */
const window = v.optional(v.nullable(count(1, 1024)), null);
/** Whether the grammar's slot of each token is told to the model. */
const slots = v.optional(v.boolean(), false);

/** As the model descriptions in src/models say; what came later is optional, so that older configs still open. */
const ModelSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('gpt2'),
    layers,
    width,
    heads,
    context,
    dropout,
    window,
    slots,
    start: v.optional(v.picklist(['gpt2', 'zero-out']), 'gpt2'),
  }),
  v.strictObject({
    kind: v.literal('qwen3'),
    layers,
    width,
    heads,
    mlp: count(8, 8192),
    context,
    window,
    rotaryBase: v.optional(between(10, 1e8), 10_000),
    slots,
  }),
  v.strictObject({ kind: v.literal('lstm'), layers, width, context, dropout, slots }),
]);

const adamw = {
  learningRate: between(1e-7, 1),
  beta1: between(0, 0.9999),
  beta2: between(0, 0.99999),
  epsilon: between(1e-12, 1e-2),
  weightDecay: between(0, 1),
  clipNorm: between(0, 1e6),
};

const OptimizerSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('adamw'), ...adamw }),
  /** Muon for the matrices inside the layers; AdamW, as the fields above say, for everything else. */
  v.strictObject({
    kind: v.literal('muon'),
    ...adamw,
    /** Peak learning rate of the matrices. */
    matrixRate: between(1e-7, 1),
    matrixDecay: between(0, 1),
    /** Rises from `momentumStart` in a straight line over the first `momentumSteps` steps. */
    momentum: v.optional(between(0, 0.9999), 0.95),
    momentumStart: v.optional(between(0, 0.9999), 0.85),
    momentumSteps: v.optional(count(0, 1e8), 150),
  }),
]);

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
  model: ModelSchema,
  optimizer: OptimizerSchema,
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
  const headProblem = headProblemOf(parsed.output.model);
  return headProblem ? fail('config-invalid', headProblem) : ok(parsed.output);
}

function headProblemOf(model: RunConfig['model']): string | null {
  if (model.kind === 'lstm') return null;
  const { width, heads } = model;
  if (width % heads !== 0) return `model.width: ${width} must be a multiple of model.heads (${heads}).`;
  if (model.kind === 'qwen3' && (width / heads) % 2 !== 0)
    return `model.width: ${width} over ${heads} heads makes heads ${width / heads} wide; rotary positions need an even number.`;
  return null;
}

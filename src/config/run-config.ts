import * as v from 'valibot';
import { issueText } from './issue-text.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { bringsTokens } from './brought-tokens.ts';
import { choice, count, real, toggle, whole } from './fields.ts';
import { modelProblemOf, ModelSchema } from './model-schema.ts';
import { LEGAL_WEIGHT, OBJECTIVES } from './objectives.ts';
import { OptimizerSchema } from './optimizers.ts';
import { QuestionsSchema, StartSchema } from './questions-schema.ts';

/**
 * Everything that decides a run: one schema for the page, its URL, the command line and the checkpoint.
 * Same config and seed, same batches in the same order.
 */
export const CONFIG_VERSION = 1;

/** Steps that a run may have. */
export const MOST_STEPS = 1e8;

export const RunConfigSchema = v.strictObject({
  version: v.literal(CONFIG_VERSION),
  /** The game, as src/domains/domains.ts lists it; which notations it has is checked there. */
  domain: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,30}$/, 'a game is named in small letters, such as "chess"')),
  /** `games` names the source for people; `manifest` is the hash of its manifest, empty until the data are read. */
  data: v.strictObject({
    games: v.string(),
    manifest: v.string(),
    limit: v.nullable(count(1, 1e9)),
    /** What must be said wherever these games, or those that its first weights learned from, are used. */
    notice: v.optional(v.string()),
    /** What loose files were split by, where that is not the run's own seed: the seed of the model it started from. */
    splitSeed: v.optional(count(0, Number.MAX_SAFE_INTEGER)),
  }),
  /**
   * "uci"; "rap:15", a piece name before 15 percent of the moves, in training only; "ap", a piece name before every move
   * but castling, in training and evaluation; "splat", the tokens of SPLAT, which questions are asked in; "text", the same
   * as the text that the model's tokenizer reads; "moves" and "moves:named", whole moves in the tokens of a model of another
   * maker, which is asked in squares.
   */
  notation: v.pipe(
    v.string(),
    v.regex(
      /^(uci|ap|splat|text|moves|moves:named|rap:(100|[1-9]?\d))$/,
      'notation is "uci", "ap", "splat", "text" or "rap:P" with P from 0 to 100',
    ),
  ),
  /** Where set, the model learns question-answer lines rather than whole games: SPLAT's fine-tuning. */
  questions: v.optional(v.nullable(QuestionsSchema), null),
  /** The model whose weights a run on whole games begins with; one on questions says it there. Absent: random weights. */
  from: v.optional(v.nullable(StartSchema)),
  /** What is learned at each place (objectives.ts). */
  objective: v.optional(v.picklist(OBJECTIVES), 'next'),
  /** With the objective "legal": weight of the semantic loss beside the next token's. */
  legalWeight: v.optional(
    real('Weight of what is legal', 0.01, 1000, {
      description:
        'The higher it is, the fewer illegal moves the model makes, and the less it knows of what people play. A high weight (40 was tried) also makes the model end games early, because ending a game counts as legal before every move.',
    }),
    LEGAL_WEIGHT,
  ),
  /**
   * Whether the names of pieces that stand before some moves are learned too, as in the testbed; false where they are
   * read alone. Evaluation forbids them in any case.
   */
  predictNames: v.optional(
    toggle('Learns to name pieces too', {
      description:
        'Switched off, the letter of a piece is read and never predicted: nobody can know which moves have one.',
    }),
    true,
  ),
  /**
   * With "rap:P" and the objective "next": weight of a second target behind each start square, the name of the piece that
   * moves, whether or not it was written. Evaluation forbids names in any case. It falls to nothing over the run's last tenth
   * (objectives.ts).
   */
  pieceWeight: v.optional(
    real('Weight of the piece that moves', 0, 100, {
      description:
        'Above 0, the model also learns after each start square which kind of piece stood there, for every move and not only for those with a letter. It keeps better track of the pieces.',
    }),
    0,
  ),
  model: ModelSchema,
  optimizer: OptimizerSchema,
  /**
   * Of training: "full", 32 bits; "mixed", activations in 16 and sums in 32, where the compiled engine on WebGPU finds by a
   * trial that its device can do it, and full elsewhere (src/engine/runtimes/webgpu/precision.ts).
   */
  precision: v.optional(
    choice(
      'Numbers kept of each token',
      { full: 'In 32 bits', mixed: 'In 16 bits where the graphics card can' },
      {
        description:
          '16 bits take half the memory. They are used on WebGPU, after a trial on this device; elsewhere it stays at 32.',
      },
    ),
    'full',
  ),
  schedule: v.strictObject({
    steps: whole('Steps', 1, MOST_STEPS),
    /** Share of the steps over which the learning rate rises. */
    warmup: real('Warm-up', 0, 1, { suffix: 'share' }),
    /** The rate at the last step as a share of the peak. */
    floor: real('Floor', 0, 1, { suffix: 'share' }),
    /** Passes over the training games; where set, `steps` follows from them once the games are known (settled.ts). */
    epochs: v.optional(
      v.nullable(
        whole('Passes over the games', 1, 10_000, {
          none: 'as many as the steps take',
          description: 'Where it is set the steps follow from it, and the model is probed after each pass.',
        }),
      ),
      null,
    ),
    /** Ends the run after so many epochs in a row whose dev perplexity was no new lowest; null goes on to the last step. */
    patience: v.optional(
      v.nullable(
        whole('Patience', 1, 10_000, {
          suffix: 'passes',
          none: 'goes on to the end',
          description:
            'Ends the run after this many passes in a row that do not lower the perplexity on the dev games; the paper takes 1.',
        }),
      ),
      null,
    ),
    /** What a run ends with: its last weights, or those of the epoch with the lowest dev perplexity. */
    keep: v.optional(choice('The run ends with', { last: 'Its last weights', best: 'Those of its best pass' }), 'last'),
  }),
  /** Games in a batch. */
  batch: whole('Batch', 1, 512, { suffix: 'games' }),
  evaluation: v.strictObject({
    /** Steps between evaluations. */
    every: whole('Probe every', 1, 1e8, { suffix: 'steps' }),
    /** Dev games for perplexity. */
    games: whole('Games for perplexity', 1, 1e6),
    /** Probing instances for each range of prefix lengths. */
    instances: whole('Positions probed', 1, 1e5),
  }),
  /** Steps between checkpoints. */
  checkpointEvery: whole('Save every', 1, 1e8, { suffix: 'steps' }),
  seed: whole('Seed', 0, Number.MAX_SAFE_INTEGER),
});

export type RunConfig = v.InferOutput<typeof RunConfigSchema>;

/** The model whose weights a run begins with; null for random ones. */
export function startOf({ questions, from = null }: RunConfig): v.InferOutput<typeof StartSchema> | null {
  return questions === null ? from : questions.from;
}

/** A RunConfig from anything; the failure names the first field that is wrong. */
export function parseRunConfig(input: unknown): Result<RunConfig> {
  if (typeof input === 'object' && input !== null && 'version' in input && input.version !== CONFIG_VERSION)
    return fail(
      'config-version',
      `This config is of version ${JSON.stringify(input.version)?.slice(0, 20)}; this build reads version ${CONFIG_VERSION}. Open it with the build that made it, or start a new run with the same settings.`,
    );
  const parsed = v.safeParse(RunConfigSchema, input);
  if (!parsed.success) {
    return fail('config-invalid', `${issueText(parsed.issues, 'the config')}. Correct it or start from a preset.`);
  }
  const { output } = parsed;
  const problem = modelProblemOf(output.model) ?? broughtProblemOf(output) ?? questionsProblemOf(output);
  return problem ? fail('config-invalid', problem) : ok(output);
}

/** What a model that brings its tokens cannot have; null where there is nothing. */
function broughtProblemOf({ notation, model, objective }: RunConfig): string | null {
  if (!bringsTokens({ notation })) return null;
  const [pieces, what] = notation === 'text' ? ['the pieces of text', 'text is'] : ['whole moves', 'whole moves are'];
  if (model.slots) return `model.slots: ${pieces} have no slots; choose false.`;
  return objective === 'next' ? null : `objective: ${what} learned with "next"; choose it.`;
}

/** What fields far apart get wrong together; null where they fit. */
function questionsProblemOf({ questions, notation, objective }: RunConfig): string | null {
  if (questions === null) return null;
  if (notation !== 'splat' && notation !== 'text')
    return `notation: questions are asked in "splat" or "text", not in "${notation}". Choose one of these.`;
  if (objective !== 'next') return 'objective: lines with questions are learned with "next"; choose it.';
  return null;
}

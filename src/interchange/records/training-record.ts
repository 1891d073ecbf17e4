import * as v from 'valibot';
import { Budget } from '../../base/budget.ts';
import { jsonValue } from '../../base/json.ts';
import { issueText } from '../../config/issue-text.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { RunConfigSchema } from '../../config/run-config.ts';

/** The record's file in a folder that ships a model. */
export const TRAINING_RECORD = 'training-record.json';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const share = v.nullable(v.number());
const interval = v.nullable(v.tuple([v.number(), v.number()]));
/** Commands, one a line, that give these figures again; files are named without their folders. */
const computedBy = v.array(v.string());

/** As `probe` prints a task: exact moves, legal moves, R-precision, and the 95% intervals of the three. */
const TaskSchema = v.object({
  exm: share,
  lgm: share,
  rprec: share,
  n: count,
  ci95: v.object({ exm: interval, lgm: interval, rprec: interval }),
});

const RangeSchema = v.object({
  /** Least and greatest length of the prefixes. */
  plies: v.tuple([count, count]),
  tasks: v.object({
    'end-actual': TaskSchema,
    'end-other': TaskSchema,
    'start-actual': TaskSchema,
    'start-other': TaskSchema,
  }),
  computedBy,
});

/** A run whose weights a later one began with. */
const EarlierRunSchema = v.object({
  config: RunConfigSchema,
  steps: count,
  tokens: count,
  seconds: v.pipe(v.number(), v.minValue(0)),
  device: v.string(),
  engine: v.string(),
  threads: count,
  remark: v.optional(v.string()),
});

/** Whole games: played alone, and against opponents that play legally (Balogh and Jelasity 2026). */
const SoundnessSchema = v.object({
  /** Games alone, and for each opponent. */
  games: count,
  /** Plies of a held-out game that each begins with, and the most plies after them. */
  warmUp: count,
  plies: count,
  /**
   * Share of games that the model played alone, at temperature 1, without an illegal move, of the plies in them that were
   * legal, and mean plies of the games without one; older records lack the last two.
   */
  alone: v.object({
    fullyLegal: v.number(),
    ci95: v.tuple([v.number(), v.number()]),
    legalPlies: v.optional(v.number()),
    legalGamePlies: v.optional(v.nullable(v.number())),
  }),
  /** Share of games in which an opponent led the model, which answers greedily, to an illegal move. */
  attacks: v.array(
    v.object({ adversary: v.string(), attackSuccess: v.number(), ci95: v.tuple([v.number(), v.number()]) }),
  ),
  computedBy,
});

/** Of a model that can be asked for squares. */
const SquareScoresSchema = v.object({
  /** Canonical perplexity a move (Toshniwal et al. 2022, section 4). */
  perplexity: v.object({ games: count, moves: count, perplexity: v.number(), computedBy }),
  short: RangeSchema,
  long: RangeSchema,
  /** Long prefixes of other games, such as another site's, or of moves drawn by chance. */
  splits: v.optional(v.array(v.object({ words: v.string(), ...RangeSchema.entries }))),
  soundness: v.optional(SoundnessSchema),
});

/** Of a model that reads an event a token. */
const EventScoresSchema = v.object({
  /** Perplexity a token (Demeter and Downey 2021, Table 2). */
  perplexity: v.object({ games: count, tokens: count, perplexity: v.number() }),
  /** R-precision of the likeliest next tokens among those that the rules allow, and the same of random answers. */
  legal: v.object({ rprec: v.number(), n: count, ci95: v.tuple([v.number(), v.number()]), random: v.number() }),
  /** Probability that lies on tokens that the rules allow. */
  legalMass: v.number(),
  computedBy,
});

const TrainingRecordSchema = v.object({
  version: v.literal(1),
  /** Day on which the record was made, YYYY-MM-DD. */
  date: v.pipe(v.string(), v.isoDate()),
  /** Program and version. */
  software: v.string(),
  config: RunConfigSchema,
  data: v.object({
    name: v.string(),
    /** What the checkpoint names its games by: hash of the manifest, or of the training games' moves. */
    hash: v.string(),
    /** Games in the training split, each of which the model may have met. */
    games: count,
    source: v.string(),
  }),
  /** Steps, tokens, games and seconds are of all runs together, where earlier ones gave the first weights. */
  training: v.object({
    steps: count,
    /** Tokens read but each game's first: squares, promotions, names of pieces and ends of games. */
    tokens: count,
    /** Games met, each counted once. */
    games: count,
    seconds: v.pipe(v.number(), v.minValue(0)),
    /** The adapter in words. */
    device: v.string(),
    engine: v.string(),
    threads: count,
    /** What the config does not tell of how it trained: that it was taken up again with more steps, say. */
    remark: v.optional(v.string()),
    /** The runs before, the first of all first: each gave the next its first weights. `config` is the last run's. */
    earlier: v.optional(v.pipe(v.array(EarlierRunSchema), v.minLength(1))),
    computedBy,
  }),
  weights: v.object({
    file: v.string(),
    format: v.literal('F16'),
    /** Numbers that were learned. */
    parameters: count,
    /** Numbers in the file, where it holds more than were learned: a row for each pair of a slot and a token. */
    stored: v.optional(count),
    bytes: count,
    sha256: v.string(),
    /** Largest change of a logit by the rounding from 32 bits, on one short game; null where the 32 bits are gone. */
    maxLogitDifference: v.nullable(v.number()),
  }),
  /** Of the weights as they lie in the folder. */
  scores: v.union([SquareScoresSchema, EventScoresSchema]),
});

/** How a shipped model came to be and what it can do. */
export type TrainingRecord = v.InferOutput<typeof TrainingRecordSchema>;

export type SquareScores = v.InferOutput<typeof SquareScoresSchema>;
export type EventScores = v.InferOutput<typeof EventScoresSchema>;

/** Whether the scores are those of a model that can be asked for squares. */
export function areOfSquares(scores: TrainingRecord['scores']): scores is SquareScores {
  return 'short' in scores;
}

/** A record from its file's bytes; the failure names the first field that is wrong. */
export function parseTrainingRecord(bytes: Uint8Array): Result<TrainingRecord> {
  const invalid = (what: string) =>
    fail('training-record-invalid', `${TRAINING_RECORD} ${what}; make it again with "ship".`, {
      file: TRAINING_RECORD,
    });
  const json = jsonValue(new TextDecoder().decode(bytes), new Budget(TRAINING_RECORD));
  if (!json.ok) return invalid(`cannot be read: ${json.error.message}`);
  const parsed = v.safeParse(TrainingRecordSchema, json.value);
  if (parsed.success) return ok(parsed.output);
  return invalid(`is wrong (${issueText(parsed.issues, 'the record')})`);
}

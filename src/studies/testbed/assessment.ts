import * as v from 'valibot';
import { PIECES } from '../../domains/chess/rules/pieces.ts';
import { whole } from '../stored-numbers.ts';
import { SubjectSchema } from '../subject-schema.ts';
import { errorClasses } from './error-taxonomy.ts';
import { InstanceSchema } from './instances.ts';
import { PREFIX_RANGES } from './prefix-ranges.ts';
import { taskNames } from './tasks.ts';

const number = v.pipe(v.number(), v.finite());

/** `moves` are plies. */
const PerplexitySchema = v.object({ games: whole, moves: whole, perplexity: number });
export type PerplexityFigure = v.InferOutput<typeof PerplexitySchema>;

/** One answer, judged, with what the tables count it by. */
const AnswerSchema = v.object({
  task: v.picklist(taskNames),
  /** Index into the set's instances. */
  instance: whole,
  /** The token that ended the prompt: a start square or a piece letter (with UCI+AP, End prompts have both). */
  prompt: v.string(),
  /** Plies before the question. */
  plies: whole,
  /** The piece asked about. */
  piece: v.picklist(PIECES),
  /** The model's likeliest token. */
  top: v.string(),
  /** How many answers are legal. */
  legalCount: v.pipe(whole, v.minValue(1)),
  legal: v.boolean(),
  /** Null for Other tasks, which have no exact answer. */
  exact: v.nullable(v.boolean()),
  rPrecision: v.pipe(number, v.minValue(0), v.maxValue(1)),
  /** End tasks only: the class of a wrong answer. */
  error: v.nullable(v.picklist(errorClasses)),
  /** Whether the side to move was in check before the question (Table 13). */
  inCheck: v.boolean(),
  /** End tasks whose token is a square: king moves from the prompt's square to it (Chebyshev distance, Figure 8). */
  pathLength: v.nullable(whole),
});
export type Answer = v.InferOutput<typeof AnswerSchema>;

const mean = v.nullable(number);
const interval = v.nullable(v.tuple([number, number]));

/** Means over the instances of one task, and their 95% intervals. */
const TaskSchema = v.object({
  /** Exact-move accuracy; null for Other tasks. */
  exm: mean,
  /** Legal-move accuracy. */
  lgm: mean,
  rprec: mean,
  n: whole,
  ci95: v.object({ exm: interval, lgm: interval, rprec: interval }),
});
export type TaskReport = v.InferOutput<typeof TaskSchema>;

const SetSchema = v.pipe(
  v.object({
    range: v.picklist(PREFIX_RANGES),
    /** Where the prefixes come from: games people or engines played, or uniformly random legal play. */
    source: v.picklist(['games', 'random play']),
    instances: v.array(InstanceSchema),
    answers: v.array(AnswerSchema),
    /** What a model's record (src/interchange/records/training-record.ts) tells in place of answers. */
    recorded: v.optional(
      v.object({
        tasks: v.object(v.entriesFromList(taskNames, TaskSchema)),
        /** The command that makes the questions again: two sets of one command were asked the same. */
        questions: v.string(),
        /** Which games the prefixes are of, where that is not the usual kind: "rated on Lichess, 2018 to 2022". */
        of: v.optional(v.string()),
      }),
    ),
  }),
  v.check(
    ({ instances, answers }) => answers.every(({ instance }) => instance < instances.length),
    'an answer names an instance that is not there',
  ),
);
export type AssessedSet = v.InferOutput<typeof SetSchema>;

/**
 * Everything that the tables of the chess testbed (Toshniwal et al. 2022) are computed from, for one model: its
 * perplexities and each of its answers, with what the tables count by. Plain JSON; tables and figures are pure
 * functions of a list of these (src/report), so that every number leads back to its instances.
 */
export const AssessmentSchema = v.object({
  version: v.literal(1),
  subject: SubjectSchema,
  perplexity: v.object({ dev: v.nullable(PerplexitySchema), test: v.nullable(PerplexitySchema) }),
  /** One for each range of prefix lengths that was probed. */
  sets: v.array(SetSchema),
});
export type Assessment = v.InferOutput<typeof AssessmentSchema>;

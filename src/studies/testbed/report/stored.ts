import * as v from 'valibot';
import { errorClasses } from '../error-taxonomy.ts';
import { InstanceSchema } from '../instances.ts';
import { taskNames } from '../tasks.ts';
import { SubjectSchema } from '../../subject-schema.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const number = v.pipe(v.number(), v.finite());
const figure = v.nullable(v.object({ games: whole, moves: whole, perplexity: number }));

const AnswerSchema = v.object({
  task: v.picklist(taskNames),
  instance: whole,
  prompt: v.string(),
  plies: whole,
  piece: v.picklist(['P', 'N', 'B', 'R', 'Q', 'K']),
  top: v.string(),
  legalCount: v.pipe(whole, v.minValue(1)),
  legal: v.boolean(),
  exact: v.nullable(v.boolean()),
  rPrecision: v.pipe(number, v.minValue(0), v.maxValue(1)),
  error: v.nullable(v.picklist(errorClasses)),
  inCheck: v.boolean(),
  pathLength: v.nullable(whole),
});

const share = v.nullable(number);
const interval = v.nullable(v.tuple([number, number]));
const TaskSchema = v.object({
  ...{ exm: share, lgm: share, rprec: share, n: whole },
  ci95: v.object({ exm: interval, lgm: interval, rprec: interval }),
});
const RecordedSchema = v.object({
  tasks: v.object({
    'end-actual': TaskSchema,
    'end-other': TaskSchema,
    'start-actual': TaskSchema,
    'start-other': TaskSchema,
  }),
  questions: v.string(),
  of: v.optional(v.string()),
});

const SetSchema = v.pipe(
  v.object({
    range: v.picklist(['short', 'long']),
    source: v.picklist(['games', 'random play']),
    instances: v.array(InstanceSchema),
    answers: v.array(AnswerSchema),
    recorded: v.optional(RecordedSchema),
  }),
  v.check(
    ({ instances, answers }) => answers.every(({ instance }) => instance < instances.length),
    'an answer names an instance that is not there',
  ),
);

/** An Assessment (src/studies/testbed/assessment.ts) as it comes from a file. */
export const AssessmentSchema = v.object({
  version: v.literal(1),
  subject: SubjectSchema,
  perplexity: v.object({ dev: figure, test: figure }),
  sets: v.array(SetSchema),
});

/** GamesFacts (report-input.ts) as they come from a file. */
export const GamesFactsSchema = v.object({
  name: v.string(),
  questions: v.optional(v.string()),
  splits: v.array(v.object({ name: v.string(), games: whole, plies: whole })),
  lengths: v.nullable(v.object({ width: v.pipe(whole, v.minValue(1)), counts: v.array(whole) })),
});

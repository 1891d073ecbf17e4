import * as v from 'valibot';
import { fail, ok, type Result } from '../../../base/result.ts';
import { errorClasses } from '../error-taxonomy.ts';
import { InstanceSchema } from '../instances.ts';
import { taskNames } from '../tasks.ts';
import type { ReportInput } from './report-input.ts';
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

const SetSchema = v.pipe(
  v.object({
    range: v.picklist(['short', 'long']),
    source: v.picklist(['games', 'random play']),
    instances: v.array(InstanceSchema),
    answers: v.array(AnswerSchema),
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

const GamesSchema = v.object({
  name: v.string(),
  questions: v.optional(v.string()),
  splits: v.array(v.object({ name: v.string(), games: whole, plies: whole })),
  lengths: v.nullable(v.object({ width: v.pipe(whole, v.minValue(1)), counts: v.array(whole) })),
});

const StoredSchema = v.object({ assessments: v.array(AssessmentSchema), games: v.nullable(GamesSchema) });

/**
 * Stored assessments: the object that `report --json` writes, a list of assessments, or one. Fails with
 * `bad-assessment`, naming the field.
 */
export function parseStored(text: string, name: string): Result<ReportInput> {
  const wrong = (words: string) =>
    fail('bad-assessment', `${name}: ${words}. Make the file again with report --json.`, { file: name });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong('not JSON');
  }
  const list = Array.isArray(value) ? value : isOne(value) ? [value] : null;
  const parsed = v.safeParse(StoredSchema, list === null ? value : { assessments: list, games: null });
  if (parsed.success) return ok(parsed.output);
  const issue = parsed.issues[0];
  return wrong(`${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
}

const isOne = (value: unknown): boolean => typeof value === 'object' && value !== null && 'subject' in value;

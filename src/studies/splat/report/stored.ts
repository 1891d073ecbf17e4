import * as v from 'valibot';
import { fail, ok, type Result } from '../../../base/result.ts';
import { SubjectSchema } from '../../subject-schema.ts';
import type { SplatReportInput } from './report-input.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1.0001));

/** A SplatAssessment (src/studies/splat/splat-assessment.ts) as it comes from a file. */
export const SplatSchema = v.pipe(
  v.object({
    version: v.literal(1),
    subject: SubjectSchema,
    domain: v.string(),
    perplexity: v.nullable(v.object({ games: whole, tokens: whole, perplexity: v.pipe(v.number(), v.finite()) })),
    legalVerbs: v.array(
      v.object({
        ...{ events: whole, legal: whole, rPrecision: share, legalMass: share, inPatternMass: v.nullable(share) },
        spelling: v.optional(v.object({ tokens: whole, rPrecision: share })),
      }),
    ),
    prefixes: v.optional(v.array(v.string())),
    lines: v.array(v.string()),
    answers: v.array(
      v.object({
        line: whole,
        form: v.string(),
        events: whole,
        args: v.array(v.string()),
        gold: v.string(),
        answered: v.string(),
        correct: v.boolean(),
        goldProbability: v.nullable(share),
        distance: v.nullable(whole),
      }),
    ),
    random: v.object({ legalVerbs: share, spelling: v.optional(share), questions: v.record(v.string(), share) }),
    fineTuningStates: v.optional(v.nullable(v.object({ compared: whole, learned: whole }))),
    distancesNeed: v.optional(v.string()),
    notice: v.optional(v.string()),
  }),
  v.check(
    ({ answers, lines }) => answers.every(({ line }) => line < lines.length),
    'an answer names a line that is not there',
  ),
);

/** Games that were counted (report-input.ts). */
const GamesSchema = v.object({
  name: v.string(),
  domain: v.string(),
  statistics: v.object({
    games: whole,
    tokens: whole,
    meanTokens: v.nullable(v.pipe(v.number(), v.minValue(0))),
    vocabulary: whole,
    questions: v.nullable(v.pipe(v.number(), v.minValue(0))),
  }),
  notice: v.optional(v.string()),
});

const InputSchema = v.object({ assessments: v.array(SplatSchema), data: v.array(GamesSchema) });

/**
 * SPLAT assessments of a file: one, a list, or an object that holds a list under `splat` or `assessments`, each as it is
 * or as a device keeps it; and the games that were counted, where a report keeps them under `data`. Null where the text
 * is of something else, such as the chess testbed's assessments, or no JSON at all. Fails with `bad-assessment`, naming
 * the field.
 */
export function parseStoredSplat(text: string, name: string): Result<SplatReportInput> | null {
  const value = jsonOf(text);
  const list = listOf(value)?.map((one) => field(one, 'assessment') ?? one);
  if (!list || list.length === 0 || !list.every((one) => Array.isArray(field(one, 'legalVerbs')))) return null;
  const parsed = v.safeParse(InputSchema, { assessments: list, data: field(value, 'data') ?? [] });
  if (parsed.success) return ok(parsed.output);
  const issue = parsed.issues[0];
  return fail(
    'bad-assessment',
    `${name}: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}. Make the file again with splat evaluate --out.`,
    { file: name },
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function listOf(value: unknown): unknown[] | null {
  if (value === null) return null;
  const inside = Array.isArray(value) ? value : (field(value, 'splat') ?? field(value, 'assessments') ?? [value]);
  return Array.isArray(inside) ? inside : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

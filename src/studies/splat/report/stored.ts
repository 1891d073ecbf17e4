import * as v from 'valibot';
import { SubjectSchema } from '../../subject-schema.ts';

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
    recorded: v.optional(v.object({ n: whole, rPrecision: share, ci95: v.tuple([share, share]), legalMass: share })),
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

/** Games that were counted (report-input.ts), as they come from a file. */
export const SplatGamesSchema = v.object({
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

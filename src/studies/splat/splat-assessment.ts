import * as v from 'valibot';
import { whole } from '../stored-numbers.ts';
import { SubjectSchema } from '../subject-schema.ts';

/** Sums of single precision may come to a little more than 1. */
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1.0001));

/** Legal Verbs after one prefix (section 5.1), and where the probability lies (section 6.1, Table 4). */
const LegalVerbsSchema = v.object({
  /** Events before. */
  events: whole,
  /** Tokens that the rules allow. */
  legal: whole,
  /** Share of the `legal` likeliest tokens of the whole vocabulary that are legal. */
  rPrecision: share,
  legalMass: share,
  /** On tokens that a piece could make alone on an empty board; null where the game has no such notion. */
  inPatternMass: v.nullable(share),
  /** `rPrecision` for all tokens that legal verbs are spelt with, arguments and all; missing in older assessments. */
  spelling: v.optional(v.object({ tokens: whole, rPrecision: share })),
});
export type LegalVerbsAnswer = v.InferOutput<typeof LegalVerbsSchema>;

/** One question answered. */
const AnswerSchema = v.object({
  /** Index into `lines`. */
  line: whole,
  /** "assignment", "winning", "goal", or the name of a custom question. */
  form: v.string(),
  /** Events before [sep]. */
  events: whole,
  args: v.array(v.string()),
  /** The right answer; for goals the verbs of the line, one of many ways. */
  gold: v.string(),
  /** The model's: the likeliest of the candidates, or for goals the verbs that it wrote. */
  answered: v.string(),
  correct: v.boolean(),
  /** Share of the gold answer among the candidates; null for goals. */
  goldProbability: v.nullable(share),
  /** State variables in which the nearest state of the fine-tuning lines differs; null where it was not looked for. */
  distance: v.nullable(whole),
});
export type SplatAnswer = v.InferOutput<typeof AnswerSchema>;

/**
 * Everything that SPLAT's tables and figures (Demeter and Downey 2021) are computed from, for one model: what it was
 * asked and what it answered. Plain JSON; tables and figures are pure functions of a list of these (src/report).
 */
export const SplatSchema = v.pipe(
  v.object({
    version: v.literal(1),
    subject: SubjectSchema,
    /** "chess", "baseball". */
    domain: v.string(),
    /** A token, on held-out games; null where none was measured. */
    perplexity: v.nullable(v.object({ games: whole, tokens: whole, perplexity: v.pipe(v.number(), v.finite()) })),
    legalVerbs: v.array(LegalVerbsSchema),
    /** What a model's record (src/interchange/records/training-record.ts) tells of `n` prefixes in place of `legalVerbs`. */
    recorded: v.optional(v.object({ n: whole, rPrecision: share, ci95: v.tuple([share, share]), legalMass: share })),
    /** The beginning of a game before each of `legalVerbs`, in the domain's own text; missing in older assessments. */
    prefixes: v.optional(v.array(v.string())),
    /** The lines asked, in tokens, gold answers included; empty for a model that only reads games. */
    lines: v.array(v.string()),
    answers: v.array(AnswerSchema),
    /** What random answers score on the same lines and prefixes. */
    random: v.object({ legalVerbs: share, spelling: v.optional(share), questions: v.record(v.string(), share) }),
    /**
     * Fine-tuning lines that distances were measured to, and those of the whole run; null or missing where distances were
     * not looked for.
     */
    fineTuningStates: v.optional(v.nullable(v.object({ compared: whole, learned: whole }))),
    /** The games that distances would have needed, where others were given; left out where none were missed. */
    distancesNeed: v.optional(v.string()),
    /** What must be said wherever these games are quoted (the manifest's notice); left out where there is nothing. */
    notice: v.optional(v.string()),
  }),
  v.check(
    ({ answers, lines }) => answers.every(({ line }) => line < lines.length),
    'an answer names a line that is not there',
  ),
);
export type SplatAssessment = v.InferOutput<typeof SplatSchema>;

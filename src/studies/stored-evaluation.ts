import * as v from 'valibot';
import type { Evaluation } from './live.ts';

const EstimateSchema = v.object({
  mean: v.nullable(v.number()),
  n: v.number(),
  ci95: v.nullable(v.tuple([v.number(), v.number()])),
});
const EvaluationSchema = v.object({ scores: v.record(v.string(), v.record(v.string(), EstimateSchema)) });

/** Until the studies listed their scores, there was one field for each range of the testbed, and one for SPLAT. */
const TaskSchema = v.object({ legal: EstimateSchema, exact: EstimateSchema });
const RangeSchema = v.optional(v.object({ endActual: TaskSchema, startActual: TaskSchema }));
const OldSchema = v.object({
  short: RangeSchema,
  long: RangeSchema,
  splat: v.optional(v.object({ legalVerbs: EstimateSchema, questions: v.record(v.string(), EstimateSchema) })),
});

type Stored = Pick<Evaluation, 'step' | 'devPerplexity'>;

/** An evaluation as any build stored it with a run; scores that cannot be read are left out. */
export function readEvaluation(stored: Stored): Evaluation {
  const { step, devPerplexity } = stored;
  const current = v.safeParse(EvaluationSchema, stored);
  if (current.success) return { step, devPerplexity, scores: current.output.scores };
  const old = v.safeParse(OldSchema, stored);
  return { step, devPerplexity, scores: old.success ? scoresOf(old.output) : {} };
}

function scoresOf({ short, long, splat }: v.InferOutput<typeof OldSchema>): Evaluation['scores'] {
  const testbed = Object.entries({ short, long }).flatMap(([at, range]) =>
    Object.entries({ end: range?.endActual, start: range?.startActual }).flatMap(([task, scores]) =>
      scores ? [[`${task}-legal-${at}`, scores.legal] as const, [`${task}-exact-${at}`, scores.exact] as const] : [],
    ),
  );
  const questions = Object.entries(splat?.questions ?? {}).map(([name, score]) => [`question ${name}`, score] as const);
  return {
    ...(testbed.length > 0 ? { testbed: Object.fromEntries(testbed) } : {}),
    ...(splat ? { splat: { 'legal-verbs': splat.legalVerbs, ...Object.fromEntries(questions) } } : {}),
  };
}

/** The evaluations of a run's curve (src/training/curve.ts). */
export function evaluationsOf({ evaluations }: { readonly evaluations: readonly Stored[] }): Evaluation[] {
  return evaluations.map(readEvaluation);
}

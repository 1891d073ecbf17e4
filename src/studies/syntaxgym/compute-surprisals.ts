import { fail, ok, type Result } from '../../base/result.ts';
import { quantile } from '../../base/statistics.ts';
import type { Measuring } from '../asking/measuring.ts';
import { align } from './align.ts';
import { placeText } from './check-suite.ts';
import type { ModelSpec } from './model-spec.ts';
import { sentenceOf } from './sentences.ts';
import { metricsOf, type Condition, type Metric, type Suite } from './suite.ts';
import type { ScoredTokens, SuiteModel } from './suite-model.ts';

/** A suite whose regions hold a model's surprisals, and the items that are not in it. */
export interface ComputedSuite {
  suite: Suite;
  /** Items that the model could not read: they have no values and are in no figure. */
  unanswered: Unanswered[];
}

export interface Unanswered {
  item: number;
  condition: string;
  reason: string;
}

/** Sentences asked at a time: enough to fill a batch, few enough that progress is seen and a cancel heard. */
const AT_A_TIME = 64;

/**
 * Lets a model read a suite: `compute_surprisals` of syntaxgym-core. The suite itself is left as it is. Fails with
 * `nothing-answered` where the model can read no item.
 */
export async function computeSurprisals(
  suite: Suite,
  model: SuiteModel,
  measuring: Measuring = {},
): Promise<Result<ComputedSuite>> {
  const conditions = suite.items.flatMap((item) => item.conditions);
  const scored: Result<ScoredTokens>[] = [];
  while (scored.length < conditions.length) {
    const some = conditions.slice(scored.length, scored.length + AT_A_TIME).map(sentenceOf);
    scored.push(...(await model.surprisals(some, measuring)));
    measuring.onProgress?.({ label: suite.meta.name, share: scored.length / conditions.length });
  }
  return aggregate(suite, scored, model.spec, model.name);
}

/**
 * Puts the surprisals of each sentence's tokens into the regions of the suite: `aggregate_surprisals` of syntaxgym-core.
 * `scored` is in the order of `sentencesOf`.
 */
export function aggregate(
  suite: Suite,
  scored: readonly Result<ScoredTokens>[],
  spec: ModelSpec,
  model: string,
): Result<ComputedSuite> {
  const metrics = metricsOf(suite) ?? ['sum'];
  const unanswered: Unanswered[] = [];
  let sentence = 0;
  const items = suite.items.flatMap((item) => {
    let failed: Unanswered | null = null;
    const conditions = item.conditions.map((condition) => {
      const filled = withSurprisals(condition, scored[sentence++], spec, metrics);
      if (filled.ok) return filled.value;
      failed ??= { item: item.item_number, condition: condition.condition_name, reason: filled.error.message };
      return condition;
    });
    if (failed === null) return [{ ...item, conditions }];
    unanswered.push(failed);
    return [];
  });
  if (items.length === 0) {
    const [{ item, condition, reason }] = unanswered;
    return fail(
      'nothing-answered',
      `${suite.meta.name}: ${model} can read no item. ${placeText({ item, condition })}: ${reason}`,
    );
  }
  return ok({ suite: { ...suite, meta: { ...suite.meta, model }, items }, unanswered });
}

function withSurprisals(
  condition: Condition,
  scored: Result<ScoredTokens>,
  spec: ModelSpec,
  metrics: readonly Metric[],
): Result<Condition> {
  if (!scored.ok) return scored;
  const aligned = align(condition, scored.value, spec);
  if (!aligned.ok) return aligned;
  const values: number[][] = condition.regions.map(() => []);
  for (const [token, region] of aligned.value.regions.entries())
    if (region >= 0) values[region].push(scored.value.surprisals[token]);
  const regions = condition.regions.map((region, i) => ({
    ...region,
    metric_value: Object.fromEntries(metrics.map((metric) => [metric, METRIC_VALUES[metric](values[i])])),
    oovs: aligned.value.oovs[i],
  }));
  return ok({ ...condition, regions });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Of no tokens there is a sum and nothing else. */
const ofSome =
  (value: (values: readonly number[]) => number) =>
  (values: readonly number[]): number | null =>
    values.length === 0 ? null : value(values);

const METRIC_VALUES: Record<Metric, (values: readonly number[]) => number | null> = {
  sum,
  mean: ofSome((values) => sum(values) / values.length),
  median: ofSome((values) => quantile(values, 0.5)),
  range: ofSome((values) => Math.max(...values) - Math.min(...values)),
  max: ofSome((values) => Math.max(...values)),
  min: ofSome((values) => Math.min(...values)),
};

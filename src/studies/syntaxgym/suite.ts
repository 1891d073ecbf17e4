import * as v from 'valibot';
import { share } from '../stored-numbers.ts';

/** How the surprisals of a region's tokens become the region's value (syntaxgym-core, utils.METRICS). */
export const METRICS = ['sum', 'mean', 'median', 'range', 'max', 'min'] as const;
export type Metric = (typeof METRICS)[number];

const number = v.pipe(v.number(), v.integer());

const RegionSchema = v.looseObject({
  region_number: number,
  content: v.string(),
  /** Bits by metric, once a model has read the suite; null where a region has no tokens to take a mean of. */
  metric_value: v.optional(v.record(v.string(), v.nullable(v.number()))),
  /** The words of the region that the model does not know. */
  oovs: v.optional(v.array(v.string())),
});

const ConditionSchema = v.looseObject({ condition_name: v.string(), regions: v.array(RegionSchema) });

const ItemSchema = v.looseObject({ item_number: number, conditions: v.array(ConditionSchema) });

/** `type` is "formula"; whatever else stands here is stored and not evaluated. `comment` is ours: what is expected. */
const PredictionSchema = v.looseObject({
  type: v.optional(v.string()),
  formula: v.optional(v.string()),
  comment: v.optional(v.string()),
});

const MetaSchema = v.looseObject({
  name: v.string(),
  metric: v.union([v.string(), v.array(v.string())]),
  reference: v.optional(v.string()),
  author: v.optional(v.string()),
  comment: v.optional(v.string()),
  /** The name of the model whose surprisals the regions hold. */
  model: v.optional(v.string()),
  tags: v.optional(v.array(v.string())),
  /** Ours: the name as people read it. */
  title: v.optional(v.string()),
  /** Ours: the game that the sentences are moves of; left out for natural language. */
  domain: v.optional(v.string()),
  /** Ours: the accuracy of models that cannot know the answer (baselines.ts), between 0 and 1. */
  baselines: v.optional(v.looseObject({ bigram: share, position: share })),
  /** Ours: accuracies of people, or of whoever else was asked, between 0 and 1. */
  references: v.optional(v.array(v.looseObject({ name: v.string(), accuracy: share }))),
});

/**
 * A test suite of SyntaxGym (Gauthier et al. 2020; schema in syntaxgym-core, docs/schemas/test_suite.json). Fields that
 * the schema does not name are legal and are preserved.
 */
export const SuiteSchema = v.looseObject({
  meta: MetaSchema,
  region_meta: v.record(v.string(), v.string()),
  predictions: v.array(PredictionSchema),
  items: v.array(ItemSchema),
});

export type Suite = v.InferOutput<typeof SuiteSchema>;
export type Item = v.InferOutput<typeof ItemSchema>;
export type Condition = v.InferOutput<typeof ConditionSchema>;
export type Prediction = v.InferOutput<typeof PredictionSchema>;

/** The name of a suite as people read it. */
export const titleOf = ({ meta: { title, name } }: Suite): string => title ?? name;

/** The metrics that a suite names, "all" being each of them; null where it names one that there is not. */
export function metricsOf({ meta: { metric } }: Suite): Metric[] | null {
  const named = metric === 'all' ? METRICS : typeof metric === 'string' ? [metric] : metric;
  const known = METRICS.filter((one) => named.includes(one));
  return known.length > 0 && known.length === new Set(named).size ? known : null;
}

/** The metric that predictions compare: of several, the first in the order of METRICS. */
export function comparedMetric(suite: Suite): Metric {
  return metricsOf(suite)?.[0] ?? 'sum';
}

/** Condition names in the order of the first item. */
export function conditionNames({ items }: Suite): string[] {
  return items.length === 0 ? [] : items[0].conditions.map(({ condition_name }) => condition_name);
}

/** Region names in the order of their numbers; place 0 is region 1. */
export function regionNames({ region_meta }: Suite): string[] {
  return Object.entries(region_meta)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, name]) => name);
}

/** How many regions from the first on are the same in all conditions of each item; at most all but one. */
export function sharedRegions({ items, region_meta }: Suite): number {
  const isShared = (at: number): boolean =>
    items.every(({ conditions }) => new Set(conditions.map(({ regions }) => regions[at]?.content.trim())).size === 1);
  const last = Object.keys(region_meta).length - 1;
  let shared = 0;
  while (shared < last && isShared(shared)) shared++;
  return shared;
}

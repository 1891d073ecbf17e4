import { meanEstimate, proportion, type Estimate } from '../../base/statistics.ts';
import { formulasOf } from './check-suite.ts';
import { evaluateFormula, isTrue, type Reference } from './formula.ts';
import { comparedMetric, conditionNames, type Item, type Suite } from './suite.ts';

/** Whether each prediction holds for each item of a suite that has surprisals. */
export interface Evaluation {
  /** Places among the suite's predictions; those without a formula are not there. */
  predictions: readonly { prediction: number; formula: string }[];
  items: readonly { item: number; results: readonly boolean[] }[];
}

/**
 * `evaluate` of syntaxgym-core. A comparison with a region that has no value is false. `disturb` changes each region's
 * value before it is compared; baselines break their ties by it.
 */
export function evaluate(suite: Suite, disturb: (value: number) => number = (value) => value): Evaluation {
  const formulas = formulasOf(suite);
  const metric = comparedMetric(suite);
  return {
    predictions: formulas.map(({ prediction, text }) => ({ prediction, formula: text })),
    items: suite.items.map((item) => {
      const valueOf = regionValues(item, metric, disturb);
      return {
        item: item.item_number,
        results: formulas.map(({ formula }) => isTrue(evaluateFormula(formula, valueOf))),
      };
    }),
  };
}

/** The value of a region of an item; "*" is the sum over the sentence. NaN where there is none. */
function regionValues(
  { conditions }: Item,
  metric: string,
  disturb: (value: number) => number,
): (reference: Reference) => number {
  const values = new Map(
    conditions.map(({ condition_name, regions }) => [
      condition_name,
      regions.map(({ metric_value }) => disturb(metric_value?.[metric] ?? NaN)),
    ]),
  );
  return ({ region, condition }) => {
    const found = values.get(condition) ?? [];
    return region === '*' ? found.reduce((sum, value) => sum + value, 0) : (found[region - 1] ?? NaN);
  };
}

/** Share of items for which all predictions hold (Hu et al. 2020), with Wilson's interval. */
export function accuracy({ items }: Evaluation): Estimate {
  return proportion(items.filter(succeeds).length, items.length);
}

/** Whether all predictions hold for an item. */
export const succeeds = ({ results }: { results: readonly boolean[] }): boolean =>
  results.length > 0 && results.every(Boolean);

/** Share of items for which one prediction holds. */
export function predictionAccuracy({ items }: Evaluation, prediction: number): Estimate {
  return proportion(items.filter(({ results }) => results[prediction]).length, items.length);
}

/** "Accuracy: 0.7857 (22/28 correct)": the line of the paper's command line, over all predictions of all items. */
export function accuracyLine({ items }: Evaluation): string {
  const correct = items.filter(succeeds).length;
  return `Accuracy: ${trimmed(items.length === 0 ? 0 : correct / items.length)} (${correct}/${items.length} correct)`;
}

/** Four decimals without closing zeros, as Python rounds: 0.575, 0.7857. */
const trimmed = (share: number): string => `${Number(share.toFixed(4))}`;

/** Mean surprisal of each region over the items, with its 95% interval: a list of regions for each condition. */
export function regionMeans(suite: Suite): { condition: string; regions: Estimate[] }[] {
  const metric = comparedMetric(suite);
  return conditionNames(suite).map((condition) => {
    const perItem = suite.items.map(
      ({ conditions }) => conditions.find(({ condition_name }) => condition_name === condition)!.regions,
    );
    const count = perItem[0]?.length ?? 0;
    const regions = Array.from({ length: count }, (_, region) =>
      meanEstimate(perItem.flatMap((regions) => regions[region].metric_value?.[metric] ?? [])),
    );
    return { condition, regions };
  });
}

import type { Evaluation } from '../evaluate.ts';
import { comparedMetric, type Suite } from '../suite.ts';

const table = (header: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [header, ...rows].map((row) => row.join('\t') + '\n').join('');

/** What `syntaxgym evaluate` prints: a line for each prediction of each item, predictions from 0, truth as in Python. */
export function evaluationTable(suite: string, { predictions, items }: Evaluation): string {
  const rows = items.flatMap(({ item, results }) =>
    results.map((holds, i) => [suite, predictions[i].prediction, item, holds ? 'True' : 'False']),
  );
  return table(['suite', 'prediction_id', 'item_number', 'result'], rows);
}

/** What `syntaxgym compute-surprisals --tabular_results` prints: a line for each region of each sentence. */
export function regionTable(suite: Suite): string {
  const metric = comparedMetric(suite);
  const rows = suite.items.flatMap(({ item_number, conditions }) =>
    conditions.flatMap(({ condition_name, regions }) =>
      regions.map(({ region_number, content, metric_value, oovs }) => [
        ...[item_number, condition_name, region_number, content.replace(/\s/g, ' ')],
        ...[metric_value?.[metric] ?? '', (oovs ?? []).join(',')],
      ]),
    ),
  );
  return table(['item_number', 'condition_name', 'region_number', 'content', 'metric_value', 'oovs'], rows);
}

import { evaluate } from '../evaluate.ts';
import { comparedMetric, regionNames, type Suite } from '../suite.ts';
import { csvText } from './csv.ts';

/** A suite whose regions hold the surprisals of a model. */
interface ModelReading {
  model: string;
  suite: Suite;
}

const SURPRISALS = 'suite,model_name,item_number,condition_name,region_number,region_name,content,metric_value'.split(
  ',',
);
const PREDICTIONS = ['suite', 'model_name', 'prediction_id', 'formula', 'item_number', 'result'];

/** “Download all results” of the site: the surprisal of each region of each sentence. */
export function surprisalsCsv(readings: readonly ModelReading[]): string {
  const rows = readings.flatMap(({ model, suite }) => {
    const metric = comparedMetric(suite);
    const names = regionNames(suite);
    return suite.items.flatMap(({ item_number, conditions }) =>
      conditions.flatMap(({ condition_name, regions }) =>
        regions.map(({ region_number, content, metric_value }) => [
          ...[suite.meta.name, model, item_number, condition_name, region_number, names[region_number - 1], content],
          metric_value?.[metric] ?? '',
        ]),
      ),
    );
  });
  return csvText(SURPRISALS, rows);
}

/** Whether each prediction holds for each item: predictions from 0, truth as in Python. */
export function predictionsCsv(readings: readonly ModelReading[]): string {
  const rows = readings.flatMap(({ model, suite }) => {
    const { predictions, items } = evaluate(suite);
    return items.flatMap(({ item, results }) =>
      results.map((holds, i) => [
        ...[suite.meta.name, model, predictions[i].prediction, predictions[i].formula, item],
        holds ? 'True' : 'False',
      ]),
    );
  });
  return csvText(PREDICTIONS, rows);
}

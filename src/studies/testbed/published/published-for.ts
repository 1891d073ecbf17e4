import { layersOf } from '../../../config/model-schema.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { count } from '../../../report/labels.ts';
import type { Published } from '../../published.ts';
import { readsSquares } from '../reads-squares.ts';
import { hyperParameterRows } from './counts.ts';
import { isLike, notationOf, trainingSizeOf } from '../report/configurations.ts';
import { architectureRows, endRows, perplexityRows, startRows, trainingSizes, type PaperRow } from './tables.ts';

/** Legal and exact answers in the columns of Tables 5 to 7. */
const LEGAL = 0;
const EXACT = 4;

/**
 * The paper's row that the tables of a report would put beside this model (Tables 4 to 7), as shares of answers about
 * prefixes of 51 to 100 plies; null where the paper has no such model trained on about as many games.
 */
export function publishedFor(config: RunConfig, games: number | null): Published | null {
  if (!readsSquares(config)) return null;
  const { model, objective } = config;
  const subject = {
    ...{ kind: model.kind, objective, layers: layersOf(model), width: model.width },
    window: 'window' in model ? model.window : null,
  };
  const configuration = { subject, size: trainingSizeOf(games), notation: notationOf(config.notation) };
  const rowOf = (rows: readonly PaperRow[]): PaperRow | undefined =>
    rows.find((row) => isLike(configuration, row.model));
  const end = rowOf([...endRows, ...architectureRows]);
  if (!end) return null;
  const start = rowOf(startRows);
  const share = (row: PaperRow | undefined, column: number): number | null => {
    const value = row?.values[column] ?? null;
    return value === null ? null : value / 100;
  };
  const values = {
    'end-legal-long': share(end, LEGAL),
    'end-exact-long': share(end, EXACT),
    'start-legal-long': share(start, LEGAL),
    'start-exact-long': share(start, EXACT),
    perplexity: rowOf(perplexityRows)?.values[0] ?? null,
  };
  const { size, kind } = end.model;
  const millions = hyperParameterRows.find(({ name }) => name.toLowerCase() === kind)?.parameters;
  return {
    label: `Train-${size}`,
    model: `${end.name}, ${millions ? `${millions} million parameters, ` : ''}${count(trainingSizes[size])} games played by people`,
    source: 'Toshniwal et al. (2022, Tables 4 to 7)',
    values: Object.fromEntries(Object.entries(values).filter((entry): entry is [string, number] => entry[1] !== null)),
  };
}

/** What the record of a shipped model has of its scores: legal answers about long prefixes, and canonical perplexity. */
interface RecordScores {
  long: { tasks: Record<'end-actual' | 'start-actual', { lgm: number | null }> };
  perplexity: { perplexity: number };
}

/** A model beside the published one that it is like, in a sentence; null where there is none. */
export function besidePublished(
  config: RunConfig,
  games: number,
  { long: { tasks }, perplexity }: RecordScores,
): string | null {
  const published = publishedFor(config, games);
  if (!published) return null;
  const { label, model, source, values } = published;
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  const beside = (name: string, text: (value: number) => string, own: number | null, of: string): string[] =>
    own === null || !(name in values) ? [] : [`${text(values[name])} ${of} (this one ${text(own)})`];
  const parts = [
    ...beside('end-legal-long', percent, tasks['end-actual'].lgm, 'of answers to where a piece goes legal'),
    ...beside('start-legal-long', percent, tasks['start-actual'].lgm, 'of answers to where a piece stands legal'),
    ...beside('perplexity', (value) => value.toFixed(1), perplexity.perplexity, 'perplexity a move'),
  ];
  return `${label} of ${source}, ${model}, has after 51 to 100 plies of games of theirs: ${parts.join(', ')}.`;
}

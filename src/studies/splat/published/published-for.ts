import type { RunConfig } from '../../../config/run-config.ts';
import type { Published } from '../../published.ts';
import { countsDiffer } from '../asking/spelt-count.ts';
import { LEGAL_VERBS, questionScore } from '../story.ts';
import { architectureOf, isLikeRow } from '../report/configurations.ts';
import { PAPER_GAMES, probingRows } from './tables.ts';

/** Columns of Table 3, by the live scores that count the same. */
const COLUMNS = { [LEGAL_VERBS]: 1, [questionScore('assignment')]: 2, [questionScore('winning')]: 3 };

/**
 * The row of Table 3 that a report would put beside this model; null where the paper has none. Legal Verbs is left out
 * where the paper's count is of other tokens than those that may come next (next-tokens.ts of baseball).
 */
export function publishedFor({ domain, notation, model, questions }: RunConfig): Published | null {
  const game = PAPER_GAMES.find((name) => name === domain);
  const taught = questions?.from === null ? 'random weights' : 'pre-trained weights';
  const start = questions === null ? 'games alone' : taught;
  const row = probingRows.find((one) =>
    isLikeRow({ family: architectureOf({ kind: model.kind, notation }), start }, one),
  );
  if (!game || !row) return null;
  const values = Object.entries(COLUMNS).flatMap(([name, column]) => {
    const value = row.values[game][column];
    return value === null || (name === LEGAL_VERBS && countsDiffer(domain)) ? [] : [[name, value / 100] as const];
  });
  return {
    label: 'paper',
    model: row.name,
    source: 'Demeter and Downey (2021, Table 3), with games that were really played',
    values: Object.fromEntries(values),
  };
}

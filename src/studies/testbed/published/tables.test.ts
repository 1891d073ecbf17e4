import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedData } from '../../../../fixtures/shared-data.ts';
import { obstructionRows, pieceRows, pseudoLegalRows } from './counts.ts';
import {
  architectureRows,
  endRows,
  errorRows,
  modelSizeRows,
  perplexityRows,
  randomLegal,
  startRows,
  type PaperRow,
} from './tables.ts';

const results = sharedData('spec/reference-results.json');

type BySize = Record<string, Record<string, Record<string, number> | number[]>>;

describe.skipIf(!results.present)(`published values against the reference results ${results.needed}`, () => {
  const reference = results.present
    ? (JSON.parse(readFileSync(results.path, 'utf8')) as { chess_testbed: Record<string, never> }).chess_testbed
    : {};

  /** Values of our rows by size and name, in the columns' order. */
  function expectRows(rows: readonly PaperRow[], table: BySize, nameOf: (row: PaperRow) => string, fields?: string[]) {
    let compared = 0;
    for (const row of rows) {
      const theirs = table[row.model.size][nameOf(row)];
      if (theirs === undefined) {
        expect(row.values.every((value) => value === null)).toBe(true);
        continue;
      }
      const wanted = Array.isArray(theirs) ? theirs : fields!.map((field) => theirs[field]);
      expect([row.model.size, row.name, ...row.values]).toEqual([row.model.size, row.name, ...wanted]);
      compared++;
    }
    expect(compared).toBe(Object.values(table).reduce((sum, one) => sum + Object.keys(one).length, 0));
  }
  const fieldsOf = (asked: string): string[] =>
    ['actual_lgm', 'actual_rprec', 'other_lgm', 'other_rprec', 'actual_exm'].map((field) => `${asked}_${field}`);
  const notation = ({ model }: PaperRow): string => model.notation.toUpperCase();
  const withoutRandom = (table: BySize): BySize => {
    const { S, M, L } = table;
    return { S, M, L };
  };

  it('has Tables 4, 5 and 6', () => {
    expectRows(perplexityRows, withoutRandom(reference.perplexity_dev_test), notation);
    expectRows(startRows, withoutRandom(reference.start), notation, fieldsOf('start'));
    expectRows(endRows, withoutRandom(reference.end), notation, fieldsOf('end'));
    expect(randomLegal).toEqual({
      start: (reference.start as { random_legal_exm: number }).random_legal_exm,
      end: (reference.end as { random_legal_exm: number }).random_legal_exm,
    });
  });

  it('has Table 7 but for the row that is a copy, and Table 8', () => {
    const names: Record<string, string> = { 'GPT2 (w=50)': 'GPT2 w=50', 'LSTM + RAP': 'LSTM RAP' };
    expectRows(
      architectureRows,
      withoutRandom(reference.architectures),
      ({ name }) => names[name] ?? name,
      fieldsOf('end'),
    );
    expectRows(
      modelSizeRows,
      withoutRandom(reference.model_size),
      ({ name }) => name.replace('GPT2-', ''),
      fieldsOf('end'),
    );
  });

  it('has Tables 10, 12, 13 and 14', () => {
    expectRows(errorRows, withoutRandom(reference.error_counts_per_1000), (row) =>
      row.model.kind === 'performer' ? 'Performer' : notation(row),
    );
    const pieces = reference.prompt_piece_counts as Record<string, Record<string, number>>;
    for (const [piece, counts] of Object.entries(pieceRows))
      expect(counts).toEqual(['end_start_actual', 'end_other', 'start_other'].map((column) => pieces[column][piece]));
    const split = reference.pseudo_legal_split_L_UCI as Record<string, number[]>;
    expect(pseudoLegalRows.slice(0, 4).map(({ values }) => values)).toEqual([
      split['check+king'],
      split['check+other'],
      split['no check+king'],
      split['no check+other'],
    ]);
    const paths = reference.path_obstruction_by_piece_L_UCI_actual as Record<string, number[]>;
    for (const { piece, values } of obstructionRows)
      if (piece !== null) expect(values.slice(0, 2)).toEqual(paths[piece]);
  });
});

describe('published values among themselves', () => {
  it('sum up where the paper gives a total', () => {
    const sum = (rows: readonly { values: readonly (number | null)[] }[], at: number): number =>
      rows.slice(0, -1).reduce((total, { values }) => total + values[at]!, 0);
    for (const at of [0, 1, 2, 3]) expect(sum(pseudoLegalRows, at)).toBe(pseudoLegalRows.at(-1)!.values[at]);
    for (const at of [0, 1, 3]) expect(sum(obstructionRows, at)).toBe(obstructionRows.at(-1)!.values[at]);
    for (const at of [0, 1, 2])
      expect(Object.values(pieceRows).reduce((total, counts) => total + counts[at], 0)).toBe(1000);
  });

  it('errors of Table 12 are what is missing from 100% in Tables 6 and 7, within the unreachable ones left out', () => {
    for (const row of errorRows) {
      const accuracy = [...endRows, ...architectureRows].find(
        ({ model }) => JSON.stringify(model) === JSON.stringify(row.model),
      )!;
      for (const [at, start] of [
        [0, 0],
        [2, 3],
      ]) {
        const wrong = row.values.slice(start, start + 3).reduce<number>((total, count) => total + count!, 0);
        const missing = 1000 - 10 * accuracy.values[at]!;
        expect(missing - wrong).toBeGreaterThan(-0.5);
        expect(missing - wrong).toBeLessThan(5);
      }
    }
  });
});

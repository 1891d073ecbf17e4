import { gzipSync } from 'fflate';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { Budget } from '../../base/budget.ts';
import { fail, InputError, wordsOf, type Result } from '../../base/result.ts';
import type { TraceFormat } from '../../domains/domain.ts';
import { metaOf, recordOf, type GameMeta, type GameRecord } from '../game-record.ts';
import { columnValues, type Cell } from './column.ts';
import { tableOf, type ColumnChunk, type Table } from './metadata.ts';

const META_COLUMNS = ['result', 'termination', 'white_elo', 'black_elo'];

/**
 * The games of a Parquet file with a column `moves` of trace text (UCI for chess), a page at a time.
 * A file that is no whole Parquet file, or lacks the column, is one failure; so is each row group that cannot be decoded.
 */
export async function* readParquet(
  bytes: Uint8Array,
  file: string,
  format: TraceFormat,
  budget: Budget = new Budget(file),
): AsyncGenerator<Result<GameRecord>> {
  let table: Table;
  try {
    table = tableOf(bytes, budget);
  } catch (error) {
    if (error instanceof InputError) throw error;
    yield fail('damaged', `${file}: this is no whole Parquet file (${wordsOf(error)}); make or download it again.`, {
      file,
    });
    return;
  }
  if (!table.names.includes('moves')) {
    const message = `${file}: there is no column "moves" among ${table.names.join(', ')}; name the column of games "moves".`;
    yield fail('column-missing', message, { file });
    return;
  }
  const wanted = ['moves', ...META_COLUMNS];
  let row = 0;
  for (const { rows, chunks } of table.groups) {
    const end = row + rows;
    const columns = chunks.filter(({ column }) => wanted.includes(column.name));
    try {
      for await (const fields of rowsOf(bytes, columns, rows, budget)) {
        row++;
        if (typeof fields.moves === 'string') {
          budget.unpack(fields.moves.length, file);
          yield recordOf(format.parse(fields.moves), metaOf(fields), file, row, 'row');
        } else yield fail('not-a-game', `${file}, row ${row}: "moves" holds no text.`, { file, line: row });
      }
    } catch (error) {
      if (error instanceof InputError && error.failure.code !== 'damaged') throw error;
      const message = `${file}, rows ${row + 1} to ${end}: they cannot be decoded (${wordsOf(error)}); make or download the file again.`;
      yield fail('damaged', message, { file });
    }
    row = end;
  }
}

/** The rows of a row group, its columns read side by side. */
async function* rowsOf(
  file: Uint8Array,
  chunks: readonly ColumnChunk[],
  rows: number,
  budget: Budget,
): AsyncGenerator<Record<string, Cell>> {
  const columns = chunks.map((chunk) => ({
    name: chunk.column.name,
    pages: columnValues(file, chunk, rows, budget),
    page: [] as Cell[],
    at: 0,
  }));
  if (!columns.some(({ name }) => name === 'moves')) throw new Error('its column "moves" is not one of texts');
  for (let row = 0; row < rows; row++) {
    const fields: Record<string, Cell> = {};
    for (const column of columns) {
      while (column.at === column.page.length) {
        const next = await column.pages.next();
        if (next.done) throw new Error(`the column ${column.name} has fewer values than rows`);
        column.page = next.value;
        column.at = 0;
      }
      fields[column.name] = column.page[column.at++];
    }
    yield fields;
  }
}

/** A game as a row: its trace as text, and its length in events. */
export interface GameRow {
  moves: string;
  plies: number;
  meta: GameMeta;
}

/**
 * One Parquet file of games: columns moves and plies always, result, termination and ratings where any game has
 * one. Gzip pages, which DuckDB, pyarrow, Spark and Hugging Face datasets all read, took 62 percent of Snappy's
 * space. The same rows give the same bytes.
 */
export function parquetOf(rows: readonly GameRow[], createdBy: string): Uint8Array<ArrayBuffer> {
  const text = (name: string, of: (row: GameRow) => string | undefined) =>
    rows.some((row) => of(row) !== undefined)
      ? [{ name, type: 'STRING' as const, data: rows.map((row) => of(row) ?? null) }]
      : [];
  const number = (name: string, of: (row: GameRow) => number | undefined) =>
    rows.some((row) => of(row) !== undefined)
      ? [{ name, type: 'INT32' as const, data: rows.map((row) => of(row) ?? null) }]
      : [];
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'moves', type: 'STRING', data: rows.map((row) => row.moves), nullable: false, statistics: false },
      { name: 'plies', type: 'INT32', data: rows.map((row) => row.plies), nullable: false },
      ...text('result', (row) => row.meta.result),
      ...text('termination', (row) => row.meta.termination),
      ...number('white_elo', (row) => row.meta.whiteElo),
      ...number('black_elo', (row) => row.meta.blackElo),
    ],
    codec: 'GZIP',
    compressors: { GZIP: (input) => gzipSync(input, { level: 9, mtime: 0 }) },
    rowGroupSize: 100_000,
    createdBy,
  });
  return new Uint8Array(buffer);
}

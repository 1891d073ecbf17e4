import { gunzipSync, gzipSync } from 'fflate';
import { decompress } from 'fzstd';
import { parquetMetadata, parquetReadObjects, type Compressors, type FileMetaData } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { crc32 } from '../base/bytes.ts';
import { fail, type Result } from '../base/result.ts';
import type { TraceFormat } from '../domains/domain.ts';
import { metaOf, recordOf, type GameMeta, type GameRecord } from './game-record.ts';

/** Snappy is built into the reader; gzip and zstd are what other programs write most beside it. */
const compressors: Compressors = {
  GZIP: gunzip,
  ZSTD: (input, length) => decompress(input, new Uint8Array(length)),
};

/** fflate does not look at the checksum, and a flipped bit can still unpack to something. */
function gunzip(input: Uint8Array, length: number): Uint8Array {
  const output = gunzipSync(input, { out: new Uint8Array(length) });
  const trailer = new DataView(input.buffer, input.byteOffset + input.length - 8, 8);
  if (crc32(output) !== trailer.getUint32(0, true)) throw new Error('the checksum of a page does not fit');
  return output;
}

const META_COLUMNS = ['result', 'termination', 'white_elo', 'black_elo'];

/**
 * The games of a Parquet file with a column `moves` of trace text (UCI for chess), a row group at a time.
 * A file that is no whole Parquet file, or lacks the column, is one failure; so is each row group that cannot be decoded.
 */
export async function* readParquet(
  bytes: Uint8Array<ArrayBuffer>,
  file: string,
  format: TraceFormat,
): AsyncGenerator<Result<GameRecord>> {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  let metadata: FileMetaData;
  try {
    metadata = parquetMetadata(buffer);
  } catch (error) {
    yield fail('damaged', `${file}: this is no whole Parquet file (${wordsOf(error)}); make or download it again.`, {
      file,
    });
    return;
  }
  const names = metadata.schema.slice(1).map((element) => element.name);
  if (!names.includes('moves')) {
    const message = `${file}: there is no column "moves" among ${names.join(', ')}; name the column of games "moves".`;
    yield fail('column-missing', message, { file });
    return;
  }
  const columns = ['moves', ...META_COLUMNS.filter((name) => names.includes(name))];
  let row = 0;
  for (const group of metadata.row_groups) {
    const rowStart = row;
    row += Number(group.num_rows);
    let rows: Record<string, unknown>[];
    try {
      rows = await parquetReadObjects({ file: buffer, metadata, columns, compressors, rowStart, rowEnd: row });
    } catch (error) {
      const message = `${file}, rows ${rowStart + 1} to ${row}: they cannot be decoded (${wordsOf(error)}); make or download the file again.`;
      yield fail('damaged', message, { file });
      continue;
    }
    for (const [i, fields] of rows.entries()) {
      const place = rowStart + i + 1;
      if (typeof fields.moves === 'string')
        yield recordOf(format.parse(fields.moves), metaOf(fields), file, place, 'row');
      else yield fail('not-a-game', `${file}, row ${place}: "moves" holds no text.`, { file, line: place });
    }
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

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import type { Budget } from '../../base/budget.ts';
import { ThriftReader, type Struct, type Thrift } from './thrift.ts';

export const PHYSICAL_TYPES = ['BOOLEAN', 'INT32', 'INT64', 'INT96', 'FLOAT', 'DOUBLE', 'BYTE_ARRAY', 'FIXED'] as const;
const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'LZO', 'BROTLI', 'LZ4', 'ZSTD', 'LZ4_RAW'] as const;
const REPEATED = 2;

/** A column of values, one a row; columns of lists and structs are left out. */
export interface Column {
  name: string;
  type: (typeof PHYSICAL_TYPES)[number];
  optional: boolean;
}

/** Where a row group has a column's pages. */
export interface ColumnChunk {
  column: Column;
  codec: string;
  from: number;
  to: number;
}

export interface Table {
  /** All columns of the table by name, those that cannot be read among them. */
  names: string[];
  groups: { rows: number; chunks: ColumnChunk[] }[];
}

/** What a Parquet file's footer says. @throws where it is not whole */
export function tableOf(bytes: Uint8Array, budget: Budget): Table {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(bytes.length - 4, true) !== 0x31524150)
    throw new Error('it does not end as Parquet files do');
  const end = bytes.length - 8;
  const length = view.getUint32(end, true);
  if (length > end) throw new Error('its footer is longer than the file');
  const reader = new ThriftReader(bytes, end - length, end, (values) => budget.values(values));
  const footer = reader.struct();
  const { names, flat } = columnsOf(list(footer[2]).map(struct));
  const groups = list(footer[4]).map((value) => {
    const group = struct(value);
    const chunks = list(group[1]).flatMap((chunk) => chunkOf(struct(struct(chunk)[3]), flat, end - length));
    return { rows: count(group[3]), chunks };
  });
  return { names, groups };
}

/** The schema is a tree written depth first; only the leaves right under its root are columns of one value a row. */
function columnsOf(elements: readonly Struct[]): { names: string[]; flat: Map<string, Column> } {
  const names: string[] = [];
  const flat = new Map<string, Column>();
  let at = 1;
  while (at < elements.length) {
    const element = elements[at];
    const name = text(element[4]);
    names.push(name);
    // A group's descendants are passed over.
    for (let open = 1; open > 0 && at < elements.length; at++) open += count(elements[at][5] ?? 0) - 1;
    const type = PHYSICAL_TYPES[count(element[1] ?? 0)];
    if (element[5] === undefined && element[3] !== REPEATED) flat.set(name, { name, type, optional: element[3] === 1 });
  }
  return { names, flat };
}

function chunkOf(meta: Struct, flat: Map<string, Column>, dataEnd: number): ColumnChunk[] {
  const path = list(meta[3]).map(text);
  const column = flat.get(path[0]);
  if (path.length !== 1 || column === undefined) return [];
  const pages = count(meta[9]);
  const dictionary = meta[11] === undefined ? 0 : count(meta[11]);
  const from = dictionary > 0 ? Math.min(dictionary, pages) : pages;
  const to = from + count(meta[7]);
  if (from < 4 || to > dataEnd) throw new Error(`the column ${column.name} lies outside the file`);
  return [{ column, codec: CODECS[count(meta[4])] ?? 'unknown', from, to }];
}

const wrong = (): Error => new Error('a header lacks what it must have');

/** A field that must be a list, a struct, a text or a count. */
export function list(value: Thrift | undefined): Thrift[] {
  if (!Array.isArray(value)) throw wrong();
  return value;
}

export function struct(value: Thrift | undefined): Struct {
  if (typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array) throw wrong();
  return value;
}

export function count(value: Thrift | undefined): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw wrong();
  return value;
}

function text(value: Thrift | undefined): string {
  if (!(value instanceof Uint8Array)) throw wrong();
  return new TextDecoder().decode(value);
}

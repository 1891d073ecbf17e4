import { snappyUncompress } from 'hyparquet';
import type { Budget } from '../../base/budget.ts';
import { gunzipped } from '../../base/gzip.ts';
import { wholeOf } from '../../base/whole-of.ts';
import { unzstd } from '../../base/zstd.ts';
import { deltas, hybrid, PageReader } from './encodings.ts';
import { count, struct, type Column, type ColumnChunk } from './metadata.ts';
import { ThriftReader, type Struct } from './thrift.ts';

/** A text, a number, or null where a row has none. */
export type Cell = string | number | null;

const DATA_PAGE = 0;
const INDEX_PAGE = 1;
const DICTIONARY_PAGE = 2;
const DATA_PAGE_V2 = 3;
const encodings = { plain: 0, plainDictionary: 2, delta: 5, deltaLength: 6, deltaText: 7, dictionary: 8 } as const;

/**
 * The values of a column in a row group, a page at a time. A page's sizes and numbers are looked at before anything is
 * made of them, and every run and list ends with its page. hyparquet (1.31), which read these files before, believes
 * them: a run of two thousand million values from a few bytes, a page of gigabytes from a file of two hundred bytes.
 */
export async function* columnValues(
  file: Uint8Array,
  { column, codec, from, to }: ColumnChunk,
  rows: number,
  budget: Budget,
): AsyncGenerator<Cell[]> {
  let dictionary: Cell[] = [];
  let read = 0;
  for (let at = from; read < rows;) {
    const reader = new ThriftReader(file, at, to, (values) => budget.values(values));
    const header = reader.struct();
    const body = file.subarray(reader.at, reader.at + count(header[3]));
    if (body.length < count(header[3]) || reader.at + body.length > to) throw new Error('a page ends too early');
    at = reader.at + body.length;
    const kind = count(header[1]);
    const unpack = (bytes: Uint8Array, size: number) => unpackedPage(bytes, codec, size, budget);
    if (kind === INDEX_PAGE) continue;
    if (kind === DICTIONARY_PAGE) {
      const values = count(struct(header[7])[1]);
      const page = new PageReader(await unpack(body, count(header[2])));
      dictionary = budget.work(() => plainValues(page, column, bounded(values, page, column)));
      continue;
    }
    if (kind !== DATA_PAGE && kind !== DATA_PAGE_V2) throw new Error(`a page of unknown kind ${kind}`);
    const info = struct(header[kind === DATA_PAGE ? 5 : 8]);
    const values = count(info[1]);
    if (values > rows - read) throw new Error('a page has more values than the row group has rows');
    budget.values(values);
    const page = await (kind === DATA_PAGE
      ? firstForm(await unpack(body, count(header[2])), values, column)
      : secondForm(body, header, info, column, unpack));
    yield budget.work(() => {
      const present = page.present === null ? values : page.present.reduce((sum, one) => sum + one, 0);
      const found = valuesOf(page.reader, column, page.encoding(info), present, dictionary, budget);
      if (page.present === null) return found;
      let next = 0;
      return Array.from(page.present, (one) => (one ? found[next++] : null));
    });
    read += values;
    await budget.breathe();
  }
}

interface DataPage {
  reader: PageReader;
  /** 1 for each row that has a value; null where all have. */
  present: Uint32Array | null;
  encoding(info: Struct): number;
}

/** Levels and values are packed together, the levels behind their length. */
function firstForm(bytes: Uint8Array, values: number, column: Column): DataPage {
  const reader = new PageReader(bytes);
  const levels = column.optional ? new PageReader(reader.take(reader.uint32())) : null;
  return { reader, present: levels && hybrid(levels, 1, values), encoding: (info) => count(info[2]) };
}

/** Levels are never packed, and the header has their length. */
async function secondForm(
  body: Uint8Array,
  header: Struct,
  info: Struct,
  column: Column,
  unpack: (bytes: Uint8Array, size: number) => Promise<Uint8Array>,
): Promise<DataPage> {
  const before = count(info[5]) + count(info[6]);
  if (before > body.length) throw new Error('a page ends too early');
  const packed = body.subarray(before);
  const size = count(header[2]) - before;
  const reader = new PageReader(info[7] === false ? packed : await unpack(packed, size));
  const levels = new PageReader(body.subarray(count(info[6]), before));
  return {
    reader,
    present: column.optional ? hybrid(levels, 1, count(info[1])) : null,
    encoding: (info) => count(info[4]),
  };
}

async function unpackedPage(bytes: Uint8Array, codec: string, size: number, budget: Budget): Promise<Uint8Array> {
  if (codec === 'UNCOMPRESSED') return bytes;
  budget.hold('whole', size);
  const stream = (async function* () {
    yield bytes;
  })();
  let page: Uint8Array;
  if (codec === 'GZIP') page = await wholeOf(gunzipped(stream, budget.file, budget), budget);
  else if (codec === 'ZSTD') page = await wholeOf(unzstd(stream, budget.file, budget), budget);
  else if (codec === 'SNAPPY') {
    // Three bytes of Snappy give 64 at most.
    if (size > 32 * bytes.length) throw new Error('a page says that it is larger than it can be');
    budget.unpack(size);
    page = new Uint8Array(size);
    budget.work(() => snappyUncompress(bytes, page));
  } else throw new Error(`packed by ${codec}, which is not read; Snappy, gzip and zstd are`);
  if (page.length !== size) throw new Error('a page is not as large as it says');
  return page;
}

/** A number of values that the page has room for: a text takes four bytes at least, as numbers do. */
function bounded(values: number, page: PageReader, { name }: Column): number {
  if (values * 4 > page.left) throw new Error(`the dictionary of ${name} ends too early`);
  return values;
}

function valuesOf(
  page: PageReader,
  column: Column,
  encoding: number,
  values: number,
  dictionary: readonly Cell[],
  budget: Budget,
): Cell[] {
  switch (encoding) {
    case encodings.plain:
      return plainValues(page, column, bounded(values, page, column));
    case encodings.plainDictionary:
    case encodings.dictionary: {
      if (values === 0) return [];
      return Array.from(hybrid(page, page.byte(), values), (index) => {
        if (index >= dictionary.length) throw new Error(`a value that the dictionary of ${column.name} lacks`);
        return dictionary[index];
      });
    }
    case encodings.delta:
      if (column.type === 'INT32' || column.type === 'INT64') return deltas(page, values);
      break;
    case encodings.deltaLength:
      if (column.type === 'BYTE_ARRAY') return deltas(page, values).map((length) => decoded(page.take(length)));
      break;
    case encodings.deltaText:
      if (column.type === 'BYTE_ARRAY') return continued(page, values, budget);
  }
  throw new Error(`the column ${column.name} has an encoding (${encoding}) that is not read`);
}

function plainValues(page: PageReader, { name, type }: Column, values: number): Cell[] {
  if (type === 'BYTE_ARRAY') return Array.from({ length: values }, () => decoded(page.take(page.uint32())));
  if (type === 'INT32' || type === 'INT64' || type === 'FLOAT' || type === 'DOUBLE') return page.plain(type, values);
  throw new Error(`the column ${name} holds neither text nor numbers`);
}

/** Texts that begin as the one before (DELTA_BYTE_ARRAY): few bytes may give many, so that they count as unpacked. */
function continued(page: PageReader, values: number, budget: Budget): string[] {
  const prefixes = deltas(page, values);
  const lengths = deltas(page, values);
  let before: Uint8Array = new Uint8Array(0);
  let total = 0;
  return prefixes.map((prefix, i) => {
    if (prefix < 0 || prefix > before.length) throw new Error('a text continues one that is shorter');
    const suffix = page.take(lengths[i]);
    budget.hold('whole', (total += prefix + suffix.length));
    budget.unpack(prefix);
    const value = new Uint8Array(prefix + suffix.length);
    value.set(before.subarray(0, prefix));
    value.set(suffix, prefix);
    before = value;
    return decoded(value);
  });
}

const decoder = new TextDecoder();
const decoded = (bytes: Uint8Array): string => decoder.decode(bytes);

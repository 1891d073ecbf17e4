import { fail, type Result } from '../../../base/result.ts';
import { suiteOf } from '../read-suite.ts';
import { regionNames, type Condition, type Item, type Suite } from '../suite.ts';

const COLUMNS = ['item_number', 'condition_name', 'region_number', 'region_name', 'content'] as const;

/** The items of a suite as the site exported them: a line a region. Predictions and metadata are not in it. */
export function suiteToCsv(suite: Suite): string {
  const names = regionNames(suite);
  const rows = suite.items.flatMap(({ item_number, conditions }) =>
    conditions.flatMap(({ condition_name, regions }) =>
      regions.map(({ region_number, content }) => [
        ...[item_number, condition_name, region_number, names[region_number - 1], content],
      ]),
    ),
  );
  return csvText(COLUMNS, rows);
}

/**
 * A suite from such a file. It compares nothing yet: predictions are given, or none. Fails with `bad-csv`, naming the
 * line, or as `suiteOf` does.
 */
export function suiteFromCsv(text: string, name: string, predictions: Suite['predictions'] = []): Result<Suite> {
  const { records, unclosed } = recordsOf(text.replace(/^\uFEFF/, ''));
  const [header, ...rows] = records;
  const wrong = (line: number, message: string) =>
    fail('bad-csv', `${name}, line ${line}: ${message}.`, { file: name, line });
  if (unclosed !== null) return wrong(unclosed, 'a quotation mark is opened and never closed; the file may be cut off');
  const places = COLUMNS.map((column) => header?.fields.indexOf(column) ?? -1);
  const missing = COLUMNS.filter((column, i) => places[i] < 0 && column !== 'region_name');
  if (missing.length > 0) return wrong(1, `the columns ${missing.join(', ')} are missing`);
  const items = new Map<number, Map<string, Condition>>();
  const regionMeta = new Map<number, string>();
  for (const { fields, line } of rows) {
    const [item, condition, region, regionName, content] = places.map((place) => fields[place]);
    if (content === undefined)
      return wrong(line, `it has ${fields.length} fields, and the header has ${header.fields.length}`);
    const [itemNumber, regionNumber] = [item, region].map(wholeNumber);
    if (itemNumber === null) return wrong(line, `item_number is "${item.slice(0, 24)}"; write a whole number`);
    if (regionNumber === null) return wrong(line, `region_number is "${region.slice(0, 24)}"; write a whole number`);
    const conditions = items.get(itemNumber) ?? new Map<string, Condition>();
    items.set(itemNumber, conditions);
    const found = conditions.get(condition) ?? { condition_name: condition, regions: [] };
    conditions.set(condition, found);
    found.regions.push({ region_number: regionNumber, content });
    if (!regionMeta.has(regionNumber)) regionMeta.set(regionNumber, regionName ?? `${regionNumber}`);
  }
  const list = [...items].map(([item_number, conditions]): Item => ({
    item_number,
    conditions: [...conditions.values()],
  }));
  for (const { conditions } of list)
    for (const { regions } of conditions) regions.sort((a, b) => a.region_number - b.region_number);
  const suite = suiteOf({
    meta: { name: name.replace(/^.*[\\/]/, '').replace(/\.csv$/i, ''), metric: 'sum' },
    region_meta: Object.fromEntries([...regionMeta].sort(([a], [b]) => a - b)),
    predictions,
    items: list,
  });
  return suite.ok ? suite : fail(suite.error.code, `${name}: ${suite.error.message}`, { file: name });
}

/** A header and rows as the site writes them: lines end in LF, and fields are quoted where they must be. */
export function csvText(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const quoted = (value: string | number): string =>
    /[",\r\n]/.test(`${value}`) ? `"${`${value}`.replaceAll('"', '""')}"` : `${value}`;
  return [header, ...rows].map((row) => row.map(quoted).join(',') + '\n').join('');
}

const wholeNumber = (text: string): number | null => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : null);

/**
 * Records of a CSV text (RFC 4180) with the line on which each begins; empty lines are none. `unclosed` is the line of a
 * field whose quotation mark is never closed.
 */
function recordsOf(text: string): { records: { fields: string[]; line: number }[]; unclosed: number | null } {
  const records: { fields: string[]; line: number }[] = [];
  let unclosed: number | null = null;
  const field = /"([^"]*(?:""[^"]*)*)("?)[^,\r\n]*|([^,\r\n]*)/y;
  let fields: string[] = [];
  let line = 1;
  let begins = 1;
  for (let at = 0; at < text.length;) {
    field.lastIndex = at;
    const [whole, inQuotes, closed, plain] = field.exec(text)!;
    if (closed === '') unclosed ??= line;
    fields.push(inQuotes?.replaceAll('""', '"') ?? plain);
    line += whole.split('\n').length - 1;
    at += whole.length;
    if (text[at] === ',') {
      at++;
      if (at === text.length) fields.push('');
      else continue;
    }
    if (text.startsWith('\r\n', at)) at += 2;
    else if (at < text.length) at++;
    if (fields.length > 1 || fields[0] !== '') records.push({ fields, line: begins });
    fields = [];
    begins = ++line;
  }
  return { records, unclosed };
}

/** Most values of a list that are written out; of longer ones their number is told. */
const LONGEST = 8;

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A result as lines for a person at a terminal: a field a line, fields of a field indented, and what has the same fields
 * several times over as a table. Numbers have four digits; JSON has all of them.
 */
export function readable(value: unknown): string {
  return isFields(value) ? lines(value).join('\n') : cell(value);
}

function lines(fields: Fields): string[] {
  const entries = Object.entries(fields);
  const width = Math.max(...entries.filter(([, value]) => !isFields(value)).map(([name]) => name.length), 0);
  const written: string[] = [];
  for (let at = 0; at < entries.length;) {
    const [name, value] = entries[at];
    const rows = rowsFrom(entries.slice(at));
    if (rows.length > 1) written.push(...table(rows));
    else if (isFields(value)) written.push(name, ...lines(value).map((line) => `  ${line}`));
    else written.push(`${name.padEnd(width)}  ${/^ci|plies/.test(name) ? interval(value) : cell(value)}`.trimEnd());
    at += Math.max(1, rows.length);
  }
  return written;
}

/** The first of these as long as they have the same fields, none of which has further ones but intervals. */
function rowsFrom(entries: [string, unknown][]): [string, Fields][] {
  const first = entries[0][1];
  const columns = isFields(first) ? Object.keys(first) : [];
  const isRow = (entry: [string, unknown]): entry is [string, Fields] =>
    isFields(entry[1]) &&
    Object.keys(entry[1]).join() === columns.join() &&
    Object.values(entry[1]).every((value) => !isFields(value) || isInterval(value));
  const end = entries.findIndex((entry) => !isRow(entry));
  return columns.length === 0 ? [] : (entries.slice(0, end < 0 ? undefined : end) as [string, Fields][]);
}

function table(rows: [string, Fields][]): string[] {
  const columns = Object.keys(rows[0][1]);
  const cells = [
    ['', ...columns],
    ...rows.map(([name, row]) => [
      name,
      ...Object.entries(row).map(([field, value]) => (/^ci/.test(field) ? interval(value) : cell(value))),
    ]),
  ];
  const widths = ['', ...columns].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells.map((row) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}

/** Intervals by what they are of: { lgm: [0.91, 0.94], exm: null }. */
function isInterval(value: Fields): boolean {
  return Object.values(value).every((bounds) => bounds === null || isPair(bounds));
}

const isPair = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((bound) => typeof bound === 'number');

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number')
    return Number.isInteger(value) ? value.toLocaleString('en-GB') : String(Number(value.toPrecision(4)));
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value))
    return value.length > LONGEST || value.some((one) => typeof one === 'object' && one !== null)
      ? `${value.length.toLocaleString('en-GB')} of them, in --json`
      : value.map(cell).join(', ');
  return Object.entries(value)
    .map(([name, one]) => `${name} ${interval(one)}`)
    .join(', ');
}

function interval(value: unknown): string {
  return isPair(value) ? `${cell(value[0])} to ${cell(value[1])}` : cell(value);
}

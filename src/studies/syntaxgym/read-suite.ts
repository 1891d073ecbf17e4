import * as v from 'valibot';
import { problemOf } from '../../config/issue-text.ts';
import { Budget } from '../../base/budget.ts';
import { jsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { checkSuite, placeText, problemText, type Place } from './check-suite.ts';
import { SuiteSchema, type Suite } from './suite.ts';

/** Characters; the largest published suite has 229,000. */
const LONGEST = 100_000_000;
/** Brackets within brackets; a suite needs eight. */
const DEEPEST = 64;

/**
 * A suite from its JSON, checked whole; what is unusual but legal is told by `checkSuite`. The value is the parsed JSON
 * itself, so that fields of others survive. Fails with `bad-suite`, naming the place and how many more there are; `name`
 * stands before the message.
 */
export function readSuite(text: string, name: string): Result<Suite> {
  const wrong = (message: string) => fail('bad-suite', `${name}: ${message}`, { file: name });
  if (text.length > LONGEST) return wrong(`the file has more than ${LONGEST} characters, so it is no suite.`);
  if (isDeeperThan(text, DEEPEST))
    return wrong(`more than ${DEEPEST} brackets stand within one another; a suite needs eight.`);
  const json = jsonValue(withoutNaN(text), new Budget(name));
  if (!json.ok) return wrong(`${json.error.message}; give a SyntaxGym suite as JSON.`);
  const read = suiteOf(json.value);
  return read.ok ? read : wrong(read.error.message);
}

/** The same for JSON that is parsed already. Messages have no name before them. */
export function suiteOf(raw: unknown): Result<Suite> {
  const shape = v.safeParse(SuiteSchema, raw);
  if (!shape.success) {
    const [issue] = shape.issues;
    const { place, rest } = placeOf(raw, v.getDotPath(issue)?.split('.') ?? []);
    return fail(
      'bad-suite',
      problemText({ place, message: `${rest}${rest && ': '}${problemOf(issue)}.`, kind: 'error' }),
    );
  }
  const suite = raw as Suite;
  const [first, ...more] = checkSuite(suite).filter(({ kind }) => kind === 'error');
  if (first === undefined) return ok(suite);
  const others = more.length === 0 ? '' : ` (${more.length} more ${more.length === 1 ? 'error' : 'errors'})`;
  return fail('bad-suite', problemText(first) + others, { character: first.place.character });
}

/** The suite as the published files are written: four spaces, ASCII alone, no line break at the end. */
export function writeSuite(suite: Suite): string {
  return JSON.stringify(suite, null, 4).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The place that a path through the JSON leads to, with the numbers and names that stand there. */
function placeOf(raw: unknown, path: string[]): { place: Place; rest: string } {
  const place: Place = {};
  let node = raw;
  let rest = path;
  const step = (list: string): number | null => {
    if (rest[0] !== list || rest.length < 2) return null;
    const index = Number(rest[1]);
    node = ((node as Record<string, unknown>)[list] as unknown[])[index];
    rest = rest.slice(2);
    return index;
  };
  const field = (name: string): unknown =>
    typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[name] : undefined;
  const prediction = step('predictions');
  if (prediction !== null) place.prediction = prediction;
  const item = step('items');
  if (item !== null) {
    const number = field('item_number');
    place.item = Number.isInteger(number) ? (number as number) : item + 1;
    const condition = step('conditions');
    if (condition !== null) {
      const named = field('condition_name');
      place.condition = typeof named === 'string' ? named : `${condition + 1}`;
      const region = step('regions');
      if (region !== null) place.region = region + 1;
    }
  }
  return { place, rest: rest.join('.') || (placeText(place) === '' ? 'The suite' : '') };
}

function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (const [start, end] of outsideStrings(text))
    for (let at = start; at < end; at++) {
      const unit = text[at];
      if (unit === '[' || unit === '{') {
        if (++depth > limit) return true;
      } else if (unit === ']' || unit === '}') depth--;
    }
  return false;
}

/** Python writes NaN for the mean of a region without tokens; JSON has no such number. */
function withoutNaN(text: string): string {
  if (!/NaN|Infinity/.test(text)) return text;
  let clean = '';
  let copied = 0;
  for (const [start, end] of outsideStrings(text)) {
    clean += text.slice(copied, start) + text.slice(start, end).replace(/NaN|-?Infinity/g, 'null');
    copied = end;
  }
  return clean + text.slice(copied);
}

/** The stretches of a JSON text that lie outside of its strings. No regular expression: strings may be very long. */
function* outsideStrings(text: string): Generator<[start: number, end: number]> {
  let start = 0;
  for (;;) {
    const opening = text.indexOf('"', start);
    yield [start, opening < 0 ? text.length : opening];
    if (opening < 0) return;
    let closing = opening;
    let escapes = 0;
    do {
      closing = text.indexOf('"', closing + 1);
      if (closing < 0) return;
      escapes = 0;
      while (text[closing - 1 - escapes] === '\\') escapes++;
    } while (escapes % 2 === 1);
    start = closing + 1;
  }
}

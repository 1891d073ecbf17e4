import * as v from 'valibot';
import { Budget } from '../../base/budget.ts';
import { jsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Measuring } from '../asking/measuring.ts';
import { readSuite } from './read-suite.ts';
import type { Suite } from './suite.ts';

/** public/suites/index.json: the suites that ship with the lab, in the order in which they are shown. */
const IndexSchema = v.object({
  suites: v.array(
    v.looseObject({
      name: v.string(),
      title: v.string(),
      /** The game that its sentences are moves of; null for natural language. */
      domain: v.nullable(v.string()),
      tags: v.array(v.string()),
      /** How many there are. */
      items: v.number(),
      /** Beside index.json. */
      file: v.string(),
    }),
  ),
});

export type ShippedSuite = v.InferOutput<typeof IndexSchema>['suites'][number];
type ReadShipped = NonNullable<Measuring['readShipped']>;

/** The list of shipped suites. Fails with `no-suites` where there is none. */
export async function shippedList(read: ReadShipped): Promise<Result<ShippedSuite[]>> {
  try {
    return ok(v.parse(IndexSchema, JSON.parse(await read('suites/index.json'))).suites);
  } catch {
    return fail('no-suites', 'No suites ship with this copy of the lab; give one.');
  }
}

export const readShippedSuite = async (read: ReadShipped, file: string): Promise<Result<Suite>> =>
  readSuite(await read(`suites/${file}`), file);

/**
 * The shipped suites of these names, or of a game where none is named. Fails with `no-suites`, saying which there are.
 */
export async function shippedSuites(
  read: ReadShipped,
  names: readonly string[],
  domain: string | null,
): Promise<Result<Suite[]>> {
  const list = await shippedList(read);
  if (!list.ok) return list;
  const all = list.value;
  const wanted = all.filter((one) => (names.length > 0 ? names.includes(one.name) : one.domain === domain));
  const missing = names.find((name) => !all.some((one) => one.name === name));
  if (missing !== undefined || wanted.length === 0) {
    const which = missing === undefined ? `no suite of ${domain}` : `no suite "${missing.slice(0, 60)}"`;
    return fail(
      'no-suites',
      `There is ${which}; there are ${all.map(({ name }) => name).join(', ') || 'none'}. Or give one.`,
    );
  }
  const suites: Suite[] = [];
  for (const { file } of wanted) {
    const suite = await readShippedSuite(read, file);
    if (!suite.ok) return suite;
    suites.push(suite.value);
  }
  return ok(suites);
}

/** The suites of a JSON text: one, or a list. */
export function suitesIn(text: string, name: string): Result<Suite[]> {
  if (!text.trimStart().startsWith('[')) {
    const one = readSuite(text, name);
    return one.ok ? ok([one.value]) : one;
  }
  const list = jsonValue(text, new Budget(name));
  if (!list.ok) return fail('bad-suite', `${name}: ${list.error.message}; give a suite, or a list of suites.`);
  const suites: Suite[] = [];
  for (const [i, one] of (list.value as unknown[]).entries()) {
    const suite = readSuite(JSON.stringify(one), `${name}, suite ${i + 1}`);
    if (!suite.ok) return suite;
    suites.push(suite.value);
  }
  return suites.length > 0 ? ok(suites) : fail('no-suites', `${name}: the list holds no suite.`);
}

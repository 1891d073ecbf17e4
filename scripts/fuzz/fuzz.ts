import { seededRandom } from '../../src/base/random.ts';
import { targets } from './targets.ts';
import { mutated } from './mutate.ts';

/** What a message must not have: the engine's and the schema library's own words, and values as long as a file. */
const UNREADABLE =
  /Cannot (?:read|set|access)|is not (?:a function|iterable|defined|a constructor)|\[object |\bundefined\b|\bNaN\b|Invalid (?:type|key|length)|but received|call stack/;
const LONGEST_MESSAGE = 1400;
/** Milliseconds for one small input. */
const SLOWEST = 20_000;

export interface Fault {
  target: string;
  name: string;
  what: string;
  input: Uint8Array;
}

/** Opens one input; says what is wrong with how it was answered, and whether it was refused. */
export async function tried(
  target: string,
  name: string,
  input: Uint8Array,
): Promise<{ wrong: string[]; refused: boolean }> {
  const wrong: string[] = [];
  const start = performance.now();
  let refused = false;
  try {
    const failures = await targets[target].open(name, input);
    refused = failures.length > 0;
    for (const { message } of failures)
      if (UNREADABLE.test(message)) wrong.push(`says: ${message.slice(0, 400)}`);
      else if (message.length > LONGEST_MESSAGE)
        wrong.push(`says ${message.length} characters: ${message.slice(0, 200)}`);
  } catch (error) {
    wrong.push(`threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  const took = Math.round(performance.now() - start);
  if (took > SLOWEST) wrong.push(`took ${took} ms`);
  return { wrong, refused };
}

/** Opens `count` mutated inputs of each target, and says which were not answered as they should be. */
export async function fuzz(
  seed: number,
  count: number,
  options: { only?: string; onTarget?: (target: string, refused: number) => void } = {},
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [target, { seeds }] of Object.entries(targets)) {
    if (options.only !== undefined && options.only !== target) continue;
    const names = Object.keys(seeds);
    let refusals = 0;
    for (let i = 0; i < count; i++) {
      const random = seededRandom('fuzz', target, seed, i);
      const name = names[random.below(names.length)];
      const input = mutated(seeds[name], seeds[names[random.below(names.length)]], random);
      const { wrong, refused } = await tried(target, name, input);
      refusals += Number(refused);
      for (const what of wrong) faults.push({ target, name, what, input });
    }
    options.onTarget?.(target, refusals);
  }
  return faults;
}

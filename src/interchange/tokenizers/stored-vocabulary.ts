import { Budget } from '../../base/budget.ts';
import { jsonValue } from '../../base/json.ts';
import { fail, failureOf, ok, type Result } from '../../base/result.ts';
import type { Files } from '../folder.ts';

/** The files that list tokens, in the order in which they are looked for. */
const LISTS = ['tokenizer.json', 'vocab.json', 'vocab.txt'] as const;

/** Most tokens of a vocabulary; the largest that are published have some 260,000. */
const MOST_TOKENS = 1_000_000;

type Tree = Record<string, unknown>;

/**
 * The tokens of a folder by their ids, null where an id has none: those of tokenizer.json with what is added to them, of
 * vocab.json, or the lines of vocab.txt. How text is cut into them is not asked, so a vocabulary of moves needs no rules.
 * Fails with `no-vocabulary` and `bad-vocabulary`.
 */
export function storedVocabulary(files: Files): Result<(string | null)[]> {
  const file = LISTS.find((name) => files.has(name));
  if (file === undefined)
    return fail(
      'no-vocabulary',
      `Nothing here says which token each id means: there is neither blindfold.json nor ${LISTS.join(' nor ')}. Add the file that the model's tokenizer is read from.`,
    );
  const text = new TextDecoder().decode(files.get(file));
  if (file === 'vocab.txt') {
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
    return lines.length > MOST_TOKENS ? bad(file, 'it has too many lines') : ok(lines);
  }
  try {
    const read = jsonValue(text, new Budget(file));
    if (!read.ok) return bad(file, read.error.message);
    return file === 'vocab.json' ? byId(file, pairsOf(read.value)) : byId(file, pairsOfTokenizer(read.value));
  } catch (error) {
    return { ok: false, error: failureOf(error) };
  }
}

const bad = (file: string, what: string) =>
  fail('bad-vocabulary', `${file} lists no tokens that can be read: ${what}. Take the file as it was published.`, {
    file,
  });

function pairsOfTokenizer(described: unknown): [unknown, unknown][] | null {
  const { model, added_tokens: added } = (described ?? {}) as Tree;
  const pairs = pairsOf((model as Tree | null | undefined)?.vocab);
  if (pairs === null) return null;
  const more = Array.isArray(added) ? (added as (Tree | null)[]) : [];
  return [...pairs, ...more.map((token): [unknown, unknown] => [token?.content, token?.id])];
}

/** Tokens and ids of a table, or of a list of tokens with their scores. */
function pairsOf(vocabulary: unknown): [unknown, unknown][] | null {
  if (typeof vocabulary !== 'object' || vocabulary === null) return null;
  if (!Array.isArray(vocabulary)) return Object.entries(vocabulary);
  return vocabulary.map((entry: unknown, id) => [Array.isArray(entry) ? entry[0] : entry, id]);
}

function byId(file: string, pairs: readonly [unknown, unknown][] | null): Result<(string | null)[]> {
  if (pairs === null) return bad(file, 'it is no table of tokens and ids');
  const tokens: (string | null)[] = [];
  for (const [token, id] of pairs) {
    if (typeof token !== 'string' || !Number.isSafeInteger(id) || (id as number) < 0 || (id as number) >= MOST_TOKENS)
      return bad(file, 'one of them has no id of its own');
    tokens[id as number] = token;
  }
  return ok(Array.from(tokens, (token) => token ?? null));
}

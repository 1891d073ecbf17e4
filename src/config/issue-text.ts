import * as v from 'valibot';
import { excerpt } from '../base/excerpt.ts';

const KINDS: Record<string, string> = {
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
  null: 'null',
};

/**
 * The first thing that is wrong with a value, as "field: what is wrong", for people; `whole` stands where that is the value
 * itself. A schema's own messages stand as they are.
 */
export function issueText([issue]: readonly v.BaseIssue<unknown>[], whole: string): string {
  return `${v.getDotPath(issue as never) ?? whole}: ${problemOf(issue)}`;
}

/** What is wrong, without the field. */
export function problemOf({ message, expected, input }: v.BaseIssue<unknown>): string {
  // valibot's own messages all begin so.
  if (!/^Invalid [a-z ]+: (?:Expected|Received)/.test(message)) return message;
  if (expected === 'never') return `${excerpt(input)} is not known here`;
  if (input === undefined) return 'it is missing';
  return expected === null ? `${excerpt(input)} cannot be` : `it must be ${wanted(expected)}, and is ${excerpt(input)}`;
}

function wanted(expected: string): string {
  const bound = /^([<>]=?)(.+)$/.exec(expected);
  if (bound)
    return `${{ '>=': 'at least', '<=': 'at most', '>': 'more than', '<': 'less than' }[bound[1]]} ${bound[2]}`;
  const kinds = expected.replace(/^\(|\)$/g, '').split(' | ');
  const texts = kinds.map((kind) => KINDS[kind] ?? (kind.length > 60 ? `${kind.slice(0, 60)}…` : kind));
  return texts.length > 8 ? `one of ${texts.length} values` : texts.join(' or ');
}

import { fail, ok, type Result } from '../../../base/result.ts';
import { formulasOf, placeText } from '../check-suite.ts';
import type { Formula, Reference } from '../formula.ts';
import type { Item, Suite } from '../suite.ts';

/** A prediction that one region is less surprising than another. */
export interface Comparison {
  likelier: Reference;
  other: Reference;
}

/** The comparisons that all predictions of a suite come to; null where they say something else, such as sums. */
export function comparisonsOf(suite: Suite): Comparison[] | null {
  const all = formulasOf(suite).map(({ formula }) => comparisonsIn(formula));
  return all.length > 0 && all.every((list) => list !== null) ? all.flat() : null;
}

function comparisonsIn(formula: Formula): Comparison[] | null {
  if (formula.kind !== 'chain') return null;
  const operands = [formula.first, ...formula.rest.map(({ operand }) => operand)];
  if (formula.level === 'logic') {
    const parts = operands.map(comparisonsIn);
    return formula.rest.every(({ operator }) => operator === '&') && parts.every((part) => part !== null)
      ? parts.flat()
      : null;
  }
  if (formula.level !== 'comparison') return null;
  const found: Comparison[] = [];
  for (const [i, { operator }] of formula.rest.entries()) {
    const [left, right] = [operands[i], operands[i + 1]];
    if (operator === '=' || left.kind !== 'region' || right.kind !== 'region') return null;
    found.push(operator === '<' ? { likelier: left, other: right } : { likelier: right, other: left });
  }
  return found;
}

/** What a region is read after, and what is read: for "*" nothing, and the sentence. */
export interface Reading {
  before: string;
  text: string;
  /** Whether nothing comes after it. */
  last: boolean;
}

export function readingOf({ conditions }: Item, { region, condition }: Reference): Reading {
  const { regions } = conditions.find(({ condition_name }) => condition_name === condition)!;
  const end = region === '*' ? regions.length : region;
  const begin = region === '*' ? 0 : end - 1;
  return {
    before: joined(regions.slice(0, begin)),
    text: joined(regions.slice(begin, end)),
    last: joined(regions.slice(end)) === '',
  };
}

/** Regions as a sentence has them (sentences.ts). */
export const joined = (regions: readonly { content: string }[]): string =>
  regions
    .map(({ content }) => content.trim())
    .filter((text) => text !== '')
    .join(' ');

/** The two readings, where they follow the same text, so that whole sentences compare as the regions do. */
export function pairOf(item: Item, { likelier, other }: Comparison): Result<{ good: Reading; bad: Reading }> {
  const [good, bad] = [readingOf(item, likelier), readingOf(item, other)];
  const where = placeText({ item: item.item_number });
  if (good.before !== bad.before)
    return fail(
      'not-a-pair',
      `${where}: the regions that are compared follow different text ("${good.before.slice(-30)}", "${bad.before.slice(-30)}").`,
    );
  if (good.text === '' || bad.text === '') return fail('not-a-pair', `${where}: a region that is compared is empty.`);
  return ok({ good, bad });
}

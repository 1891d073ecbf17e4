/** What a number of the language can be: every value where they are few, else the smallest and the largest. */
export interface NumberRange {
  least: number;
  most: number;
  /** Ascending; null where there may be more than a hundred. */
  values: readonly number[] | null;
}

const FEW = 100;

/** The whole numbers from one to another. */
export function span(least: number, most: number): NumberRange {
  const many = most - least + 1;
  return { least, most, values: many > FEW ? null : Array.from({ length: many }, (_, i) => least + i) };
}

/** What one of two ranges can be. */
export function eitherOf(a: NumberRange, b: NumberRange): NumberRange {
  const values = a.values && b.values && [...a.values, ...b.values];
  return ranged(values, [a.least, b.least, a.most, b.most]);
}

/**
 * What an operation makes of two ranges. Sums, differences, products and the smaller or larger of two are largest and
 * smallest where both operands are at an end of theirs.
 */
export function combined(a: NumberRange, b: NumberRange, operation: (a: number, b: number) => number): NumberRange {
  const pairs = (left: readonly number[], right: readonly number[]) =>
    left.flatMap((x) => right.map((y) => operation(x, y)));
  return ranged(a.values && b.values && pairs(a.values, b.values), pairs([a.least, a.most], [b.least, b.most]));
}

function ranged(values: readonly number[] | null, ends: readonly number[]): NumberRange {
  const known = values && [...new Set(values)].sort((a, b) => a - b);
  return { least: Math.min(...ends), most: Math.max(...ends), values: known && known.length <= FEW ? known : null };
}

import type { Formula, Operator } from './formula.ts';

const OPERATORS: Readonly<Record<Operator, string>> = {
  '<': 'is less than',
  '>': 'is more than',
  '=': 'equals',
  '+': 'plus',
  '-': 'minus',
  '&': 'and',
  '|': 'or',
};

/** What a formula compares, in a sentence without its full stop; regions have the names of `regions`. */
export function describeFormula(formula: Formula, regions: readonly string[]): string {
  return `The surprisal of ${phrase(formula, regions)}`;
}

function phrase(formula: Formula, regions: readonly string[]): string {
  if (formula.kind === 'number') return `${formula.value}`;
  if (formula.kind === 'region') {
    const { region, condition } = formula;
    return region === '*' ? `the whole of ${condition}` : `“${regions[region - 1] ?? region}” of ${condition}`;
  }
  const operands = [formula.first, ...formula.rest.map(({ operand }) => operand)].map((operand) => {
    const text = phrase(operand, regions);
    return operand.kind === 'chain' && operand.level === formula.level ? `(${text})` : text;
  });
  const comma = formula.level === 'logic' ? ',' : '';
  return formula.rest.reduce(
    (text, { operator }, i) => `${text}${comma} ${OPERATORS[operator]} ${operands[i + 1]}`,
    operands[0],
  );
}

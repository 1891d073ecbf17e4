/**
 * What a prediction says of an item, as a tree. Operators of one level form a chain, so that a long formula is no deep
 * one.
 */
export type Formula =
  | { kind: 'number'; value: number }
  /** The surprisal of a region of a condition; "*" is the whole sentence. `at` is its first character, from 1. */
  | { kind: 'region'; region: number | '*'; condition: string; at: number }
  | { kind: 'chain'; level: Level; first: Formula; rest: readonly Link[] };

export type Level = 'arithmetic' | 'comparison' | 'logic';
export type Operator = '+' | '-' | '<' | '>' | '=' | '&' | '|';

export interface Link {
  operator: Operator;
  operand: Formula;
}

/** A region that a formula refers to. */
export type Reference = Extract<Formula, { kind: 'region' }>;

/** The tolerances of "=", which is numpy.isclose (syntaxgym-core, prediction.py). */
const RELATIVE = 1e-5;
const ABSOLUTE = 1e-3;

/**
 * The value of a formula, where `valueOf` tells the surprisal of a region. As in Python, truth values count as 1 and 0
 * in arithmetic, and "&" and "|" return one of their operands. A chain of comparisons holds where each neighbouring pair
 * does: a < b < c is (a < b) & (b < c), where syntaxgym-core 0.8 drops c.
 */
export function evaluateFormula(formula: Formula, valueOf: (reference: Reference) => number): number | boolean {
  if (formula.kind === 'number') return formula.value;
  if (formula.kind === 'region') return valueOf(formula);
  let value = evaluateFormula(formula.first, valueOf);
  if (formula.level === 'comparison') {
    let holds = true;
    for (const { operator, operand } of formula.rest) {
      const next = evaluateFormula(operand, valueOf);
      holds = compare(Number(value), operator, Number(next)) && holds;
      value = next;
    }
    return holds;
  }
  for (const { operator, operand } of formula.rest) {
    const next = evaluateFormula(operand, valueOf);
    if (operator === '+') value = Number(value) + Number(next);
    else if (operator === '-') value = Number(value) - Number(next);
    else if (operator === '&') value = isTrue(value) ? next : value;
    else value = isTrue(value) ? value : next;
  }
  return value;
}

/** Whether a formula's value counts as true: any number but 0, as in Python. */
export function isTrue(value: number | boolean): boolean {
  return value !== false && value !== 0;
}

function compare(left: number, operator: Operator, right: number): boolean {
  if (operator === '<') return left < right;
  if (operator === '>') return left > right;
  return left === right || (Number.isFinite(right) && Math.abs(left - right) <= ABSOLUTE + RELATIVE * Math.abs(right));
}

/** Each region that the formula refers to, once, in the order in which they first stand. */
export function references(formula: Formula): Reference[] {
  const found = new Map<string, Reference>();
  const visit = (node: Formula): void => {
    if (node.kind === 'region') {
      const key = `${node.region};${node.condition}`;
      if (!found.has(key)) found.set(key, node);
    } else if (node.kind === 'chain') {
      visit(node.first);
      for (const { operand } of node.rest) visit(operand);
    }
  };
  visit(formula);
  return [...found.values()];
}

/** Whether the formula is true or false, rather than a number: a prediction should be. */
export function isStatement(formula: Formula): boolean {
  if (formula.kind !== 'chain' || formula.level === 'arithmetic') return false;
  return (
    formula.level === 'comparison' || [formula.first, ...formula.rest.map((link) => link.operand)].every(isStatement)
  );
}

/** A formula as syntaxgym-core writes it: every operator with its two operands in parentheses. */
export function formatFormula(formula: Formula): string {
  if (formula.kind === 'number') return `${formula.value}`;
  if (formula.kind === 'region') return `(${formula.region};%${formula.condition}%)`;
  const texts = formula.rest.map(({ operator, operand }) => ({ operator, text: formatFormula(operand) }));
  const first = formatFormula(formula.first);
  if (formula.level === 'comparison')
    return texts
      .map(({ operator, text }, i) => `(${i === 0 ? first : texts[i - 1].text} ${operator} ${text})`)
      .reduce((left, right) => `(${left} & ${right})`);
  return texts.reduce((left, { operator, text }) => `(${left} ${operator} ${text})`, first);
}

import { meaningOfCall } from './calls.ts';
import { combined, eitherOf, type NumberRange } from './number-range.ts';
import type { Meaning, Scope } from './scope.ts';
import { few, unknownName } from './suggestions.ts';
import type { Comparison, Problem, Read, Sign, Span, Tree } from './tree.ts';

/** Beyond this an arithmetic of whole numbers is no longer sure to be exact. */
const LARGEST = 1e9;

const ARITHMETIC: Partial<Record<Sign, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
};
const ORDER: Partial<Record<Comparison, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};
const KINDS = { truth: 'true or false', number: 'a number', text: 'a text' } as const;

/**
 * The meaning of a tree in a game: its kind, all values that it can have, and a function of the state that never fails.
 * Fails with `unknown-name`, `unknown-value`, `other-kind`, `never-equal`, `too-large` or `bad-call`, and the place.
 */
export function meaningOf<State>(tree: Tree, scope: Scope<State>): Read<Meaning<State>> {
  const reader = new Reader(scope);
  const meaning = reader.meaning(tree);
  return reader.problem === null ? { ok: true, value: meaning } : { ok: false, error: reader.problem };
}

/** Goes on behind the first problem with a meaning that is not used, so that each method can say what it returns. */
export class Reader<State> {
  problem: Problem | null = null;

  constructor(readonly scope: Scope<State>) {}

  meaning(tree: Tree): Meaning<State> {
    switch (tree.kind) {
      case 'number': {
        const { value } = tree;
        return { kind: 'number', range: { least: value, most: value, values: [value] }, of: () => value };
      }
      case 'text': {
        const { value } = tree;
        return { kind: 'text', values: [value], of: () => value };
      }
      case 'name':
        return this.named(tree);
      case 'call':
        return meaningOfCall(this, tree);
      case 'signed':
        if (tree.sign === 'not') {
          const of = this.truth(tree.of, 'What follows "not"');
          return { kind: 'truth', of: (state) => !of(state) };
        }
        return this.arithmetic(tree, this.zero, this.number(tree.of), (a, b) => a - b);
      case 'joined':
        return this.joined(tree);
      case 'choice': {
        const condition = this.truth(tree.condition, 'What follows "if"');
        return this.choice(tree, condition);
      }
    }
  }

  truth(tree: Tree, place: string): (state: State) => boolean {
    const meaning = this.meaning(tree);
    if (meaning.kind === 'truth') return meaning.of;
    const text = `${place} must be true or false, and this is ${KINDS[meaning.kind]}; compare it with something.`;
    this.refuse('other-kind', text, tree);
    return () => false;
  }

  number(tree: Tree): Extract<Meaning<State>, { kind: 'number' }> {
    const meaning = this.meaning(tree);
    if (meaning.kind === 'number') return meaning;
    const text = `A number belongs here, and this is ${KINDS[meaning.kind]}.`;
    this.refuse('other-kind', text, tree);
    return this.zero;
  }

  arithmetic(
    place: Span,
    left: Extract<Meaning<State>, { kind: 'number' }>,
    right: Extract<Meaning<State>, { kind: 'number' }>,
    operation: (a: number, b: number) => number,
  ): Extract<Meaning<State>, { kind: 'number' }> {
    const range: NumberRange = combined(left.range, right.range, operation);
    if (range.least < -LARGEST || range.most > LARGEST) {
      this.refuse('too-large', 'This may go beyond a thousand million; use smaller numbers.', place);
      return this.zero;
    }
    return { kind: 'number', range, of: (state) => operation(left.of(state), right.of(state)) };
  }

  refuse(code: string, message: string, { at, end }: Span): void {
    this.problem ??= { code, message, at, end };
  }

  private readonly zero: Extract<Meaning<State>, { kind: 'number' }> = {
    kind: 'number',
    range: { least: 0, most: 0, values: [0] },
    of: () => 0,
  };

  private named(tree: Extract<Tree, { kind: 'name' }>): Meaning<State> {
    const { name, quoted } = tree;
    const { scope } = this;
    const variable = scope.variables.get(name);
    if (variable !== undefined) return variable.meaning;
    if (!quoted && (name === 'legal' || name === 'leader')) return scope[name];
    this.refuse('unknown-name', unknownName(scope, name), tree);
    return this.zero;
  }

  private joined(tree: Extract<Tree, { kind: 'joined' }>): Meaning<State> {
    const { sign, left, right } = tree;
    if (sign === 'and' || sign === 'or') {
      const [a, b] = [this.truth(left, `What stands before "${sign}"`), this.truth(right, `What follows "${sign}"`)];
      return { kind: 'truth', of: sign === 'and' ? (state) => a(state) && b(state) : (state) => a(state) || b(state) };
    }
    const operation = ARITHMETIC[sign];
    if (operation) return this.arithmetic(tree, this.number(left), this.number(right), operation);
    return this.compared(tree, sign as Comparison);
  }

  private compared(tree: Extract<Tree, { kind: 'joined' }>, sign: Comparison): Meaning<State> {
    const order = ORDER[sign];
    if (order) {
      const [a, b] = [this.number(tree.left), this.number(tree.right)];
      return { kind: 'truth', of: (state) => order(a.of(state), b.of(state)) };
    }
    const [a, b] = asAlike(this.meaning(tree.left), this.meaning(tree.right));
    if (a.kind !== b.kind) {
      const text = `This compares ${KINDS[a.kind]} with ${KINDS[b.kind]}; compare what is of one kind.`;
      this.refuse('other-kind', text, tree);
    } else if (a.kind === 'text' && b.kind === 'text' && !a.values.some((value) => b.values.includes(value)))
      this.refuse(
        'never-equal',
        `These are never equal: ${few(a.values)} on the left, ${few(b.values)} on the right.`,
        tree,
      );
    return { kind: 'truth', of: (state) => (a.of(state) === b.of(state)) === (sign === '=') };
  }

  private choice(tree: Extract<Tree, { kind: 'choice' }>, condition: (state: State) => boolean): Meaning<State> {
    const [yes, no] = asAlike(this.meaning(tree.yes), this.meaning(tree.no));
    if (yes.kind === 'truth' && no.kind === 'truth')
      return { kind: 'truth', of: (state) => (condition(state) ? yes : no).of(state) };
    if (yes.kind === 'number' && no.kind === 'number') {
      const range = eitherOf(yes.range, no.range);
      return { kind: 'number', range, of: (state) => (condition(state) ? yes : no).of(state) };
    }
    if (yes.kind === 'text' && no.kind === 'text') {
      const values = [...new Set([...yes.values, ...no.values])];
      return { kind: 'text', values, of: (state) => (condition(state) ? yes : no).of(state) };
    }
    const text = `After "then" comes ${KINDS[yes.kind]}, after "else" ${KINDS[no.kind]}; give two of one kind.`;
    this.refuse('other-kind', text, tree);
    return this.zero;
  }
}

/** A truth value beside "yes" or "no": the words are how the games themselves write it. */
function asAlike<State>(a: Meaning<State>, b: Meaning<State>): [Meaning<State>, Meaning<State>] {
  const asTruth = (meaning: Meaning<State>): Meaning<State> =>
    meaning.kind === 'text' && meaning.values.every((value) => value === 'yes' || value === 'no')
      ? { kind: 'truth', of: (state) => meaning.of(state) === 'yes' }
      : meaning;
  if (a.kind === 'truth') return [a, asTruth(b)];
  return b.kind === 'truth' ? [asTruth(a), b] : [a, b];
}

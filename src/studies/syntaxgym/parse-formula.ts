import { fail, ok, type Result } from '../../base/result.ts';
import type { Formula, Level, Link, Operator } from './formula.ts';

/** A longer text is no prediction; the longest published one has 190 characters. */
const LONGEST = 100_000;
/** Brackets within brackets. */
const DEEPEST = 200;

/** Tightest first: + and -, then < > =, then & and |. Operators of one level are taken from the left. */
const LEVELS: readonly { level: Level; operators: string }[] = [
  { level: 'arithmetic', operators: '+-' },
  { level: 'comparison', operators: '<>=' },
  { level: 'logic', operators: '&|' },
];

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']' };
const REGION = /[([]\s*(\d+|\*)\s*;%\s*([A-Za-z0-9_-]+)\s*%\s*[)\]]/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const SPACE = /\s*/y;

/**
 * A prediction formula, in the grammar of syntaxgym-core (prediction.py), with square brackets as the published suites
 * have them: `[(6;%a%) - (6;%b%)] > 0 & (*;%a%) > (*;%b%)`. Fails with `bad-formula`; the message names the 1-based
 * character, which is also `where.character`. Numbers are finite and regions are counted from 1; which regions a suite
 * has is for `checkSuite`.
 */
export function parseFormula(text: string): Result<Formula> {
  if (text.length > LONGEST)
    return fail(
      'bad-formula',
      `The formula has ${text.length} characters, and at most ${LONGEST} are read; write several predictions.`,
    );
  try {
    return ok(new Parser(text).whole());
  } catch (error) {
    if (!(error instanceof Misplaced)) throw error;
    const character = error.at + 1;
    return fail('bad-formula', `Character ${character}: ${error.message}.`, { character });
  }
}

/** Thrown inside the parser alone. */
class Misplaced extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  whole(): Formula {
    const formula = this.chain(LEVELS.length - 1);
    this.skipSpace();
    if (this.at < this.text.length) {
      const closing = ')]'.includes(this.text[this.at]);
      throw this.misplaced(closing ? 'has no opening bracket' : 'stands where an operator (+ - < > = & |) should');
    }
    return formula;
  }

  /** Operands of the level below, with the operators of this level between them. */
  private chain(level: number): Formula {
    if (level < 0) return this.operand();
    const first = this.chain(level - 1);
    const rest: Link[] = [];
    for (;;) {
      this.skipSpace();
      const operator = this.text[this.at];
      if (operator === undefined || !LEVELS[level].operators.includes(operator)) break;
      this.at++;
      rest.push({ operator: operator as Operator, operand: this.chain(level - 1) });
    }
    return rest.length === 0 ? first : { kind: 'chain', level: LEVELS[level].level, first, rest };
  }

  private operand(): Formula {
    this.skipSpace();
    const start = this.at;
    const region = this.match(REGION);
    if (region) {
      const [whole, number, condition] = region;
      if (CLOSING[whole[0]] !== whole.at(-1))
        throw new Misplaced(start, `"${whole}" opens and closes with other brackets`);
      if (number !== '*' && (Number(number) < 1 || !Number.isSafeInteger(Number(number))))
        throw new Misplaced(start, `there is no region ${number.slice(0, 24)}; regions are counted from 1`);
      return { kind: 'region', region: number === '*' ? '*' : Number(number), condition, at: start + 1 };
    }
    const number = this.match(NUMBER);
    if (number) {
      const value = Number(number[0]);
      if (!Number.isFinite(value))
        throw new Misplaced(start, `${number[0].slice(0, 24)} is too large; no surprisal comes near it`);
      return { kind: 'number', value };
    }
    const closing = CLOSING[this.text[this.at] ?? ''];
    if (closing === undefined) throw this.misplaced('stands where a region such as (5;%condition%) or a number should');
    if (/^.\s*(?:\d+|\*)\s*;/s.test(this.text.slice(this.at, this.at + 40)))
      throw new Misplaced(
        start,
        'a region is written (5;%condition%), with a name of letters, digits, "_" and "-" between the percent signs',
      );
    if (++this.depth > DEEPEST) throw new Misplaced(start, `more than ${DEEPEST} brackets stand within one another`);
    this.at++;
    const inner = this.chain(LEVELS.length - 1);
    this.skipSpace();
    if (this.text[this.at] !== closing)
      throw this.misplaced(`stands where "${closing}" should, for the bracket at character ${start + 1}`);
    this.at++;
    this.depth--;
    return inner;
  }

  private skipSpace(): void {
    this.match(SPACE);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  private misplaced(text: string): Misplaced {
    const found = this.text.slice(this.at, this.at + 12);
    return new Misplaced(this.at, `${found === '' ? 'the end of the formula' : `"${found}"`} ${text}`);
  }
}

import type { Failure } from '../../../base/result.ts';

/**
 * The language in which somebody writes a question about the state of a game: one line that has a value in every state.
 *
 *   expression = both { "or" both }
 *   both       = denied { "and" denied }
 *   denied     = "not" denied | compared
 *   compared   = sum [ ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) sum ]
 *   sum        = product { ( "+" | "-" ) product }
 *   product    = signed { "*" signed }
 *   signed     = "-" signed | simple
 *   simple     = number | text | variable | "legal" | "leader" | call | choice | "(" expression ")"
 *   choice     = "if" expression "then" expression "else" expression
 *   call       = name "(" expression { "," expression } ")"
 *   number     = digits, six at most                 12
 *   text       = what a variable holds, in quotes    "Q"
 *   variable   = name | "[" any characters "]"       outs, e4, [en passant]
 *   name       = letter { letter | digit | "_" }
 *
 * A variable of which all values are whole numbers is a number, one that is yes or no is a truth value, any other a text.
 * `legal` is how many events the rules allow, `leader` is "first", "second" or "level". The calls:
 *
 *   count("Q", "q")       how many places (squares, bases) hold one of these
 *   any("Q", "q")         whether one does
 *   taken(first, second)  how many of these variables are not empty
 *   empty(e4)             whether this variable is empty; of several, whether all are
 *   least(9, home)        the smallest of some numbers
 *   most(0, home - away)  the largest of some numbers
 *
 * There is no division and there are no loops, so that every text ends and none fails on a state. An `else` reaches as
 * far as it can. What was rejected: JavaScript itself, since a link or a config may carry a question.
 */
export type Tree = Span &
  (
    | { kind: 'number'; value: number }
    | { kind: 'text'; value: string }
    /** `quoted`: written in square brackets, so that it can only be a variable. */
    | { kind: 'name'; name: string; quoted: boolean }
    | { kind: 'call'; name: string; takes: readonly Tree[] }
    | { kind: 'signed'; sign: '-' | 'not'; of: Tree }
    | { kind: 'joined'; sign: Sign; left: Tree; right: Tree }
    | { kind: 'choice'; condition: Tree; yes: Tree; no: Tree }
  );

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';
export type Sign = 'or' | 'and' | '+' | '-' | '*' | Comparison;

/** Where something stands in the text: characters `at` to `end` - 1, from 0. */
export interface Span {
  at: number;
  end: number;
}

/** What is wrong with a text, and where. The message does not tell the place; see `placed`. */
export type Problem = Failure & Span;

/** A Result whose failure knows its place. */
export type Read<T> = { ok: true; value: T } | { ok: false; error: Problem };

/** Characters of a text; the config's schema holds questions to the same. */
export const LONGEST_TEXT = 500;
/** Brackets, choices and signs within one another. */
export const DEEPEST = 40;

/** The message with the place, for where the text itself is not beside it. */
export function placed(problem: Problem): string {
  return `Character ${problem.at + 1}: ${problem.message}`;
}

import { LONGEST_TEXT, type Read, type Span } from './tree.ts';

/** A word, number, text or sign of the language; `text` is without quotes and square brackets. */
export interface Lexeme extends Span {
  kind: 'number' | 'text' | 'name' | 'variable' | 'keyword' | 'sign' | 'end';
  text: string;
}

const KEYWORDS = ['if', 'then', 'else', 'and', 'or', 'not'];
/** Longer ones first. */
const SIGNS = ['!=', '<=', '>=', '=', '<', '>', '+', '-', '*', '(', ')', ','];
/** What other languages and careful typists write instead. */
const MEANT: Record<string, string> = {
  '==': '=',
  '===': '=',
  '<>': '!=',
  '!': 'not',
  '&&': 'and',
  '&': 'and',
  '||': 'or',
  '|': 'or',
  '≠': '!=',
  '≤': '<=',
  '≥': '>=',
  '−': '-',
  '×': '*',
  "'": '"',
};
const MOST_DIGITS = 6;
/** Phones and word processors write the curly ones. */
const QUOTES = /["“”]/;

/**
 * The lexemes of a text, an "end" behind them. Fails with `too-long`, `too-large`, `unclosed` or `unknown-sign`, at the
 * first place that cannot be read.
 */
export function lexemesOf(text: string): Read<Lexeme[]> {
  const wrong = (code: string, message: string, at: number, end: number): Read<never> => ({
    ok: false,
    error: { code, message, at, end },
  });
  if (text.length > LONGEST_TEXT) {
    const message = `The text has ${text.length} characters; ${LONGEST_TEXT} are the most. Make two questions of it.`;
    return wrong('too-long', message, LONGEST_TEXT, text.length);
  }
  const lexemes: Lexeme[] = [];
  const match = (pattern: RegExp, at: number): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? null;
  };
  for (let at = 0; at < text.length;) {
    const start = at;
    const take = (kind: Lexeme['kind'], length: number, told = text.slice(at, at + length)): void => {
      at += length;
      lexemes.push({ kind, text: told, at: start, end: at });
    };
    const space = match(/\s+/y, at);
    const digits = match(/\d+/y, at);
    const name = match(/[A-Za-z_]\w*/y, at);
    const sign = SIGNS.find((candidate) => text.startsWith(candidate, at));
    // Before the signs, of which some are the beginning of these.
    const foreign = match(/===?|<>|&&?|\|\|?|!(?!=)|[≠≤≥−×']/y, at);
    if (space !== null) at += space.length;
    else if (digits !== null) {
      if (digits.length > MOST_DIGITS)
        return wrong('too-large', `A number has ${MOST_DIGITS} digits at most.`, at, at + digits.length);
      take('number', digits.length);
    } else if (name !== null) take(KEYWORDS.includes(name) ? 'keyword' : 'name', name.length);
    else if (foreign !== null) {
      return wrong('unknown-sign', `Write ${MEANT[foreign]} in place of ${foreign}.`, at, at + foreign.length);
    } else if (QUOTES.test(text[at])) {
      const length = text.slice(at + 1).search(QUOTES);
      if (length < 0)
        return wrong('unclosed', 'This quotation mark is not closed; write another behind the value.', at, text.length);
      take('text', length + 2, text.slice(at + 1, at + 1 + length));
    } else if (text[at] === '[') {
      const length = text.indexOf(']', at) - at;
      if (length < 0) return wrong('unclosed', 'This [ is not closed; write ] behind the name.', at, text.length);
      take('variable', length + 1, text.slice(at + 1, at + length));
    } else if (sign !== undefined) take('sign', sign.length);
    else {
      const character = String.fromCodePoint(text.codePointAt(at)!);
      const message = `${character} means nothing here; the signs are + - * = != < <= > >= ( ) and the comma.`;
      return wrong('unknown-sign', message, at, at + character.length);
    }
  }
  return { ok: true, value: [...lexemes, { kind: 'end', text: '', at: text.length, end: text.length }] };
}

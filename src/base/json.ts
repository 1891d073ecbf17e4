import { Budget } from './budget.ts';
import { fail, ok, type Result } from './result.ts';

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * A JSON text as a value. Its values and its depth are counted before they are made: each takes some sixty bytes, and
 * as few as two of text. Fails with `bad-json` and a message without a file's name, which says where it is wrong.
 * @throws InputError where it costs more than the budget has
 */
export function jsonValue(text: string, budget: Budget): Result<unknown> {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
      // A comma, or the beginning of an object or a list.
    } else if (code === 44) values++;
    else if (code === 123 || code === 91) {
      values++;
      if (++depth > budget.limits.depth) return fail('bad-json', `it is nested more than ${budget.limits.depth} deep`);
    } else if (code === 125 || code === 93) depth--;
  }
  budget.values(values);
  try {
    return ok(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch {
    // What the engine says differs from browser to browser, and quotes the text.
    return fail('bad-json', `this is not JSON${placeText(text)}`);
  }
}

/** The same for a file. Fails with `bad-json`. @throws InputError where it costs more than the budget has */
export function parseJson(text: string, file: string, budget: Budget): Result<unknown> {
  const read = jsonValue(text, budget);
  if (read.ok) return read;
  return fail('bad-json', `${file}: ${read.error.message}; check that it is the right file and whole.`, { file });
}

function placeText(text: string): string {
  const at = jsonEnd(text);
  if (at >= text.trimEnd().length) return text.trim() === '' ? ': it is empty' : ': it ends in the middle';
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const character = at - before.lastIndexOf('\n');
  return text.includes('\n') ? ` from line ${line}, character ${character} on` : ` from character ${character} on`;
}

const SPACE = ' \t\r\n';
const LITERAL = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
/** Longest literal that is looked at whole. */
const LONGEST_LITERAL = 1000;

/** The offset at which a text ceases to be the beginning of a JSON text; its length where it is only cut off. */
function jsonEnd(text: string): number {
  const open: string[] = [];
  /** What may come: a value (first in a list: or its end), a key (first in an object: or its end), or what follows them. */
  let next: 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'after' = 'value';
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; ;) {
    while (at < text.length && SPACE.includes(text[at])) at++;
    if (at >= text.length) return at;
    const mark = text[at];
    const isEnd = mark === (open.at(-1) === '{' ? '}' : ']') && open.length > 0;
    if (isEnd && (next === 'after' || next.startsWith('first'))) {
      open.pop();
      next = 'after';
      at++;
    } else if (next === 'after') {
      if (mark !== ',' || open.length === 0) return at;
      next = open.at(-1) === '{' ? 'key' : 'value';
      at++;
    } else if (next === 'colon') {
      if (mark !== ':') return at;
      next = 'value';
      at++;
    } else if (mark === '"') {
      const end = stringEnd(text, at);
      if (end < 0) return -end;
      next = next.endsWith('key') ? 'colon' : 'after';
      at = end;
    } else if (next.endsWith('key')) return at;
    else if (mark === '{' || mark === '[') {
      open.push(mark);
      next = mark === '{' ? 'first key' : 'first value';
      at++;
    } else {
      let end = at;
      while (end < text.length && end - at < LONGEST_LITERAL && /[-+.\w]/.test(text[end])) end++;
      if (!LITERAL.test(text.slice(at, end))) return end === text.length ? end : at;
      next = 'after';
      at = end;
    }
  }
}

/** The offset behind a string, or minus that of what no string has. No regular expression: strings may be very long. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text.charCodeAt(at) < 32) return -at;
    if (text.charCodeAt(at) !== BACKSLASH) continue;
    const escape = text.slice(at + 1, at + 6);
    if (escape.length > 0 && !/^(?:["\\/bfnrt]|u[\da-fA-F]{0,4}$)/.test(escape)) return -at;
    at += escape[0] === 'u' ? 5 : 1;
  }
  return -text.length;
}

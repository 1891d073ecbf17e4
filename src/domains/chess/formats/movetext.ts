import { fail, ok, type Result } from '../../../base/result.ts';

/** A word of movetext that says a move (or something that pretends to), and where it starts. */
export interface MovetextItem {
  text: string;
  at: number;
}

export interface Movetext {
  items: MovetextItem[];
  /** The result that ends the game, "*" included; null where none is written. */
  result: string | null;
}

const RESULTS = new Set(['1-0', '0-1', '1/2-1/2', '1/2', '½-½', '*']);

/**
 * The moves of one game's movetext as words (PGN standard, section 8.2): move numbers, comments, nested
 * variations, NAGs, glyphs and escaped lines are passed over. One pass over the characters, whatever the
 * nesting; regular expressions over the whole text were rejected because comments may hold anything.
 * Fails with `bad-pgn` on what is left open and on text after the result.
 */
export function readMovetext(text: string, start = 0): Result<Movetext> {
  const items: MovetextItem[] = [];
  let result: string | null = null;
  let at = start;
  let depth = 0;
  let opened = -1;
  const wrong = (message: string, where: number) => fail('bad-pgn', message, { line: lineAt(text, where) });

  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) at++;
    else if (code === 123 /* { */) {
      const end = text.indexOf('}', at);
      if (end < 0) return wrong('a comment is opened with "{" and never closed; close it with "}".', at);
      at = end + 1;
    } else if (code === 59 /* ; */ || (code === 37 /* % */ && isLineStart(text, at))) at = lineEnd(text, at);
    else if (code === 40 /* ( */) {
      if (depth++ === 0) opened = at;
      at++;
    } else if (code === 41 /* ) */) {
      if (depth-- === 0) return wrong('")" closes a variation that was never opened; take it out.', at);
      at++;
    } else if (code === 125 /* } */) return wrong('"}" closes a comment that was never opened; take it out.', at);
    else {
      const wordStart = at;
      while (at < text.length && !endsWord(text.charCodeAt(at))) at++;
      // Characters that end a word but open nothing ("[", "]") would stand still otherwise.
      if (at === wordStart)
        return wrong(`"${text[at]}" has no place among the moves; headers stand before them, one a line.`, at);
      if (depth > 0) continue;
      const word = text.slice(wordStart, at);
      if (RESULTS.has(word)) {
        if (result !== null)
          return wrong(`a second result, ${word}, follows the first; give one game at a time.`, wordStart);
        result = word;
        continue;
      }
      const move = withoutNumber(word);
      if (move === '') continue;
      if (result !== null)
        return wrong(`"${word.slice(0, 20)}" follows the result ${result}; give one game at a time.`, wordStart);
      items.push({ text: move, at: wordStart + word.length - move.length });
    }
  }
  if (depth > 0) return wrong('a variation is opened with "(" and never closed; close it with ")".', opened);
  return ok({ items, result });
}

/** 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** A word without its move number ("12.", "1...e5"); empty for numbers, NAGs, glyphs and "e.p.". */
function withoutNumber(word: string): string {
  let start = 0;
  for (let at = 0; at < word.length && (isDigit(word.charCodeAt(at)) || word[at] === '.'); at++)
    if (word[at] === '.') start = at + 1;
  const move = word.slice(start);
  // 0000 is UCI's null move, not a number: it must reach the rules and be refused.
  return /^(?!--$|0000$)(\d*|\$.*|e\.p\.|ep|[!?+=\-/\\~⩲⩱±∓∞□.]+)$/.test(move) ? '' : move;
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 0xa0 || code === 0xfeff;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** White space and the characters { } ( ) ; [ ]. */
function endsWord(code: number): boolean {
  return (
    isSpace(code) ||
    code === 123 ||
    code === 125 ||
    code === 40 ||
    code === 41 ||
    code === 59 ||
    code === 91 ||
    code === 93
  );
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === '\n';
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

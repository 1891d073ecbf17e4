import { fail, ok, type Result } from '../../../base/result.ts';
import { INITIAL_FEN } from './fen.ts';
import { lineAt, readMovetext } from './movetext.ts';
import { Position } from '../rules/position.ts';
import { parseSan } from './san.ts';

export interface PgnGame {
  tags: Map<string, string>;
  /** Packed moves of the main line. */
  moves: Uint16Array;
  /** The result that ends the movetext; null where none is written. */
  result: string | null;
}

const VARIANTS = new Set(['', 'standard', 'chess', 'from position']);

/**
 * One game of PGN: headers, then movetext (movetext.ts). A file is read as a stream by cutting it where a
 * header follows moves and giving each piece to this function. Games from another position than the initial
 * one and other variants fail (`pgn-setup`, `pgn-variant`): every trace starts at move one.
 * Other failures: `bad-pgn`, and those of parseSan with `where.line` and `where.ply`.
 */
export function parsePgnGame(text: string): Result<PgnGame> {
  const header = readTags(text);
  if (!header.ok) return header;
  const { tags, end } = header.value;
  const setup = checkStart(tags);
  if (setup !== null) return setup;
  const movetext = readMovetext(text, end);
  if (!movetext.ok) return movetext;
  const { items, result } = movetext.value;
  const position = Position.initial();
  const moves = new Uint16Array(items.length);
  for (let i = 0; i < items.length; i++) {
    const move = parseSan(position, items[i].text);
    if (!move.ok) {
      const name = `${(i >> 1) + 1}${i % 2 ? '...' : '.'} ${items[i].text.slice(0, 20)}`;
      return fail(move.error.code, `Ply ${i + 1} (${name}): ${move.error.message}.`, {
        line: lineAt(text, items[i].at),
        ply: i + 1,
      });
    }
    position.play(move.value);
    moves[i] = move.value;
  }
  return ok({ tags, moves, result });
}

/** The header lines at the start of a text, `[Name "value"]`, and the offset where they end. */
export function readTags(text: string): Result<{ tags: Map<string, string>; end: number }> {
  const tags = new Map<string, string>();
  // The second form takes what the standard forbids and files hold: quotes inside a value, not escaped.
  const tag = /[\s\ufeff]*\[\s*(\w{1,255})\s*(?:"((?:[^"\\\n]|\\.)*)"\s*\]|"(.*)"[ \t]*\])/y;
  let end = 0;
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    tags.set(found[1], (found[2] ?? found[3]).replace(/\\(["\\])/g, '$1'));
    end = tag.lastIndex;
  }
  const next = /[\s\ufeff]*\[/y;
  next.lastIndex = end;
  if (next.test(text)) {
    const line = lineAt(text, next.lastIndex - 1);
    return fail('bad-pgn', `The header on line ${line} is not of the form [Name "value"]; correct it or take it out.`, {
      line,
    });
  }
  return ok({ tags, end });
}

/** A failure where the headers say that the game is not chess from the initial position, else null. */
export function checkStart(tags: Map<string, string>): ReturnType<typeof fail> | null {
  const variant = tags.get('Variant') ?? '';
  if (!VARIANTS.has(variant.toLowerCase()))
    return fail('pgn-variant', `The game's Variant is "${variant.slice(0, 40)}"; only standard chess is read.`);
  const fen = tags.get('FEN');
  if (
    fen !== undefined
      ? fen.trim().split(/\s+/).slice(0, 4).join(' ') !== INITIAL_FEN.slice(0, -4)
      : tags.get('SetUp') === '1'
  )
    return fail(
      'pgn-setup',
      'The game starts from a set-up position (FEN header); games here start from the initial position, so leave it out.',
    );
  return null;
}

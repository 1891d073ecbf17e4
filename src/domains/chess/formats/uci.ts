import { fail, ok, type Result } from '../../../base/result.ts';
import { fromSquare, packMove, promotionOf, toSquare } from '../rules/move.ts';
import { PROMOTION_LETTERS } from '../rules/pieces.ts';
import { SQUARES, squareOfCodes } from '../rules/squares.ts';

/** [kind] */
const PROMOTION_CODES = PROMOTION_LETTERS.map((letter) => letter.charCodeAt(0));

/** "e2e4", "e7e8q" of a packed move. */
export function uciOf(move: number): string {
  return SQUARES[fromSquare(move)] + SQUARES[toSquare(move)] + (PROMOTION_LETTERS[promotionOf(move)] ?? '');
}

/** A packed move of "e2e4" or "e7e8q"; knows no board, so it says nothing of legality. Fails with `not-uci`. */
export function parseUciMove(text: string): Result<number> {
  const move = readUciMove(text, 0, text.length);
  if (move >= 0) return ok(move);
  return fail(
    'not-uci',
    `"${text.slice(0, 20)}" is not a move in UCI; write the start square, the end square and, for a promotion, q, r, b or n: e2e4, e7e8q.`,
  );
}

/** The packed move written in text[start, end), or -1; makes no strings, for replay of many games. */
export function readUciMove(text: string, start: number, end: number): number {
  const length = end - start;
  if (length !== 4 && length !== 5) return -1;
  const from = squareOfCodes(text.charCodeAt(start), text.charCodeAt(start + 1));
  const to = squareOfCodes(text.charCodeAt(start + 2), text.charCodeAt(start + 3));
  if (from < 0 || to < 0 || from === to) return -1;
  if (length === 4) return packMove(from, to);
  const promotion = PROMOTION_CODES.indexOf(text.charCodeAt(start + 4));
  return promotion < 0 ? -1 : packMove(from, to, promotion);
}

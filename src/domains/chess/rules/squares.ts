import { fail, ok, type Result } from '../../../base/result.ts';

/** The 64 squares as 0..63: a1 = 0, b1 = 1, h1 = 7, a2 = 8, h8 = 63. Rank = square >> 3, file = square & 7, both from 0. */
export const SQUARES: readonly string[] = Array.from(
  { length: 64 },
  (_, i) => 'abcdefgh'[i & 7] + String((i >> 3) + 1),
);

/** "e4" for 28. Throws on a number that is no square. */
export function squareName(square: number): string {
  const name = SQUARES[square];
  if (name === undefined) throw new RangeError(`${square} is not a square (0 to 63)`);
  return name;
}

/** 28 for "e4"; fails (`not-a-square`) on anything else. */
export function parseSquare(text: string): Result<number> {
  if (text.length === 2) {
    const square = squareOfCodes(text.charCodeAt(0), text.charCodeAt(1));
    if (square >= 0) return ok(square);
  }
  return fail('not-a-square', `"${text.slice(0, 20)}" is not a square; squares run from a1 to h8.`);
}

/** The square of two character codes ("e", "4"), or -1. */
export function squareOfCodes(file: number, rank: number): number {
  const x = file - 97;
  const y = rank - 49;
  return x >= 0 && x < 8 && y >= 0 && y < 8 ? y * 8 + x : -1;
}

import { fail, ok, type Result } from '../../base/result.ts';
import { isAttacked } from '../../domains/chess/rules/attacks.ts';
import { KIND_NAMES, KING, PAWN, SIDE_NAMES } from '../../domains/chess/rules/pieces.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { squareName } from '../../domains/chess/rules/squares.ts';

/** One change of a board. Squares 0 to 63; pieces are codes, kind plus 8 for Black. */
export type BoardEdit =
  | { kind: 'remove'; square: number }
  | { kind: 'move'; from: number; to: number }
  | { kind: 'add'; square: number; piece: number };

/** One square that differs between two boards: the piece codes there, 0 where it is empty. */
export interface SquareDifference {
  square: number;
  was: number;
  is: number;
}

/**
 * [64] the board after an edit. Fails with `no-piece`, `square-taken`, `king` (kings are neither added nor removed),
 * `no-place` (pawns on an end rank) and, where `rules` are asked for, `impossible-position`: the side that has just moved
 * would stand in check.
 */
export function editedBoard(position: Position, edit: BoardEdit, rules: boolean): Result<Int8Array> {
  const board = position.board.slice();
  const source = edit.kind === 'move' ? edit.from : edit.square;
  const code = edit.kind === 'add' ? edit.piece : board[source];
  if (edit.kind !== 'add') {
    if (code === 0) return fail('no-piece', `No piece stands on ${squareName(source)}; choose a square with one.`);
    board[source] = 0;
  }
  if (edit.kind !== 'move' && (code & 7) === KING)
    return fail('king', 'Each side has one king; it can be moved but neither added nor removed.');
  if (edit.kind !== 'remove') {
    const target = edit.kind === 'add' ? edit.square : edit.to;
    const name = squareName(target);
    if (position.board[target] !== 0)
      return fail('square-taken', `A ${nameOf(position.board[target])} stands on ${name}; choose an empty square.`);
    if ((code & 7) === PAWN && (target < 8 || target >= 56))
      return fail('no-place', `No pawn can stand on ${name}; choose a square of ranks 2 to 7.`);
    board[target] = code;
  }
  const waiting = position.turn ^ 1;
  const king = board.indexOf(KING | (waiting << 3));
  if (rules && isAttacked(board, king, position.turn))
    return fail(
      'impossible-position',
      `${SIDE_NAMES[waiting]} has just moved and would now stand in check, which no legal game allows; choose another change.`,
    );
  return ok(board);
}

/** Squares on which two boards differ, ascending. */
export function boardDifferences(was: ArrayLike<number>, is: ArrayLike<number>): SquareDifference[] {
  return Array.from({ length: 64 }, (_, square) => ({ square, was: was[square], is: is[square] })).filter(
    (difference) => difference.was !== difference.is,
  );
}

/** "the white knight of g1 is gone", clause by clause, in the order of the squares. */
export function differenceText(differences: readonly SquareDifference[]): string {
  return differences
    .map(({ square, was, is }) => {
      const name = squareName(square);
      if (is === 0) return `${name} is empty instead of holding a ${nameOf(was)}`;
      return was === 0
        ? `a ${nameOf(is)} stands on ${name}`
        : `a ${nameOf(is)} instead of a ${nameOf(was)} stands on ${name}`;
    })
    .join('; ');
}

/** "white knight". */
export function nameOf(code: number): string {
  return `${SIDE_NAMES[code >> 3].toLowerCase()} ${KIND_NAMES[code & 7]}`;
}

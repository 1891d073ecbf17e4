import { fail, ok, type Result } from '../../base/result.ts';
import { packMove } from '../../domains/chess/rules/move.ts';
import { KING, PAWN } from '../../domains/chess/rules/pieces.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { positionAfter } from '../../domains/chess/replay.ts';
import type { Alteration } from './nearest-prefix.ts';
import type { BoardEdit } from './edited-board.ts';

/**
 * A change of a prefix that tokens can write and the rules forbid: four plies at its end in which pieces jump. To remove a
 * piece, one of the other side's jumps onto it and back; to move one, it jumps there by way of an empty square; the other
 * player's piece goes there and back meanwhile. Tokens only move pieces, so that none can be added.
 * Fails with `tokens-cannot-add` and `no-jumper`.
 */
export function tokenPrefix(prefix: Uint16Array, edit: BoardEdit): Result<Alteration> {
  if (edit.kind === 'add')
    return fail(
      'tokens-cannot-add',
      'Moves written as tokens only move and take pieces; none can be added so. Ask for a legal prefix instead.',
    );
  const position = positionAfter(prefix);
  const square = edit.kind === 'remove' ? edit.square : edit.from;
  const owner = position.pieceAt(square) >> 3;
  const acting = edit.kind === 'remove' ? owner ^ 1 : owner;
  const jump = edit.kind === 'remove' ? jumper(position, acting, -1) : square;
  const idle = jumper(position, acting ^ 1, square);
  // A king that goes two files takes a rook along.
  const castles = edit.kind === 'remove' && (position.pieceAt(jump) & 7) === KING && Math.abs(jump - square) === 2;
  if (jump < 0 || idle < 0 || castles)
    return fail('no-jumper', 'Too few pieces are left for this change; choose another piece.');
  const taken = edit.kind === 'move' ? [edit.to] : [square];
  const rest = emptySquare(position, [idle], taken);
  const there = edit.kind === 'remove' ? square : emptySquare(position, [jump, edit.to], [edit.to, rest]);
  const back = edit.kind === 'remove' ? jump : edit.to;
  const act = [packMove(jump, there), packMove(there, back)];
  const wait = [packMove(idle, rest), packMove(rest, idle)];
  const inserted = position.turn === acting ? [act[0], wait[0], act[1], wait[1]] : [wait[0], act[0], wait[1], act[1]];
  return ok({ at: prefix.length, removed: 0, inserted });
}

/** A piece of a side that may jump, knights to queens first; not from the square given. -1 where there is none. */
function jumper(position: Position, side: number, not: number): number {
  let king = -1;
  for (let square = 0; square < 64; square++) {
    const code = position.pieceAt(square);
    if (code === 0 || code >> 3 !== side || square === not) continue;
    if ((code & 7) === KING) king = square;
    else if ((code & 7) !== PAWN) return square;
  }
  return king;
}

/**
 * An empty square that a jump may use: not one of those given, and never two files from where it begins or goes on to,
 * since a king that goes two files castles.
 */
function emptySquare(position: Position, ends: readonly number[], not: readonly number[]): number {
  const castles = (square: number): boolean => ends.some((end) => Math.abs(square - end) === 2);
  for (let square = 63; square >= 0; square--)
    if (position.pieceAt(square) === 0 && !not.includes(square) && !castles(square)) return square;
  return -1;
}

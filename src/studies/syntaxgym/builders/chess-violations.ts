import { attackersOf, isAttacked } from '../../../domains/chess/rules/attacks.ts';
import { REACH, REACH_OF_KIND, STEP } from '../../../domains/chess/rules/geometry.ts';
import { fromSquare, packMove, toSquare } from '../../../domains/chess/rules/move.ts';
import { KING, KNIGHT, PAWN, ROOK } from '../../../domains/chess/rules/pieces.ts';
import type { Position } from '../../../domains/chess/rules/position.ts';
import type { GamePoint } from './contrast.ts';

export type Point = GamePoint<Position>;
export const kindOn = (position: Position, square: number): number => position.board[square] & 7;
export const isOwn = ({ board, turn }: Position, square: number): boolean =>
  board[square] !== 0 && board[square] >> 3 === turn;

export function ownSquares(position: Position): number[] {
  return Array.from(position.board.keys()).filter((square) => isOwn(position, square));
}

/** Moves that only the king's safety forbids. */
export function unsafe(position: Position): number[] {
  return position.pseudoLegalMoves().filter((move) => !position.isLegal(move));
}

export function isEnPassant(position: Position, move: number): boolean {
  return kindOn(position, fromSquare(move)) === PAWN && toSquare(move) === position.enPassant;
}

type Fault = 'shape' | 'blocked' | 'own piece';

/** Moves of own pieces other than pawns that go wrong in one way: the reasons of explain.ts, without their sentences. */
export function wrongMoves(position: Position, fault: Fault): number[] {
  const { board } = position;
  const found: number[] = [];
  for (const from of ownSquares(position)) {
    const kind = kindOn(position, from);
    if (kind === PAWN) continue;
    for (let to = 0; to < 64; to++) {
      const reach = REACH[from * 64 + to];
      if (reach === 0) continue;
      const shaped = (reach & REACH_OF_KIND[kind]) !== 0;
      if (fault === 'shape' ? shaped : !shaped || isOwn(position, to) !== (fault === 'own piece')) continue;
      const free = kind === KNIGHT || !isBlocked(board, from, to);
      if (fault === 'shape' || free === (fault === 'own piece')) found.push(packMove(from, to));
    }
  }
  return kindOn(position, 4 + 56 * position.turn) === KING
    ? found.filter((move) => !isCastlingShape(position, move))
    : found;
}

function isBlocked(board: Int8Array, from: number, to: number): boolean {
  const step = STEP[from * 64 + to];
  for (let square = from + step; square !== to; square += step) if (board[square] !== 0) return true;
  return false;
}

export function isCastlingShape(position: Position, move: number): boolean {
  return kindOn(position, fromSquare(move)) === KING && Math.abs(toSquare(move) - fromSquare(move)) === 2;
}

/** Double steps from elsewhere than the first square, and diagonal steps that capture nothing. */
export function wrongPawnMoves(position: Position): number[] {
  const { board, turn, enPassant } = position;
  const forward = turn === 0 ? 8 : -8;
  return ownSquares(position)
    .filter((from) => kindOn(position, from) === PAWN)
    .flatMap((from) => {
      const to = from + forward;
      const empty = [to - 1, to + 1].filter(
        (side) => side >> 3 === to >> 3 && to >> 3 !== (turn === 0 ? 7 : 0) && board[side] === 0 && side !== enPassant,
      );
      const leap = from >> 3 !== (turn === 0 ? 1 : 6) && (to + forward) >> 3 > 0 && (to + forward) >> 3 < 7;
      return [...empty, ...(leap ? [to + forward] : [])].map((square) => packMove(from, square));
    });
}

/** Whether the piece that moved last gives no check itself. */
export function isDiscovered({ events, state }: Point): boolean {
  const last = toSquare(events[events.length - 1]);
  return !attackersOf(state.board, state.kingSquare(state.turn), state.turn ^ 1).includes(last);
}

export function ignoringCheck({ state }: Point): number[] {
  return unsafe(state).filter((move) => fromSquare(move) !== state.kingSquare(state.turn));
}

/** Castling on either wing with king and rook at home and nothing between them. */
export function openCastlings(position: Position): { move: number; path: number[]; right: number }[] {
  const { board, turn } = position;
  const king = turn === 0 ? 4 : 60;
  const rook = ROOK | (turn << 3);
  if (board[king] !== (KING | (turn << 3))) return [];
  return [
    { to: king + 2, corner: king + 3, between: [king + 1, king + 2], right: 1 },
    { to: king - 2, corner: king - 4, between: [king - 1, king - 2, king - 3], right: 2 },
  ]
    .filter(({ corner, between }) => board[corner] === rook && between.every((square) => board[square] === 0))
    .map(({ to, right }) => ({
      move: packMove(king, to),
      path: [king, (king + to) / 2, to],
      right: right << (turn * 2),
    }));
}

export const isAttackedHere = (position: Position, square: number): boolean =>
  isAttacked(position.board, square, position.turn ^ 1);

/** A pawn beside one of the other side that could have been taken en passant one move earlier, or never. */
export function lateEnPassant({ state }: Point): number[] {
  const { board, turn, enPassant } = state;
  const forward = turn === 0 ? 8 : -8;
  const rank = turn === 0 ? 4 : 3;
  return ownSquares(state)
    .filter((from) => kindOn(state, from) === PAWN && from >> 3 === rank)
    .flatMap((from) => [from - 1, from + 1].map((side) => ({ from, side, to: side + forward })))
    .filter(({ side, to }) => side >> 3 === rank && board[side] === (PAWN | ((turn ^ 1) << 3)) && board[to] === 0)
    .filter(({ to }) => to !== enPassant)
    .map(({ from, to }) => packMove(from, to));
}

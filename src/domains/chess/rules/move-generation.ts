import { isAttacked } from './attacks.ts';
import { KNIGHT_TARGETS, RAY_SQUARES, RAY_START, REACH, REACH_OF_KIND, STEP } from './geometry.ts';
import { fromSquare, packMove, promotionOf, toSquare } from './move.ts';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK } from './pieces.ts';
import type { Position } from './position.ts';

/** Whether one packed move follows the way its piece goes, the king's safety left aside. */
export function isPseudoLegal(position: Position, move: number): boolean {
  const { board, turn } = position;
  const from = fromSquare(move);
  const to = toSquare(move);
  const promotion = promotionOf(move);
  const piece = board[from];
  if (piece === 0 || piece >> 3 !== turn) return false;
  const target = board[to];
  if (target !== 0 && target >> 3 === turn) return false;
  const kind = piece & 7;
  if (kind === PAWN) return pawnReaches(position, from, to, promotion);
  if (promotion !== 0) return false;
  const at = from * 64 + to;
  if ((REACH[at] & REACH_OF_KIND[kind]) === 0)
    return kind === KING && isCastlingShape(turn, from, to) && castlingAllowed(position, to > from);
  if (kind === KNIGHT || kind === KING) return true;
  const step = STEP[at];
  for (let square = from + step; square !== to; square += step) if (board[square] !== 0) return false;
  return true;
}

function pawnReaches(position: Position, from: number, to: number, promotion: number): boolean {
  const { board, turn } = position;
  const last = to >> 3 === (turn === 0 ? 7 : 0);
  if (last ? promotion < KNIGHT || promotion > QUEEN : promotion !== 0) return false;
  const forward = turn === 0 ? 8 : -8;
  const target = board[to];
  if (to === from + forward) return target === 0;
  if (to === from + 2 * forward)
    return from >> 3 === (turn === 0 ? 1 : 6) && target === 0 && board[from + forward] === 0;
  const sideways = (to & 7) - (from & 7);
  if ((sideways !== 1 && sideways !== -1) || to !== from + forward + sideways) return false;
  return target !== 0 || to === position.enPassant;
}

function isCastlingShape(turn: number, from: number, to: number): boolean {
  return from === (turn === 0 ? 4 : 60) && (to === from + 2 || to === from - 2);
}

/** Rights, an empty way between king and rook, and no attack on the king's square or the two it crosses. */
export function castlingAllowed(position: Position, kingside: boolean): boolean {
  const { board, turn } = position;
  if ((position.castling & ((kingside ? 1 : 2) << (turn * 2))) === 0) return false;
  const king = turn === 0 ? 4 : 60;
  if (kingside) {
    if (board[king + 1] !== 0 || board[king + 2] !== 0) return false;
  } else if (board[king - 1] !== 0 || board[king - 2] !== 0 || board[king - 3] !== 0) return false;
  const step = kingside ? 1 : -1;
  const enemy = turn ^ 1;
  return (
    !isAttacked(board, king, enemy) &&
    !isAttacked(board, king + step, enemy) &&
    !isAttacked(board, king + 2 * step, enemy)
  );
}

/** All pseudo-legal moves, in no promised order. */
export function pseudoLegalMoves(position: Position): number[] {
  const { board, turn } = position;
  const moves: number[] = [];
  for (let from = 0; from < 64; from++) {
    const piece = board[from];
    if (piece === 0 || piece >> 3 !== turn) continue;
    switch (piece & 7) {
      case PAWN:
        pawnMoves(position, from, moves);
        break;
      case KNIGHT: {
        const targets = KNIGHT_TARGETS[from];
        for (let i = 0; i < targets.length; i++) {
          const target = board[targets[i]];
          if (target === 0 || target >> 3 !== turn) moves.push(packMove(from, targets[i]));
        }
        break;
      }
      case BISHOP:
        rayMoves(position, from, 4, 8, false, moves);
        break;
      case ROOK:
        rayMoves(position, from, 0, 4, false, moves);
        break;
      case QUEEN:
        rayMoves(position, from, 0, 8, false, moves);
        break;
      case KING:
        rayMoves(position, from, 0, 8, true, moves);
        if (castlingAllowed(position, true)) moves.push(packMove(from, from + 2));
        if (castlingAllowed(position, false)) moves.push(packMove(from, from - 2));
        break;
    }
  }
  return moves;
}

function rayMoves(
  { board, turn }: Position,
  from: number,
  first: number,
  last: number,
  oneStep: boolean,
  moves: number[],
): void {
  for (let direction = first; direction < last; direction++) {
    const start = RAY_START[from * 8 + direction];
    const end = RAY_START[from * 8 + direction + 1];
    for (let i = start; i < end; i++) {
      const to = RAY_SQUARES[i];
      const target = board[to];
      if (target === 0 || target >> 3 !== turn) moves.push(packMove(from, to));
      if (target !== 0 || oneStep) break;
    }
  }
}

function pawnMoves({ board, turn, enPassant }: Position, from: number, moves: number[]): void {
  const forward = turn === 0 ? 8 : -8;
  const one = from + forward;
  // Pawns never stand on the last rank of a position that was reached or read (fen.ts).
  if (board[one] === 0) {
    pushPawn(from, one, moves);
    const two = one + forward;
    if (from >> 3 === (turn === 0 ? 1 : 6) && board[two] === 0) moves.push(packMove(from, two));
  }
  const file = from & 7;
  for (let sideways = -1; sideways <= 1; sideways += 2) {
    if (file + sideways < 0 || file + sideways > 7) continue;
    const to = one + sideways;
    const target = board[to];
    if (target !== 0 ? target >> 3 !== turn : to === enPassant) pushPawn(from, to, moves);
  }
}

function pushPawn(from: number, to: number, moves: number[]): void {
  if (to >= 8 && to < 56) moves.push(packMove(from, to));
  else for (let promotion = QUEEN; promotion >= KNIGHT; promotion--) moves.push(packMove(from, to, promotion));
}

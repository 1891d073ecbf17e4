import { attackersOf } from './attacks.ts';
import { REACH, REACH_OF_KIND, STEP } from './geometry.ts';
import { packMove } from './move.ts';
import { KIND_NAMES, KING, PAWN, QUEEN, SIDE_NAMES } from './pieces.ts';
import type { Position } from './position.ts';
import { SQUARES } from './squares.ts';

export type IllegalReason =
  | 'empty'
  | 'wrong-side'
  | 'unreachable'
  | 'syntax'
  | 'own-piece'
  | 'blocked'
  | 'castling'
  | 'promotion'
  | 'leaves-check';

export interface Explanation {
  /** `legal` where there is nothing to explain. `unreachable`: no piece goes so; `syntax`: this one does not. */
  reason: IllegalReason | 'legal';
  /** A clause without a full stop, "the bishop on f1 is blocked by the pawn on e2". */
  why: string;
  /** Squares of the pieces in the way, nearest first. */
  blockers: number[];
  /** Attacker to king, for each check that the move would leave or open. */
  checkLines: { from: number; to: number }[];
}

const explained = (
  reason: Explanation['reason'],
  why: string,
  blockers: number[] = [],
  checkLines: Explanation['checkLines'] = [],
): Explanation => ({ reason, why, blockers, checkLines });

/**
 * Why a move is illegal in a position, in plain words and as squares to draw. `promotion` (a piece kind)
 * is taken for granted where it is left out and the move is a promotion.
 */
export function explainIllegal(position: Position, from: number, to: number, promotion?: number): Explanation {
  const { board, turn } = position;
  const piece = board[from];
  const kind = piece & 7;
  if (piece === 0) return explained('empty', `no piece stands on ${SQUARES[from]}`);
  if (piece >> 3 !== turn)
    return explained(
      'wrong-side',
      `it is ${SIDE_NAMES[turn]}'s turn and ${pieceText(position, from)} is ${SIDE_NAMES[turn ^ 1]}'s`,
    );

  const last = kind === PAWN && to >> 3 === (turn === 0 ? 7 : 0);
  if (promotion !== undefined && promotion !== 0 && !last)
    return explained('promotion', `only a pawn that reaches the last rank becomes another piece`);
  const needed = last ? (promotion ?? QUEEN) : 0;
  const move = packMove(from, to, needed);
  if (!position.isPseudoLegal(move)) {
    if (kind === KING && from === (turn === 0 ? 4 : 60) && Math.abs(to - from) === 2)
      return explainCastling(position, to > from);
    const shape = wrongShape(position, from, to, kind);
    if (shape !== null) return shape;
    if (kind !== PAWN && board[to] !== 0 && board[to] >> 3 === turn) return ownPiece(position, to);
    const blockers = piecesBetween(position, from, to, kind === PAWN);
    if (blockers.length > 0)
      return explained(
        'blocked',
        `${pieceText(position, from)} is blocked by ${blockers.map((square) => pieceText(position, square)).join(' and ')}`,
        blockers,
      );
    return explained(
      'promotion',
      `the pawn becomes another piece on ${SQUARES[to]}; name it, as in ${SQUARES[from]}${SQUARES[to]}q`,
    );
  }
  if (position.isLegal(move)) return explained('legal', 'legal');
  const checkLines = checksAfter(position, from, to);
  const attackers = checkLines.map((line) => pieceText(position, line.from)).join(' and ');
  const why =
    kind === KING
      ? `the king would stand in check on ${SQUARES[to]} from ${attackers}`
      : `it would leave the king on ${SQUARES[position.kingSquare(turn)]} in check from ${attackers}`;
  return explained('leaves-check', why, [], checkLines);
}

/** "the bishop on f1". */
function pieceText(position: Position, square: number): string {
  return `the ${KIND_NAMES[position.board[square] & 7]} on ${SQUARES[square]}`;
}

function ownPiece({ board, turn }: Position, to: number): Explanation {
  const why = `${SIDE_NAMES[turn]}'s own ${KIND_NAMES[board[to] & 7]} stands on ${SQUARES[to]}`;
  return explained('own-piece', why, [to]);
}

function wrongShape(position: Position, from: number, to: number, kind: number): Explanation | null {
  const syntax = (why: string): Explanation => explained('syntax', why);
  if (from === to) return explained('unreachable', `a move has to leave its square`);
  const reach = REACH[from * 64 + to];
  if (reach === 0) return explained('unreachable', `no piece goes from ${SQUARES[from]} to ${SQUARES[to]} in one move`);
  if (kind !== PAWN)
    return (reach & REACH_OF_KIND[kind]) !== 0
      ? null
      : syntax(`a ${KIND_NAMES[kind]} does not go from ${SQUARES[from]} to ${SQUARES[to]}`);
  const { board, turn } = position;
  const forward = turn === 0 ? 8 : -8;
  const home = turn === 0 ? 1 : 6;
  if (to === from + forward) return null;
  if (to === from + 2 * forward)
    return from >> 3 === home
      ? null
      : syntax(`a pawn moves two squares only from its first one, and ${SQUARES[from]} is not that`);
  if (to >> 3 === (from + forward) >> 3 && Math.abs((to & 7) - (from & 7)) === 1) {
    if (board[to] === 0)
      return syntax(`a pawn moves diagonally only to capture, and ${SQUARES[to]} holds nothing to capture`);
    return board[to] >> 3 === turn ? ownPiece(position, to) : null;
  }
  return syntax(`${SIDE_NAMES[turn]}'s pawn does not go from ${SQUARES[from]} to ${SQUARES[to]}`);
}

/** Occupied squares strictly between two in line, and the end square too where `withEnd` (a pawn's push). */
function piecesBetween({ board }: Position, from: number, to: number, withEnd: boolean): number[] {
  const step = STEP[from * 64 + to];
  const found: number[] = [];
  if (step === 0) return found;
  for (let square = from + step; square !== to; square += step) if (board[square] !== 0) found.push(square);
  if (withEnd && Math.abs(step) === 8 && board[to] !== 0) found.push(to);
  return found;
}

function explainCastling(position: Position, kingside: boolean): Explanation {
  const { board, turn } = position;
  const king = turn === 0 ? 4 : 60;
  const wing = kingside ? 'kingside' : 'queenside';
  const say = (text: string, blockers?: number[], checkLines?: Explanation['checkLines']): Explanation =>
    explained('castling', `${SIDE_NAMES[turn]} may not castle ${wing}: ${text}`, blockers, checkLines);
  if ((position.castling & ((kingside ? 1 : 2) << (turn * 2))) === 0)
    return say('the king or that rook has moved or is gone');
  const blockers = (kingside ? [king + 1, king + 2] : [king - 1, king - 2, king - 3]).filter(
    (square) => board[square] !== 0,
  );
  if (blockers.length > 0)
    return say(
      `${blockers.map((square) => pieceText(position, square)).join(' and ')} ${blockers.length > 1 ? 'stand' : 'stands'} between king and rook`,
      blockers,
    );
  const path = kingside ? [king, king + 1, king + 2] : [king, king - 1, king - 2];
  const checkLines = path.flatMap((to) => attackersOf(board, to, turn ^ 1).map((from) => ({ from, to })));
  const { from, to } = checkLines[0];
  return say(
    to === king
      ? `the king is in check from ${pieceText(position, from)}`
      : `${pieceText(position, from)} attacks ${SQUARES[to]}, which the king would cross`,
    [],
    checkLines,
  );
}

function checksAfter(position: Position, from: number, to: number): { from: number; to: number }[] {
  const { turn } = position;
  const board = position.board.slice();
  const kind = board[from] & 7;
  if (kind === PAWN && to === position.enPassant) board[turn === 0 ? to - 8 : to + 8] = 0;
  board[to] = board[from];
  board[from] = 0;
  const king = kind === KING ? to : position.kingSquare(turn);
  return attackersOf(board, king, turn ^ 1).map((attacker) => ({ from: attacker, to: king }));
}

import { REACH, REACH_OF_KIND } from '../../domains/chess/rules/geometry.ts';
import { fromSquare } from '../../domains/chess/rules/move.ts';
import { BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK } from '../../domains/chess/rules/pieces.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { SQUARES } from '../../domains/chess/rules/squares.ts';
import { uciOf } from '../../domains/chess/formats/uci.ts';
import { isCastling } from '../../domains/chess/notation/valid-tokens.ts';

/** The testbed's four classes of a wrong destination (Toshniwal et al. 2022, appendix E and Figure 5). */
export const errorClasses = ['unreachable', 'syntax', 'path obstruction', 'pseudo legal'] as const;
export type ErrorClass = (typeof errorClasses)[number];

export interface EndVerdict {
  legal: boolean;
  /** Null exactly where `legal`. */
  error: ErrorClass | null;
}

/**
 * Judges a predicted token after the prompt "prefix + start square", step by step as the authors'
 * error_analysis_end.py does. Destinations are strings, the rest of a move's UCI after its start square.
 *
 * 0. Legal: the token is the destination of a legal move from the square. Castling is in no list, and a
 *    promotion's destination reads "e8q", so that a bare "e8" is not one.
 * 1. Unreachable: none of the six kinds, a white piece alone on an empty board with White to move, has the
 *    token among its destinations. Tokens that are no squares end here.
 * 2. Syntax: the kind that stands on the square, alone and white in the same way, has not. Black's pawns are
 *    judged as White's: a prompt for one that moves down ends here, and so does a pawn's capture.
 * 3. Pseudo legal: the move is pseudo-legal on the real board; only the king's safety forbids it.
 * 4. Path obstruction: the rest, landing on one's own piece included.
 *
 * From an empty square, which the authors never ask, step 2 fails.
 */
export function classifyEnd(position: Position, from: number, predicted: string): EndVerdict {
  const uci = SQUARES[from] + predicted;
  const kind = position.pieceAt(from) & 7;
  const isMove = (move: number): boolean =>
    fromSquare(move) === from && !isCastling(position, move) && uciOf(move) === uci;
  if (position.legalMoves().some(isMove)) return { legal: true, error: null };
  return { legal: false, error: errorOf() };

  function errorOf(): ErrorClass {
    if (!ALL_KINDS.some((any) => endingsAlone(any, from).includes(predicted))) return 'unreachable';
    if (kind === 0 || !endingsAlone(kind, from).includes(predicted)) return 'syntax';
    return position.pseudoLegalMoves().some(isMove) ? 'pseudo legal' : 'path obstruction';
  }
}

const ALL_KINDS = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING] as const;

/**
 * Destinations of a white piece alone on an empty board, kings absent, White to move, as python-chess
 * generates them. Its double pushes are those that end on the third or fourth rank, so a pawn on the first
 * rank has one too; a pawn on the eighth has no move.
 */
export function endingsAlone(kind: number, from: number): string[] {
  if (kind !== PAWN) return SQUARES.filter((_, to) => (REACH[from * 64 + to] & REACH_OF_KIND[kind]) !== 0);
  const rank = from >> 3;
  if (rank === 7) return [];
  const one = SQUARES[from + 8];
  if (rank === 6) return [...'qrbn'].map((letter) => one + letter);
  return rank <= 1 ? [one, SQUARES[from + 16]] : [one];
}

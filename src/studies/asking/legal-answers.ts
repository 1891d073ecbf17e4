import { fromSquare, toSquare } from '../../domains/chess/rules/move.ts';
import type { Prompt } from '../../domains/chess/prompt.ts';
import { isCastling } from '../../domains/chess/notation/valid-tokens.ts';
import { KIND_LETTERS } from '../../domains/chess/rules/pieces.ts';

/**
 * Squares that answer the prompt's question legally.
 * @param names whether a move begins with the name of its piece
 */
export function legalAnswers({ position, query }: Prompt, names: boolean): Set<number> {
  const asked = names && query.kind !== 'next';
  const moves = position.legalMoves().filter((move) => !asked || !isCastling(position, move));
  switch (query.kind) {
    case 'next':
      return new Set(moves.map(fromSquare));
    case 'start': {
      const kind = KIND_LETTERS.indexOf(query.piece);
      return new Set(moves.map(fromSquare).filter((from) => (position.pieceAt(from) & 7) === kind));
    }
    case 'end':
      return new Set(moves.filter((move) => fromSquare(move) === query.from).map(toSquare));
  }
}

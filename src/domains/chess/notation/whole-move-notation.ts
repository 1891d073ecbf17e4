import { fail, ok, type Result } from '../../../base/result.ts';
import type { ModelVocabulary } from '../../../base/text-tokenizer.ts';
import { broughtNotation } from '../../brought-notation.ts';
import type { Notation } from '../../domain.ts';
import { illegalMove } from '../replay.ts';
import { fromSquare, packMove, promotionOf, toSquare } from '../rules/move.ts';
import { PAWN, QUEEN } from '../rules/pieces.ts';
import { Position } from '../rules/position.ts';
import { moveTokens, tokenOfMove, type MoveTokens } from './move-tokens.ts';

/**
 * Games in the tokens of a third-party model, a token a whole move: the token that begins a game, its moves, and the
 * token that ends it where the vocabulary has one. A move without a token is written as the unknown token, or ends the
 * row where there is none; `writes` tells such games, which runs leave out. Fails with `other-vocabulary` where the tokens
 * are no moves, or name the piece otherwise than `squares`, the notation that its models are asked in.
 */
export function wholeMoveNotation(squares: Notation, brought: ModelVocabulary): Result<Notation> {
  const { tokenizer, rows } = brought;
  const tokens = moveTokens(tokenizer.vocabulary.slice(0, rows));
  if (tokens === null || (squares.name === 'moves:named') !== tokens.named)
    return fail(
      'other-vocabulary',
      `The model's tokens are not whole moves of chess as "${squares.name}" has them; take the model again as it was published.`,
    );
  const { begin, end, unknown } = tokens;
  const moves = new Map(tokens.moves.map((token) => [token.id, token]));
  const special = { pad: end ?? begin, begin, end: end ?? begin };
  const shared = broughtNotation(brought, special, 'whole moves are');
  return ok({
    ...shared,
    name: squares.name,
    labels: squares.labels,
    nameShare: 0,
    tokensPer: 'event',
    brought: { files: tokenizer.files, begin, end },
    asked: squares,
    encode(trace, { closed }) {
      const ids = [begin];
      for (const token of tokensOfMoves(tokens, trace)) {
        const id = token ?? unknown;
        if (id === null) return ids;
        ids.push(id);
      }
      if (closed && end !== null) ids.push(end);
      return ids;
    },
    writes: (trace) => tokensOfMoves(tokens, trace).every((token) => token !== null),
    decode(ids) {
      const position = Position.initial();
      const trace: number[] = [];
      for (const id of Array.from(ids).slice(1)) {
        if (id === end) break;
        const token = moves.get(id);
        if (token === undefined)
          return fail('bad-tokens', `${JSON.stringify(shared.vocabulary.tokens[id] ?? id)} is no move of chess.`, {
            ply: trace.length + 1,
          });
        const move = position.isLegal(token.move) ? token.move : queened(position, token.move);
        if (!position.tryPlay(move)) return illegalMove(position, move, trace.length + 1);
        trace.push(move);
      }
      return ok(Uint16Array.from(trace));
    },
    maxTokens: (events) => events + 2,
  });
}

/** The token of every move of a game; null for a move that has none. */
function tokensOfMoves(tokens: MoveTokens, trace: ArrayLike<number>): (number | null)[] {
  const position = Position.initial();
  return Array.from(trace, (move) => {
    const { turn } = position;
    const token = tokenOfMove(tokens, move, turn, position);
    position.play(move);
    // A promotion that is written as the pawn's move alone is read as one to a queen.
    const spelt = token !== null && (promotionOf(move) === promotionOf(token.move) || promotionOf(move) === QUEEN);
    return spelt ? token.id : null;
  });
}

/** A pawn's move to the last rank as a promotion to a queen. */
function queened(position: Position, move: number): number {
  const [from, to] = [fromSquare(move), toSquare(move)];
  const isPromotion = (position.pieceAt(from) & 7) === PAWN && (to >> 3 === 0 || to >> 3 === 7);
  return isPromotion && promotionOf(move) === 0 ? packMove(from, to, QUEEN) : move;
}

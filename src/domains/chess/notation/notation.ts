import { fail, ok, type Result } from '../../../base/result.ts';
import type { ModelVocabulary } from '../../../base/text-tokenizer.ts';
import type { Notation } from '../../domain.ts';
import { followedBy, tokenText } from '../../vocabulary.ts';
import { fromSquare, packMove, promotionOf, toSquare } from '../rules/move.ts';
import { squareLabels } from './notation-labels.ts';
import { KIND_NAMES, KIND_LETTERS, KING } from '../rules/pieces.ts';
import { Position } from '../rules/position.ts';
import { illegalMove } from '../replay.ts';
import { chessSlots, moveBegins } from './slots.ts';
import { chessTokenizerRules } from './tokenizer-rules.ts';
import { splatNotation } from './splat-notation.ts';
import { uciOf } from '../formats/uci.ts';
import { validTokens } from './valid-tokens.ts';
import { wholeMoveNotation } from './whole-move-notation.ts';
import {
  BEGIN_TOKEN,
  END_TOKEN,
  KIND_TOKENS,
  PAD_TOKEN,
  PROMOTION_TOKENS,
  SQUARE_TOKEN,
  vocabulary,
} from './vocabulary.ts';

const PIECE_NAMES = [3, 4, 5, 6, 7, 8] as const;
const INITIAL_KINDS = Position.initial().board.map((code) => code & 7);

/**
 * The notations of the chess testbed (section 3.2): "uci"; "rap:P", a piece name before the start square
 * of P percent of the moves, in training only; "ap", always, in training and evaluation (the oracle).
 * Names are upper case for both sides; castling never has one. And "splat", a token a move (splat-notation.ts).
 * Third-party models whose tokens are whole moves answer in "moves", or "moves:named" where tokens name the piece,
 * and learn in the tokens that they brought (whole-move-notation.ts).
 */
export function notationNamed(name: string, brought: ModelVocabulary | null = null): Result<Notation> {
  if (name === 'uci') return ok(notation(name, 0, 0));
  if (name === 'ap') return ok(notation(name, 1, 1));
  // Models whose tokens are whole moves are asked in squares (studies/asking/squares-engine.ts); here some name the piece.
  if (name === 'moves' || name === 'moves:named') {
    const squares = notation(name, name === 'moves' ? 0 : 0.5, 0);
    return brought === null ? ok(squares) : wholeMoveNotation(squares, brought);
  }
  if (name === splatNotation.name) return ok(splatNotation);
  const rap = /^rap:(\d{1,3})$/.exec(name);
  if (rap !== null && Number(rap[1]) <= 100) return ok(notation(name, Number(rap[1]) / 100, 0));
  return fail(
    'unknown-notation',
    `"${name}" is not a notation for chess; choose uci, ap, splat or rap:P with P from 0 to 100.`,
  );
}

/** `training` and `evaluation`: the share of moves that carry a piece name. */
function notation(name: string, training: number, evaluation: number): Notation {
  return {
    name,
    labels: squareLabels(name, training),
    nameShare: training,
    tokensPer: 'square',
    vocabulary,
    slots: chessSlots,
    begins: moveBegins,
    tokenizerRules: chessTokenizerRules,
    encode: (trace, { random, closed }) => {
      const share = random === null ? evaluation : training;
      const tokens = [BEGIN_TOKEN];
      // A light board of kinds: a pawn taken en passant stays as a ghost that nobody moves.
      const kinds = share > 0 ? INITIAL_KINDS.slice() : null;
      for (let ply = 0; ply < trace.length; ply++) {
        const move = trace[ply];
        const from = fromSquare(move);
        const to = toSquare(move);
        const promotion = promotionOf(move);
        if (kinds !== null) {
          const kind = kinds[from];
          const castling = kind === KING && (to - from === 2 || from - to === 2);
          if (!castling && (share >= 1 || random!.next() < share)) tokens.push(KIND_TOKENS[kind]);
          kinds[to] = promotion === 0 ? kind : promotion;
          kinds[from] = 0;
          if (castling) {
            const [rookFrom, rookTo] = to > from ? [to + 1, to - 1] : [to - 2, to + 1];
            kinds[rookTo] = kinds[rookFrom];
            kinds[rookFrom] = 0;
          }
        }
        tokens.push(SQUARE_TOKEN + from, SQUARE_TOKEN + to);
        if (promotion !== 0) tokens.push(PROMOTION_TOKENS[promotion]);
      }
      if (closed) tokens.push(END_TOKEN);
      return tokens;
    },
    decode: (tokens) => decode(tokens, training),
    valid: (trace, tokens) => validTokens(trace, tokens, training >= 1),
    mutedInEvaluation: evaluation > 0 ? [] : PIECE_NAMES,
    // A game has sixteen pawns, so at most sixteen promotions.
    maxTokens: (events) => 2 + (training > 0 ? 3 : 2) * events + Math.min(events, 16),
  };
}

/** Reads tokens back, checks every move against the rules, and every piece name against the board. */
function decode(tokens: ArrayLike<number>, share: number): Result<Uint16Array> {
  const position = Position.initial();
  const moves: number[] = [];
  if (tokens[0] !== BEGIN_TOKEN) return fail('no-begin', 'The tokens do not start with <s>; put it first.');
  let at = 1;
  while (at < tokens.length && tokens[at] !== END_TOKEN && tokens[at] !== PAD_TOKEN) {
    const ply = moves.length + 1;
    const wrong = (message: string) => fail('bad-tokens', `Move ${ply} (token ${at + 1}): ${message}.`, { ply });
    const named = KIND_TOKENS.indexOf(tokens[at] as (typeof KIND_TOKENS)[number]);
    if (named > 0) at++;
    const from = tokens[at] - SQUARE_TOKEN;
    const to = tokens[at + 1] - SQUARE_TOKEN;
    if (!isSquare(from)) return wrong(`${tell(tokens[at])} stands where a start square should`);
    if (!isSquare(to)) return wrong(`${tell(tokens[at + 1])} stands where an end square should`);
    at += 2;
    const promotion = PROMOTION_TOKENS.indexOf(tokens[at] as (typeof PROMOTION_TOKENS)[number]);
    if (promotion > 0) at++;
    const move = packMove(from, to, Math.max(0, promotion));
    const kind = position.pieceAt(from) & 7;
    if (!position.isLegal(move)) return illegalMove(position, move, ply);
    const castling = kind === KING && Math.abs(to - from) === 2;
    if (named > 0 && share === 0) return wrong('this notation has no piece names');
    if (named > 0 && castling) return wrong('castling carries no piece name');
    if (named > 0 && named !== kind)
      return wrong(
        `${KIND_LETTERS[named]} is written before ${uciOf(move)}, but a ${KIND_NAMES[kind]} makes that move`,
      );
    if (named <= 0 && share === 1 && !castling) return wrong(`the piece name before ${uciOf(move)} is missing`);
    position.play(move);
    moves.push(move);
  }
  return followedBy(vocabulary, tokens, at, { ply: moves.length + 1 }) ?? ok(Uint16Array.from(moves));
}

function isSquare(index: number): boolean {
  return index >= 0 && index < 64;
}

function tell(token: number | undefined): string {
  return token === undefined ? 'nothing' : tokenText(vocabulary, token);
}

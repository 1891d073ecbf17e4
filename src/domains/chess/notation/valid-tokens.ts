import { fromSquare, promotionOf, toSquare } from '../rules/move.ts';
import { KING } from '../rules/pieces.ts';
import { Position } from '../rules/position.ts';
import { BEGIN_TOKEN, END_TOKEN, KIND_TOKENS, PROMOTION_TOKENS, SQUARE_TOKEN, vocabulary } from './vocabulary.ts';

/** 32-bit words of a set of tokens. */
const WORDS = Math.ceil(vocabulary.size / 32);

/** Whether a move of this position is castling, which carries no piece name in any notation. */
export function isCastling(position: Position, move: number): boolean {
  const from = fromSquare(move);
  return (position.board[from] & 7) === KING && Math.abs(toSquare(move) - from) === 2;
}

/**
 * For each token of a game, all that the rules allow in its place, given the tokens before it: what Balogh and Jelasity
 * (2026) train towards. At a move's first token these are the squares from which a legal move starts; where the game
 * writes a piece name there, the names of the pieces that have a legal move, and after it the squares from which such a
 * piece may go. Then the destinations, then the four promotions. A name never begins castling. A game's end is known
 * from the game alone: there the end token has no alternative, and before it none.
 * @param everyName whether the notation names every move but castling: then a name and the king's square before castling
 *   are alternatives to each other
 * @returns bit masks [tokens, ceil(V / 32)]: token v is in a row's set where bit v % 32 of word v / 32 is 1
 * @throws where the tokens do not tell the trace
 */
export function validTokens(trace: ArrayLike<number>, tokens: ArrayLike<number>, everyName: boolean): Int32Array {
  const sets = new Int32Array(tokens.length * WORDS);
  let at = 0;
  const allow = (token: number): void => {
    sets[at * WORDS + (token >> 5)] |= 1 << (token & 31);
  };
  /** To the next token, if the one that stands here is among those allowed; false past the last. */
  const pass = (): boolean => {
    const token = tokens[at];
    if (((sets[at * WORDS + (token >> 5)] >> (token & 31)) & 1) === 0)
      throw new Error(`token ${at + 1}, ${vocabulary.tokens[token]}, is no part of this game`);
    return ++at < tokens.length;
  };
  const position = Position.initial();
  allow(BEGIN_TOKEN);
  let more = pass();
  for (let ply = 0; ply < trace.length && more; ply++) {
    const [from, to] = [fromSquare(trace[ply]), toSquare(trace[ply])];
    const legal = position.legalMoves();
    const kindAt = (square: number): number => position.board[square] & 7;
    const castles = (move: number): boolean => isCastling(position, move);
    const named = KIND_TOKENS.indexOf(tokens[at] as (typeof KIND_TOKENS)[number]) > 0;
    /** Whether names are what this move may begin with. */
    const spelt = named || everyName;
    for (const move of legal) {
      if (!spelt || (everyName && castles(move))) allow(SQUARE_TOKEN + fromSquare(move));
      else if (!castles(move)) allow(KIND_TOKENS[kindAt(fromSquare(move))]);
    }
    if (!(more = pass())) break;
    if (named) {
      for (const move of legal)
        if (kindAt(fromSquare(move)) === kindAt(from) && !castles(move)) allow(SQUARE_TOKEN + fromSquare(move));
      if (!(more = pass())) break;
    }
    for (const move of legal)
      if (fromSquare(move) === from && (!spelt || castles(move) !== named)) allow(SQUARE_TOKEN + toSquare(move));
    if (!(more = pass())) break;
    if (promotionOf(trace[ply]) !== 0) {
      for (const move of legal)
        if (fromSquare(move) === from && toSquare(move) === to) allow(PROMOTION_TOKENS[promotionOf(move)]);
      if (!(more = pass())) break;
    }
    position.play(trace[ply]);
  }
  if (more) {
    allow(END_TOKEN);
    pass();
  }
  return sets;
}

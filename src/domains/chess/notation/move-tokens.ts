import { fromSquare, packMove, promotionOf, toSquare } from '../rules/move.ts';
import { PAWN, PIECES, PROMOTIONS, PROMOTION_LETTERS, type Side } from '../rules/pieces.ts';
import type { Position } from '../rules/position.ts';
import { SQUARES } from '../rules/squares.ts';
import { uciOf } from '../formats/uci.ts';
import { isCastling } from './valid-tokens.ts';

/** A move that is one token of a third-party model. */
export interface MoveToken {
  id: number;
  /** Packed (move.ts). */
  move: number;
  /** The side and the kind of piece that it names; null where it names none. */
  side: Side | null;
  kind: number | null;
  /** What it says of the move beside, a letter each: x capture, + check, * checkmate, o and O castling. */
  marks: string;
}

/** A vocabulary in which a token is a whole move. */
export interface MoveTokens {
  moves: readonly MoveToken[];
  /** By packed move. */
  byMove: ReadonlyMap<number, readonly MoveToken[]>;
  /** Whether tokens name the piece that moves. */
  named: boolean;
  begin: number;
  end: number | null;
  /** What its makers write for a move that has no token. */
  unknown: number | null;
}

/** Fewer moves than these are no vocabulary of moves: a tokenizer of text may know some by chance. */
const FEWEST = 200;

const BEGIN = ['<s>', '[BOS]', '<bos>', '<|startoftext|>', '[start]', '<|endoftext|>', '</s>', '[EOS]', '<eos>'];
const END = ['</s>', '[EOS]', '<eos>', '<|endoftext|>', '[end]'];
const UNKNOWN = ['[UNK]', '<unk>', '<|unknown|>'];

/**
 * "e2e4", "b7b8q", and as Chess1MChallenge writes moves (dataset dlouapre/lichess_2025-01_1M): side, piece, squares and
 * marks, "WNg1f3", "BPd7c6(x)", "WKe1g1(o)", "(+)" for check and "(+*)" for checkmate.
 */
const MOVE =
  /^(?:([WB])(?=[PNBRQK]))?([PNBRQK])?([a-h][1-8])([a-h][1-8])(?:=?\(?([qrbnQRBN])\)?)?((?:\([^()]*\)|[+#])*)$/;

/** Every move that a piece could make on some board: 1,792 pairs of squares and 176 promotions; packed. */
export const POSSIBLE_MOVES: readonly number[] = possibleMoves();

/** The moves of a vocabulary; null where it is none of moves, or has no token to begin a game with. */
export function moveTokens(tokens: readonly (string | null)[]): MoveTokens | null {
  const moves = tokens.flatMap((token, id) => (token === null ? [] : (readMove(token, id) ?? [])));
  const first = (names: readonly string[]): number | null =>
    names.map((name) => tokens.indexOf(name)).find((id) => id >= 0) ?? null;
  const begin = first(BEGIN);
  if (moves.length < FEWEST || begin === null) return null;
  const byMove = new Map<number, MoveToken[]>();
  for (const move of moves) byMove.set(move.move, [...(byMove.get(move.move) ?? []), move]);
  const named = moves.every(({ kind }) => kind !== null);
  return { moves, byMove, named, begin, end: first(END), unknown: first(UNKNOWN) };
}

/**
 * The token of a move in a position, the one that names its side, its piece and what it does; null where the vocabulary
 * has none. A promotion that it cannot write is the pawn's move alone.
 * @param position before the move; null where an earlier move was against the rules, so that only the side is known
 */
export function tokenOfMove(
  { byMove }: MoveTokens,
  move: number,
  side: Side,
  position: Position | null,
): MoveToken | null {
  const bare = packMove(fromSquare(move), toSquare(move));
  const kind = position === null ? null : position.board[fromSquare(move)] & 7;
  const fitting = (byMove.get(move) ?? byMove.get(bare) ?? []).filter(
    (token) =>
      (token.side === null || token.side === side) && (token.kind === null || kind === null || token.kind === kind),
  );
  if (fitting.length < 2 || position === null) return fitting[0] ?? null;
  const marks = marksOf(position, move);
  const differing = ({ marks: theirs }: MoveToken): number =>
    [...'x+*oO'].filter((mark) => marks.includes(mark) !== theirs.includes(mark)).length;
  return fitting.reduce((best, one) => (differing(one) < differing(best) ? one : best));
}

function readMove(token: string, id: number): MoveToken | null {
  const found = MOVE.exec(token);
  if (found === null) return null;
  const [, side, piece, from, to, promotion = '', marks] = found;
  return {
    id,
    move: packMove(
      SQUARES.indexOf(from),
      SQUARES.indexOf(to),
      promotion === '' ? 0 : PROMOTION_LETTERS.indexOf(promotion.toLowerCase() as 'q'),
    ),
    side: side === undefined ? null : side === 'W' ? 0 : 1,
    kind: piece === undefined ? null : PIECES.indexOf(piece as 'P') + 1,
    marks: marks.replace('#', '+*'),
  };
}

function marksOf(position: Position, move: number): string {
  const [from, to] = [fromSquare(move), toSquare(move)];
  const next = position.clone();
  if (!next.tryPlay(move)) return '';
  const capture = position.board[to] !== 0 || ((position.board[from] & 7) === PAWN && to === position.enPassant);
  const check = next.inCheck();
  const mate = check && next.legalMoves().length === 0;
  const castling = isCastling(position, move) ? (to > from ? 'o' : 'O') : '';
  return `${capture ? 'x' : ''}${check ? '+' : ''}${mate ? '*' : ''}${castling}`;
}

function possibleMoves(): number[] {
  const moves: number[] = [];
  for (let from = 0; from < 64; from++)
    for (let to = 0; to < 64; to++) {
      const [files, ranks] = [Math.abs((from & 7) - (to & 7)), Math.abs((from >> 3) - (to >> 3))];
      const reached = files === 0 || ranks === 0 || files === ranks || files * ranks === 2;
      if (from !== to && reached) moves.push(packMove(from, to));
      const promoted = files <= 1 && ((from >> 3 === 6 && to >> 3 === 7) || (from >> 3 === 1 && to >> 3 === 0));
      if (promoted) for (const kind of PROMOTIONS) moves.push(packMove(from, to, kind));
    }
  return moves;
}

/** How many of the possible moves a vocabulary has, and which it lacks, as "e2e4". */
export function coverage({ byMove }: MoveTokens): { matched: number; missing: string[] } {
  // Where promotions are not spelt out, the pawn's move is all that there is to have.
  const spelt = POSSIBLE_MOVES.some((move) => promotionOf(move) !== 0 && byMove.has(move));
  const wanted = POSSIBLE_MOVES.filter((move) => spelt || promotionOf(move) === 0);
  const missing = wanted.filter((move) => !byMove.has(move));
  return { matched: wanted.length - missing.length, missing: missing.map(uciOf) };
}

import { fail, ok, type Result } from '../../../base/result.ts';
import { explainIllegal } from '../rules/explain.ts';
import { fromSquare, packMove, promotionOf, toSquare } from '../rules/move.ts';
import { KIND_LETTERS, KIND_NAMES, KING, PAWN, SIDE_NAMES } from '../rules/pieces.ts';
import type { Position } from '../rules/position.ts';
import { parseSquare, SQUARES } from '../rules/squares.ts';

const PATTERN = /^([PNBRQK])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:=?\(?([NBRQnbrq])\)?)?$/;
const CASTLING = /^[O0o]-?[O0o](-?[O0o])?$/;

/** Standard algebraic notation of a legal move, check and mate signs included: "Nbd7", "exd8=Q+", "O-O-O#". */
export function sanOf(position: Position, move: number): string {
  const from = fromSquare(move);
  const to = toSquare(move);
  const promotion = promotionOf(move);
  const kind = position.board[from] & 7;
  const captures = position.board[to] !== 0 || (kind === PAWN && to === position.enPassant);
  let text: string;
  if (kind === KING && Math.abs(to - from) === 2) text = to > from ? 'O-O' : 'O-O-O';
  else if (kind === PAWN)
    text = (captures ? `${SQUARES[from][0]}x` : '') + SQUARES[to] + (promotion ? `=${KIND_LETTERS[promotion]}` : '');
  else text = KIND_LETTERS[kind] + disambiguation(position, from, to) + (captures ? 'x' : '') + SQUARES[to];
  const after = position.clone();
  after.play(move);
  if (!after.inCheck()) return text;
  return text + (after.legalMoves().length === 0 ? '#' : '+');
}

/** The file, else the rank, else the square that tells the piece from others of its kind that may go to `to`. */
function disambiguation(position: Position, from: number, to: number): string {
  const others = candidates(position, position.board[from] & 7, to, 0).filter((square) => square !== from);
  if (others.length === 0) return '';
  if (others.every((square) => (square & 7) !== (from & 7))) return SQUARES[from][0];
  if (others.every((square) => square >> 3 !== from >> 3)) return SQUARES[from][1];
  return SQUARES[from];
}

/** Squares of the mover's pieces of a kind that may legally go to `to`. */
function candidates(position: Position, kind: number, to: number, promotion: number): number[] {
  const piece = kind | (position.turn << 3);
  const found: number[] = [];
  for (let from = 0; from < 64; from++)
    if (position.board[from] === piece && position.isLegal(packMove(from, to, promotion))) found.push(from);
  return found;
}

/**
 * The legal move that SAN text names. Forgiving where nothing is lost: check signs and glyphs may be missing
 * or wrong, castling may be written with zeros, more may be told than is needed ("Ng1-f3", "Pe2e4").
 * Fails with `not-san`, `illegal-move`, `ambiguous-move` or `promotion-missing`; the message is a clause.
 */
export function parseSan(position: Position, text: string): Result<number> {
  const { turn } = position;
  if (text.length > 16) return fail('not-san', `"${text.slice(0, 16)}..." is not a move`);
  const bare = text.replace(/(e\.?p\.?)?[+#!?]*$/, '');
  if (CASTLING.test(bare)) {
    const kingside = bare.replace(/-/g, '').length === 2;
    const from = turn === 0 ? 4 : 60;
    const to = kingside ? from + 2 : from - 2;
    if (position.kingSquare(turn) !== from)
      return fail('illegal-move', `${SIDE_NAMES[turn]}'s king is not on ${SQUARES[from]}, so it cannot castle`);
    const move = packMove(from, to);
    return position.isLegal(move) ? ok(move) : fail('illegal-move', explainIllegal(position, from, to).why);
  }
  const parts = PATTERN.exec(bare);
  const target = parts && parseSquare(parts[4]);
  if (!parts || !target?.ok) return fail('not-san', `"${text}" is not a move`);
  const kind = parts[1] === undefined ? PAWN : KIND_LETTERS.indexOf(parts[1] as (typeof KIND_LETTERS)[number]);
  const to = target.value;
  const promotion =
    parts[5] === undefined ? 0 : KIND_LETTERS.indexOf(parts[5].toUpperCase() as (typeof KIND_LETTERS)[number]);
  const matches = (square: number): boolean =>
    (parts[2] === undefined || SQUARES[square][0] === parts[2]) &&
    (parts[3] === undefined || SQUARES[square][1] === parts[3]);

  const found = candidates(position, kind, to, promotion).filter(matches);
  // A lone pawn move names its own file: "e5" is never a capture from the d-file.
  const fitting = kind === PAWN && parts[2] === undefined ? found.filter((from) => (from & 7) === (to & 7)) : found;
  if (fitting.length === 1) return ok(packMove(fitting[0], to, promotion));
  if (fitting.length > 1)
    return fail(
      'ambiguous-move',
      `"${text}" could be ${fitting.map((from) => SQUARES[from] + SQUARES[to]).join(' or ')}; say which piece moves`,
    );
  return explainSan(position, kind, to, promotion, matches);
}

/** Why no piece of a kind can make the move: told of the one piece it could be, or of all of them together. */
function explainSan(
  position: Position,
  kind: number,
  to: number,
  promotion: number,
  matches: (square: number) => boolean,
): Result<number> {
  const { board, turn } = position;
  const mine: number[] = [];
  for (let from = 0; from < 64; from++) if (board[from] === (kind | (turn << 3)) && matches(from)) mine.push(from);
  if (mine.length === 0) return fail('illegal-move', `${SIDE_NAMES[turn]} has no such ${KIND_NAMES[kind]}`);
  if (
    kind === PAWN &&
    promotion === 0 &&
    (to >> 3 === 7 || to >> 3 === 0) &&
    candidates(position, PAWN, to, 5).some(matches)
  )
    return fail(
      'promotion-missing',
      `the pawn becomes another piece on ${SQUARES[to]}; name it, as in ${SQUARES[to]}=Q`,
    );
  const reasons = mine.map((from) =>
    explainIllegal(position, from, to, kind === PAWN && promotion ? promotion : undefined),
  );
  const telling = reasons.filter(({ reason }) => reason !== 'syntax' && reason !== 'unreachable');
  if (telling.length > 0) return fail('illegal-move', telling.map(({ why }) => why).join(', and '));
  return fail(
    'illegal-move',
    mine.length === 1 ? reasons[0].why : `no ${KIND_NAMES[kind]} of ${SIDE_NAMES[turn]}'s goes to ${SQUARES[to]}`,
  );
}

import { fail, ok, type Result } from '../../../base/result.ts';
import { isAttacked } from '../rules/attacks.ts';
import { KING, PAWN, PIECE_LETTERS, SIDE_NAMES } from '../rules/pieces.ts';
import { Position } from '../rules/position.ts';
import { parseSquare, SQUARES } from '../rules/squares.ts';

export const INITIAL_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** King and rook squares of each castling right, in the order of FEN's letters. */
const RIGHTS = [
  ['K', 4, 7],
  ['Q', 4, 0],
  ['k', 60, 63],
  ['q', 60, 56],
] as const;

/** Forsyth-Edwards notation. The en passant square is written only where a capture on it is legal, as python-chess and chess.js do. */
export function fenOf(position: Position): string {
  const ranks: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    let text = '';
    for (let file = 0; file < 8; file++) text += PIECE_LETTERS[position.board[rank * 8 + file]];
    ranks.push(text.replace(/\.+/g, (dots) => String(dots.length)));
  }
  const enPassant = position.legalEnPassant();
  return [
    ranks.join('/'),
    position.turn === 0 ? 'w' : 'b',
    castlingText(position.castling),
    enPassant < 0 ? '-' : SQUARES[enPassant],
    position.halfmoveClock,
    position.fullmoveNumber,
  ].join(' ');
}

/** "KQkq", "-" of castling bits. */
export function castlingText(castling: number): string {
  return (
    RIGHTS.map(([letter]) => letter)
      .filter((_, i) => castling & (1 << i))
      .join('') || '-'
  );
}

/**
 * A position of FEN text with six fields, or four (clocks then 0 and 1). Fails with `bad-fen` on text that
 * is malformed and on positions no game can hold: a king missing or twice, pawns on an end rank, the side
 * that has just moved in check, castling rights without king and rook in place, an impossible en passant.
 */
export function parseFen(text: string): Result<Position> {
  const wrong = (message: string) => fail('bad-fen', `FEN: ${message}.`);
  if (text.length > 200) return wrong('the text is longer than 200 characters');
  const fields = text.trim().split(/\s+/);
  if (fields.length !== 4 && fields.length !== 6)
    return wrong(`${fields.length} fields instead of six (pieces, turn, castling, en passant and two counts)`);
  const position = new Position();
  const placed = placePieces(position, fields[0]);
  if (placed !== null) return wrong(placed);

  if (fields[1] !== 'w' && fields[1] !== 'b')
    return wrong(`the second field says who moves, "w" or "b", not "${fields[1]}"`);
  position.turn = fields[1] === 'w' ? 0 : 1;
  const { board, turn } = position;
  if (isAttacked(board, position.kingSquare(turn ^ 1), turn))
    return wrong(`${SIDE_NAMES[turn ^ 1]}'s king is in check although ${SIDE_NAMES[turn]} is to move`);

  if (!/^(-|K?Q?k?q?)$/.test(fields[2]))
    return wrong(`the castling field is made of K, Q, k and q in this order or is "-", not "${fields[2]}"`);
  for (const [i, [letter, king, rook]] of RIGHTS.entries()) {
    if (!fields[2].includes(letter)) continue;
    const side = i < 2 ? 0 : 8;
    if (board[king] !== (6 | side) || board[rook] !== (4 | side))
      return wrong(`castling right ${letter} needs a king on ${SQUARES[king]} and a rook on ${SQUARES[rook]}`);
    position.castling |= 1 << i;
  }

  if (fields[3] !== '-') {
    const square = parseSquare(fields[3]);
    if (!square.ok) return wrong(`the en passant field is a square or "-", not "${fields[3]}"`);
    const to = square.value;
    const behind = turn === 0 ? -8 : 8;
    if (
      to >> 3 !== (turn === 0 ? 5 : 2) ||
      board[to] !== 0 ||
      board[to - behind] !== 0 ||
      board[to + behind] !== (PAWN | ((turn ^ 1) << 3))
    )
      return wrong(`no pawn can just have passed ${fields[3]}`);
    position.enPassant = to;
    position.rootEnPassant = to;
  }

  const [halfmoves, fullmoves] = fields.length === 6 ? fields.slice(4) : ['0', '1'];
  if (!/^\d{1,4}$/.test(halfmoves))
    return wrong(`the fifth field counts plies since a capture or pawn move, not "${halfmoves}"`);
  if (!/^\d{1,4}$/.test(fullmoves)) return wrong(`the sixth field is the number of the move, not "${fullmoves}"`);
  position.halfmoveClock = Number(halfmoves);
  position.fullmoveNumber = Math.max(1, Number(fullmoves));
  return ok(position);
}

/** Fills the board; what is wrong, or null. */
function placePieces(position: Position, text: string): string | null {
  const ranks = text.split('/');
  if (ranks.length !== 8) return `${ranks.length} ranks instead of eight`;
  const kings = [0, 0];
  for (const [i, rank] of ranks.entries()) {
    let file = 0;
    for (const letter of rank) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else {
        const code = PIECE_LETTERS.indexOf(letter);
        if (code <= 0) return `"${letter}" in rank ${8 - i} is no piece`;
        if (file > 7) return width(i, rank);
        const square = (7 - i) * 8 + file++;
        if ((code & 7) === PAWN && (i === 0 || i === 7)) return `a pawn stands on ${SQUARES[square]}`;
        if ((code & 7) === KING) {
          kings[code >> 3]++;
          if (code >> 3 === 0) position.whiteKing = square;
          else position.blackKing = square;
        }
        position.board[square] = code;
      }
    }
    if (file !== 8) return width(i, rank);
  }
  for (const side of [0, 1]) if (kings[side] !== 1) return `${SIDE_NAMES[side]} has ${kings[side]} kings`;
  return null;
}

function width(i: number, rank: string): string {
  return `rank ${8 - i} ("${rank.slice(0, 20)}") does not fill eight squares exactly`;
}

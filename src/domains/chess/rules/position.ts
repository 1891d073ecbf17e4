import { isAttacked } from './attacks.ts';
import { isPseudoLegal, pseudoLegalMoves } from './move-generation.ts';
import { STEP } from './geometry.ts';
import { fromSquare, packMove, promotionOf, toSquare } from './move.ts';
import { KING, PAWN, PIECE_LETTERS, type Side } from './pieces.ts';
import { SQUARES } from './squares.ts';

/** Castling rights that survive a move from or to each square. */
const RIGHTS_KEPT = new Uint8Array(64).fill(15);
for (const [square, lost] of [
  [0, 2],
  [4, 3],
  [7, 1],
  [56, 8],
  [60, 12],
  [63, 4],
])
  RIGHTS_KEPT[square] = 15 & ~lost;

const NO_MOVES = new Uint16Array(0);

/**
 * A chess position that is changed in place by `play`. Fields are open to the files of this folder and
 * read-only to everyone else. Moves are packed (move.ts).
 *
 * Legality of one move is its pseudo-legality plus the king's safety after it; no list is made. Making
 * and taking back whole moves was rejected: a trial on the bare board (two or three squares) is enough.
 */
export class Position {
  /** [64] piece codes: kind 1..6 (P N B R Q K), plus 8 for Black; 0 empty. */
  readonly board = new Int8Array(64);
  turn: Side = 0;
  /** Castling rights as bits: 1 and 2 White's kingside and queenside, 4 and 8 Black's. */
  castling = 0;
  /** The square a pawn has just passed by moving two squares, or -1. Set whether or not a capture is possible. */
  enPassant = -1;
  /** Plies since the last capture or pawn move. */
  halfmoveClock = 0;
  fullmoveNumber = 1;
  whiteKing = -1;
  blackKing = -1;
  /** The moves since the last that cannot be undone by later ones; repetition.ts walks back over them. */
  reversible = NO_MOVES;
  reversibleCount = 0;
  /** enPassant as it was before the first of those moves. */
  rootEnPassant = -1;

  static initial(): Position {
    const position = new Position();
    const back = [4, 2, 3, 5, 6, 3, 2, 4];
    for (let file = 0; file < 8; file++) {
      position.board[file] = back[file];
      position.board[8 + file] = PAWN;
      position.board[48 + file] = PAWN | 8;
      position.board[56 + file] = back[file] | 8;
    }
    position.castling = 15;
    position.whiteKing = 4;
    position.blackKing = 60;
    return position;
  }

  clone(): Position {
    return new Position().copyFrom(this);
  }

  /** Becomes a copy of another position; for hosts that reuse one object. */
  copyFrom(other: Position): this {
    this.board.set(other.board);
    this.turn = other.turn;
    this.castling = other.castling;
    this.enPassant = other.enPassant;
    this.halfmoveClock = other.halfmoveClock;
    this.fullmoveNumber = other.fullmoveNumber;
    this.whiteKing = other.whiteKing;
    this.blackKing = other.blackKing;
    this.reversible = other.reversibleCount === 0 ? NO_MOVES : other.reversible.slice();
    this.reversibleCount = other.reversibleCount;
    this.rootEnPassant = other.rootEnPassant;
    return this;
  }

  /** The piece code on a square; 0 where it is empty. */
  pieceAt(square: number): number {
    return this.board[square];
  }

  /** The square of a side's king, or -1. */
  kingSquare(side: number): number {
    return side === 0 ? this.whiteKing : this.blackKing;
  }

  /** Whether the side to move stands in check. */
  inCheck(): boolean {
    const king = this.kingSquare(this.turn);
    return king >= 0 && isAttacked(this.board, king, this.turn ^ 1);
  }

  /** Moves by how the pieces go, the king's safety left aside; castling only where it is fully legal (python-chess's rule). */
  pseudoLegalMoves(): number[] {
    return pseudoLegalMoves(this);
  }

  isPseudoLegal(move: number): boolean {
    return isPseudoLegal(this, move);
  }

  legalMoves(): number[] {
    const moves = pseudoLegalMoves(this);
    const king = this.kingSquare(this.turn);
    if (king < 0) return moves;
    const inCheck = isAttacked(this.board, king, this.turn ^ 1);
    let kept = 0;
    for (let i = 0; i < moves.length; i++) {
      const move = moves[i];
      const from = fromSquare(move);
      // Out of check, only the king, a piece in line with it, or an en passant capture (two pawns leave a rank) can expose it.
      const sure =
        !inCheck &&
        from !== king &&
        STEP[king * 64 + from] === 0 &&
        !(toSquare(move) === this.enPassant && (this.board[from] & 7) === PAWN);
      if (sure || this.leavesKingSafe(move)) moves[kept++] = move;
    }
    moves.length = kept;
    return moves;
  }

  isLegal(move: number): boolean {
    return isPseudoLegal(this, move) && this.leavesKingSafe(move);
  }

  /** Whether the mover's king is out of attack after a pseudo-legal move. */
  leavesKingSafe(move: number): boolean {
    const { board } = this;
    const from = fromSquare(move);
    const to = toSquare(move);
    const piece = board[from];
    const captured = board[to];
    const isKing = (piece & 7) === KING;
    const king = isKing ? to : this.kingSquare(this.turn);
    if (king < 0) return true;
    // castlingAllowed has looked at every square the king crosses.
    if (isKing && (to - from === 2 || from - to === 2)) return true;
    const victim = (piece & 7) === PAWN && to === this.enPassant ? (this.turn === 0 ? to - 8 : to + 8) : -1;
    board[from] = 0;
    board[to] = piece;
    if (victim >= 0) board[victim] = 0;
    const safe = !isAttacked(board, king, this.turn ^ 1);
    board[from] = piece;
    board[to] = captured;
    if (victim >= 0) board[victim] = PAWN | ((this.turn ^ 1) << 3);
    return safe;
  }

  /** Plays the move if it is legal, and says whether it was. */
  tryPlay(move: number): boolean {
    if (!isPseudoLegal(this, move) || !this.leavesKingSafe(move)) return false;
    this.play(move);
    return true;
  }

  /** Plays a move that is known to be legal; an illegal one leaves nonsense (use `tryPlay`). */
  play(move: number): void {
    const { board, turn } = this;
    const from = fromSquare(move);
    const to = toSquare(move);
    const piece = board[from];
    const kind = piece & 7;
    let quiet = board[to] === 0 && kind !== PAWN;
    this.halfmoveClock = quiet ? this.halfmoveClock + 1 : 0;
    board[from] = 0;
    board[to] = piece;
    const enPassant = this.enPassant;
    this.enPassant = -1;
    if (kind === PAWN) {
      const leap = to - from;
      if (leap === 16 || leap === -16) this.enPassant = (from + to) >> 1;
      else if (to === enPassant) board[turn === 0 ? to - 8 : to + 8] = 0;
      else if (move >= 4096) board[to] = promotionOf(move) | (turn << 3);
    } else if (kind === KING) {
      if (turn === 0) this.whiteKing = to;
      else this.blackKing = to;
      if (to - from === 2) {
        board[to - 1] = board[to + 1];
        board[to + 1] = 0;
      } else if (from - to === 2) {
        board[to + 1] = board[to - 2];
        board[to - 2] = 0;
      }
    }
    const castling = this.castling & RIGHTS_KEPT[from] & RIGHTS_KEPT[to];
    if (castling !== this.castling) {
      this.castling = castling;
      quiet = false;
    }
    if (turn === 1) this.fullmoveNumber++;
    this.turn = (turn ^ 1) as Side;
    if (quiet) this.remember(move);
    else {
      this.reversibleCount = 0;
      this.rootEnPassant = this.enPassant;
    }
  }

  /** Two positions repeat each other when their keys are equal: pieces, side to move, castling rights, en passant where legal. */
  key(): string {
    let key = '';
    for (let square = 0; square < 64; square++) key += PIECE_LETTERS[this.board[square]];
    const enPassant = this.legalEnPassant();
    return `${key} ${this.turn} ${this.castling} ${enPassant < 0 ? '-' : SQUARES[enPassant]}`;
  }

  /** The en passant square where some pawn may legally capture on it, else -1. */
  legalEnPassant(): number {
    const to = this.enPassant;
    if (to < 0) return -1;
    const behind = this.turn === 0 ? to - 8 : to + 8;
    for (let file = (to & 7) - 1; file <= (to & 7) + 1; file += 2) {
      if (file < 0 || file > 7) continue;
      const from = (behind & 56) | file;
      if (this.board[from] === (PAWN | (this.turn << 3)) && this.isLegal(packMove(from, to))) return to;
    }
    return -1;
  }

  private remember(move: number): void {
    if (this.reversibleCount === this.reversible.length) {
      const longer = new Uint16Array(this.reversibleCount * 2 + 16);
      longer.set(this.reversible);
      this.reversible = longer;
    }
    this.reversible[this.reversibleCount++] = move;
  }
}

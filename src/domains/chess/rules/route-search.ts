import { fromSquare, promotionOf, toSquare } from './move.ts';
import { KING, ROOK } from './pieces.ts';
import type { Position } from './position.ts';

/**
 * Looks for legal moves from one position to a board, depth first, an exact number of plies deep. Branches from which the
 * board cannot be reached in time are cut: a ply brings home one piece of its side at most (castling two), takes one piece
 * of the other at most, and nobody's pieces grow in number. Searching backwards from the board was rejected: un-making
 * moves needs guesses about captures and rights that the forward search simply sees.
 */
export class RouteSearch {
  /** Positions looked at so far. */
  looked = 0;
  private limit = 0;

  constructor(private readonly budget: number) {}

  get spent(): boolean {
    return this.looked >= this.budget;
  }

  /** The moves, or null where there are none within `most` positions and what is left of the budget. */
  find(position: Position, board: Int8Array, plies: number, most: number): number[] | null {
    this.limit = Math.min(this.budget, this.looked + most);
    return this.deepen(position, board, plies);
  }

  private deepen(position: Position, board: Int8Array, plies: number): number[] | null {
    if (plies === 0) return sameBoard(position.board, board) ? [] : null;
    const homewards = mustGoHome(position, board, plies);
    for (const move of quietFirst(position)) {
      if (homewards && board[toSquare(move)] !== arriving(position, move)) continue;
      if (this.looked >= this.limit) return null;
      this.looked++;
      const next = position.clone();
      next.play(move);
      if (slackOf(next, board, plies - 1) < 0) continue;
      const rest = this.deepen(next, board, plies - 1);
      if (rest !== null) return [move, ...rest];
    }
    return null;
  }
}

export function sameBoard(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let square = 0; square < 64; square++) if (a[square] !== b[square]) return false;
  return true;
}

/** Legal moves; those of kings and rooks, which may cost the right to castle, last. */
function quietFirst(position: Position): number[] {
  const costly = (move: number): boolean => {
    const kind = position.pieceAt(fromSquare(move)) & 7;
    return position.castling !== 0 && (kind === KING || kind === ROOK);
  };
  const moves = position.legalMoves().sort((a, b) => a - b);
  return [...moves.filter((move) => !costly(move)), ...moves.filter(costly)];
}

/** The piece code that stands on the move's last square after it. */
function arriving(position: Position, move: number): number {
  return promotionOf(move) === 0 ? position.pieceAt(fromSquare(move)) : promotionOf(move) | (position.turn << 3);
}

/** Whether the ply to come has to bring a piece to its place, since the ones after it cannot make up for it. */
function mustGoHome(position: Position, board: Int8Array, plies: number): boolean {
  let missing = 0;
  for (let square = 0; square < 64; square++)
    if (board[square] !== 0 && board[square] >> 3 === position.turn && board[square] !== position.board[square])
      missing++;
  const later = (plies - 1) >> 1;
  return missing > later + Math.min(later, castlings(position, position.turn));
}

/** Castling brings two pieces home at once, and a side does it once. */
function castlings(position: Position, side: number): number {
  return position.castling & (3 << (2 * side)) ? 1 : 0;
}

const missing = [0, 0];
const surplus = [0, 0];
/** Pieces that are one too many and stand where a piece of the other side has to arrive. */
const inTheWay = [0, 0];

/** How many plies would be left over on the way to a board by the bounds above; negative where it is out of reach. */
export function slackOf(position: Position, board: Int8Array, plies: number): number {
  missing[0] = missing[1] = surplus[0] = surplus[1] = inTheWay[0] = inTheWay[1] = 0;
  for (let square = 0; square < 64; square++) {
    const here = position.board[square];
    const there = board[square];
    if (here !== 0) surplus[here >> 3]++;
    if (there !== 0) {
      surplus[there >> 3]--;
      if (here !== there) missing[there >> 3]++;
      if (here !== 0 && here >> 3 !== there >> 3) inTheWay[here >> 3]++;
    }
  }
  let slack = 0;
  for (const side of [0, 1]) {
    const own = (plies + (side === position.turn ? 1 : 0)) >> 1;
    const others = plies - own;
    const extra = surplus[side ^ 1];
    if (extra < 0) return -1;
    // A piece that still moves may be taken on a square where another has to arrive; one that does not is where it is.
    const together = others > 0 ? Math.min(extra, missing[side]) : inTheWay[side ^ 1];
    const arrivals = missing[side] - (missing[side] > 1 ? castlings(position, side) : 0);
    const left = own - Math.max(arrivals, extra, arrivals + extra - together);
    if (left < 0) return -1;
    slack += left;
  }
  return slack;
}

import type { Position } from '../../domains/chess/rules/position.ts';
import { boardDifferences, type BoardEdit } from './edited-board.ts';

/** `removed` plies of a prefix from `at` on make place for others. */
export interface Alteration {
  at: number;
  removed: number;
  inserted: number[];
}

/** Squares that a nearest prefix may have wrong. */
const MOST_WRONG = 4;

/** The position after an altered prefix, or null where one of its moves is not legal. */
export function replayed(prefix: Uint16Array, change: Alteration, positions: readonly Position[]): Position | null {
  const position = positions[change.at].clone();
  for (const move of change.inserted) if (!position.tryPlay(move)) return null;
  for (let ply = change.at + change.removed; ply < prefix.length; ply++)
    if (!position.tryPlay(prefix[ply])) return null;
  return position;
}

/**
 * The change that makes the edit with the fewest other squares wrong: one ply replaced or two left out anywhere, or the
 * last plies replaced.
 */
export async function nearestPrefix(
  prefix: Uint16Array,
  edit: BoardEdit,
  wanted: Int8Array,
  positions: readonly Position[],
  pause: () => Promise<void>,
): Promise<Alteration | null> {
  let best: Alteration | null = null;
  let fewest = MOST_WRONG + 1;
  const edited = boardDifferences(positions[prefix.length].board, wanted);
  const consider = (change: Alteration): void => {
    const end = replayed(prefix, change, positions);
    if (end === null) return;
    // The edit itself must be made: what was to go is gone, what was to come is there.
    if (edited.some(({ square, was, is }) => (is === 0 ? end.board[square] === was : end.board[square] !== is))) return;
    if (edit.kind !== 'add' && elsewhere(positions[prefix.length], end, wanted)) return;
    const wrong = boardDifferences(wanted, end.board).length;
    if (wrong < fewest) {
      fewest = wrong;
      best = change;
    }
  };
  for (let at = prefix.length - 1; at >= 0; at--) {
    if (at + 2 <= prefix.length) consider({ at, removed: 2, inserted: [] });
    for (const move of positions[at].legalMoves()) consider({ at, removed: 1, inserted: [move] });
    await pause();
  }
  const tail = (removed: number, inserted: number[], left: number, position: Position): void => {
    if (left === 0) return consider({ at: prefix.length - removed, removed, inserted });
    for (const move of position.legalMoves()) {
      const next = position.clone();
      next.play(move);
      tail(removed, [...inserted, move], left - 1, next);
    }
  };
  for (const [removed, plies] of [
    [0, 2],
    [2, 2],
    [4, 2],
  ]) {
    if (removed <= prefix.length) tail(removed, [], plies, positions[prefix.length - removed]);
    await pause();
  }
  return best;
}

/** Whether pieces that were to stay or go are counted otherwise: nothing is removed by moving it away. */
function elsewhere(before: Position, after: Position, wanted: Int8Array): boolean {
  for (let square = 0; square < 64; square++) {
    const code = before.board[square];
    if (code === 0) continue;
    const count = (board: ArrayLike<number>): number => Array.prototype.filter.call(board, (c) => c === code).length;
    if (count(after.board) !== count(wanted)) return true;
  }
  return false;
}

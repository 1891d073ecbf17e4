import type { Random } from '../../base/random.ts';
import { positionAfter } from '../../domains/chess/replay.ts';
import { Position } from '../../domains/chess/rules/position.ts';

/** Swaps of a player's moves that are tried on one prefix. */
const TRIES = 60;
/** Swaps after which a prefix differs enough. */
const SWAPS = 6;

/**
 * Another order of the same moves to the same position (pieces, side to move, castling and en passant; not the counters),
 * or null where none was found. Moves of one player that stand next to each other among that player's moves change places,
 * a few times over, wherever the whole still replays legally and ends in the same position. Each try replays the prefix.
 */
export function transposition(moves: ArrayLike<number>, random: Random): Uint16Array | null {
  if (moves.length < 3) return null;
  const key = positionAfter(moves).key();
  let best = Uint16Array.from(moves);
  let swaps = 0;
  for (let attempt = 0; attempt < TRIES && swaps < SWAPS; attempt++) {
    const at = random.below(moves.length - 2);
    if (best[at] === best[at + 2]) continue;
    const tried = best.slice();
    tried[at] = best[at + 2];
    tried[at + 2] = best[at];
    if (keyAfter(tried) !== key) continue;
    best = tried;
    swaps++;
  }
  return best.every((move, ply) => move === moves[ply]) ? null : best;
}

/** The position's key after moves, or null where one of them is not legal. */
function keyAfter(moves: Uint16Array): string | null {
  const position = Position.initial();
  for (const move of moves) if (!position.tryPlay(move)) return null;
  return position.key();
}

import type { Random } from '../../../base/random.ts';
import { fromSquare, packMove, toSquare } from '../../../domains/chess/rules/move.ts';
import { KING, ROOK } from '../../../domains/chess/rules/pieces.ts';
import { Position } from '../../../domains/chess/rules/position.ts';
import type { GamePoint } from './contrast.ts';

const EARLIEST = 10;
const LATEST = 110;

/**
 * Points of a game from the fifth move on, so many and drawn at random. A third of them are a few random legal moves
 * away from the game, and a third a move of king or rook there and back: what the rules forbid is rare where good
 * players have arranged the pieces.
 */
export function chessPoints(trace: ArrayLike<number>, points: number, random: Random): GamePoint<Position>[] {
  const latest = Math.min(LATEST, trace.length);
  if (latest <= EARLIEST) return [];
  return Array.from({ length: points }, (_, i) => {
    const ply = EARLIEST + random.below(latest - EARLIEST);
    const events = Array.from({ length: ply }, (_, j) => trace[j]);
    const state = Position.initial();
    for (const move of events) state.play(move);
    const play = (move: number): void => {
      state.play(move);
      events.push(move);
    };
    if (i % 3 === 1) stray(state, 1 + random.below(6), random, play);
    if (i % 3 === 2) thereAndBack(state, random, play);
    return { events, state };
  });
}

function stray(state: Position, steps: number, random: Random, play: (move: number) => void): void {
  for (let step = 0; step < steps; step++) {
    const legal = state.legalMoves();
    if (legal.length === 0) return;
    play(legal[random.below(legal.length)]);
  }
}

/** A king or rook moves and returns, if it can, while the other side does what it likes. */
function thereAndBack(state: Position, random: Random, play: (move: number) => void): void {
  const own = state.legalMoves().filter((move) => {
    const kind = state.pieceAt(fromSquare(move)) & 7;
    return (kind === KING || kind === ROOK) && state.pieceAt(toSquare(move)) === 0;
  });
  if (own.length === 0) return;
  const there = own[random.below(own.length)];
  play(there);
  stray(state, 1, random, play);
  const back = packMove(toSquare(there), fromSquare(there));
  if (!state.isLegal(back)) return;
  play(back);
  stray(state, 1, random, play);
}

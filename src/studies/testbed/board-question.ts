import { seededRandom } from '../../base/random.ts';
import { fromSquare } from '../../domains/chess/rules/move.ts';
import { BISHOP, kindOf, ROOK } from '../../domains/chess/rules/pieces.ts';
import { Position } from '../../domains/chess/rules/position.ts';
import { randomGame } from '../../domains/chess/rules/random-game.ts';
import { uciLine } from '../../domains/chess/replay.ts';
import { squareName } from '../../domains/chess/rules/squares.ts';
import type { LiveQuestion } from '../live.ts';
import { endingsAlone } from './error-taxonomy.ts';

const OPENINGS = 20;
const PLIES = 12;
/** Fewer plies leave the pieces at home, where a table of commonest moves knows them. */
const LEAST_PLIES = 8;
const INITIAL = Position.initial();

let question: LiveQuestion | null = null;

/**
 * The question about a bishop or rook that only a tracked board answers: of openings of random legal moves, the
 * one after which most squares on a piece's lines are closed to it, by pieces in between or by a pin. Always the same.
 */
export function boardQuestion(): LiveQuestion {
  return (question ??= chosenQuestion());
}

function chosenQuestion(): LiveQuestion {
  let best = { hardness: -1, prompt: '', note: '' };
  for (let opening = 0; opening < OPENINGS; opening++) {
    const moves = randomGame(seededRandom('board question', opening), PLIES);
    const position = Position.initial();
    for (const [ply, move] of moves.entries()) {
      if (ply >= LEAST_PLIES)
        for (const { from, closed, open, hardness } of slidersOf(position)) {
          if (hardness <= best.hardness) continue;
          best = {
            hardness,
            prompt: `${uciLine(moves.subarray(0, ply))} ${squareName(from)}`,
            note: `After ${ply} random moves, it can go to ${open} squares. Other pieces keep it from ${closed} more.`,
          };
        }
      position.play(move);
    }
  }
  return { prompt: best.prompt, note: best.note };
}

/** The bishops and rooks of the side to move that have left home and have two to four squares to go to. */
function slidersOf(position: Position): { from: number; open: number; closed: number; hardness: number }[] {
  if (position.inCheck()) return [];
  const [legal, pseudo] = [position.legalMoves(), position.pseudoLegalMoves()];
  return Array.from({ length: 64 }, (_, square) => square).flatMap((from) => {
    const code = position.pieceAt(from);
    const kind = kindOf(code);
    if (code >> 3 !== position.turn || kind < BISHOP || kind > ROOK || code === INITIAL.pieceAt(from)) return [];
    const of = (moves: readonly number[]): number => moves.filter((move) => fromSquare(move) === from).length;
    const open = of(legal);
    if (open < 2 || open > 4) return [];
    const closed = endingsAlone(kind, from).length - open;
    // A square that only the king's safety forbids is the hardest to know.
    return [{ from, open, closed, hardness: closed + 4 * (of(pseudo) - open) }];
  });
}

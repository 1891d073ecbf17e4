import { fail, ok, type Result } from '../../base/result.ts';
import { explainIllegal } from './rules/explain.ts';
import { fromSquare, promotionOf, toSquare } from './rules/move.ts';
import { Position } from './rules/position.ts';
import { SIDE_NAMES } from './rules/pieces.ts';
import { readUciMove, uciOf } from './formats/uci.ts';

/**
 * The moves of one line of UCI text ("e2e4 e7e5 g1f3"), every ply checked against the rules.
 * Failures: `not-uci` or `illegal-move`, with the first wrong ply (1-based) in `where.ply`.
 */
export function replay(line: string): Result<Uint16Array> {
  const position = Position.initial();
  const moves = new Uint16Array((line.length + 1) / 5 + 1);
  let plies = 0;
  let at = 0;
  for (;;) {
    while (at < line.length && line.charCodeAt(at) <= 32) at++;
    if (at >= line.length) break;
    let end = at + 1;
    while (end < line.length && line.charCodeAt(end) > 32) end++;
    const move = readUciMove(line, at, end);
    if (move < 0) {
      const text = line.slice(at, Math.min(end, at + 20));
      const ply = plies + 1;
      return fail('not-uci', `Ply ${ply}: "${text}" is not a move in UCI such as e2e4 or e7e8q.`, { ply });
    }
    if (!position.tryPlay(move)) return illegalMove(position, move, plies + 1);
    moves[plies++] = move;
    at = end;
  }
  return ok(moves.slice(0, plies));
}

/** The position after a line of UCI text; fails as `replay` does. */
export function parsePrefix(line: string): Result<Position> {
  const moves = replay(line);
  return moves.ok ? ok(positionAfter(moves.value)) : moves;
}

/** The position after moves that are known to be legal. */
export function positionAfter(moves: ArrayLike<number>): Position {
  const position = Position.initial();
  for (let ply = 0; ply < moves.length; ply++) position.play(moves[ply]);
  return position;
}

/** The failure for a move that breaks the rules at a 1-based ply. */
export function illegalMove(position: Position, move: number, ply: number): ReturnType<typeof fail> {
  const { why } = explainIllegal(position, fromSquare(move), toSquare(move), promotionOf(move));
  return fail('illegal-move', `Ply ${ply}, ${SIDE_NAMES[position.turn]}'s ${uciOf(move)}: ${why}.`, { ply });
}

/** "e2e4 e7e5 g1f3" of packed moves. */
export function uciLine(moves: ArrayLike<number>): string {
  const words: string[] = [];
  for (let i = 0; i < moves.length; i++) words.push(uciOf(moves[i]));
  return words.join(' ');
}

import { PIECE_LETTERS, PIECES } from '../../../domains/chess/rules/pieces.ts';
import { SQUARES } from '../../../domains/chess/rules/squares.ts';
import type { GameMap } from '../../../studies/board-map/game-map.ts';

/**
 * A game's map as a table: a row for each ply and square, with the true piece (FEN letter, a dot where empty), the
 * agreement, and the probability that the model answers each piece's question with the square.
 */
export function mapCsv(map: GameMap): string {
  const lines = [['ply', 'move', 'square', 'piece', 'agreement', ...PIECES].join(',')];
  const short = (value: number): string => String(Number(value.toPrecision(5)));
  for (let ply = 0; ply <= map.moves.length; ply++)
    for (let square = 0; square < 64; square++)
      lines.push(
        [
          ply,
          ply === 0 ? '' : map.moves[ply - 1],
          SQUARES[square],
          PIECE_LETTERS[map.boards[ply * 64 + square]],
          short(map.agreement[ply * 64 + square]),
          ...PIECES.map((_, kind) => short(map.pieces[(ply * 6 + kind) * 64 + square])),
        ].join(','),
      );
  return lines.join('\n') + '\n';
}

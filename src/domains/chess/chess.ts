import type { Domain, StateVariable } from '../domain.ts';
import { inLines } from '../record-lines.ts';
import { castlingText } from './formats/fen.ts';
import { notationNamed } from './notation/notation.ts';
import { OPENINGS } from './openings.ts';
import { chessPlay } from './play.ts';
import { outcomeOf } from './rules/outcome.ts';
import { PIECE_LETTERS, SQUARE_VALUES } from './rules/pieces.ts';
import { Position } from './rules/position.ts';
import { replay, uciLine } from './replay.ts';
import { SQUARES } from './rules/squares.ts';
import { uciOf } from './formats/uci.ts';

/** The usual count: pawn 1, knight and bishop 3, rook 5, queen 9. */
const VALUES = [0, 1, 3, 3, 5, 9, 0] as const;

const variables: StateVariable<Position>[] = [
  ...SQUARES.map((name, square) => ({
    name,
    values: SQUARE_VALUES,
    of: (position: Position) => PIECE_LETTERS[position.board[square]],
  })),
  { name: 'turn', values: ['White', 'Black'], of: (position) => (position.turn === 0 ? 'White' : 'Black') },
  {
    name: 'castling',
    values: Array.from({ length: 16 }, (_, rights) => castlingText(rights)),
    of: (position) => castlingText(position.castling),
  },
  {
    name: 'en passant',
    values: ['-', ...SQUARES.filter((square) => square[1] === '3' || square[1] === '6')],
    of: (position) => (position.enPassant < 0 ? '-' : SQUARES[position.enPassant]),
  },
  { name: 'check', values: ['no', 'yes'], of: (position) => (position.inCheck() ? 'yes' : 'no') },
];

/** Chess from the initial position; events are packed moves (move.ts). */
export const chess: Domain<Position> = {
  name: 'chess',
  title: 'Chess',
  eventName: { one: 'ply', many: 'plies' },
  // Toshniwal et al. 2022.
  trainingGames: { lengths: { minPlies: 10, maxPlies: 150 }, description: 'Games of 10 to 150 plies are kept.' },
  initial: () => Position.initial(),
  apply: (position, move) => {
    const next = position.clone();
    if (!next.tryPlay(move)) throw new RangeError(`${uciOf(move)} is not legal here`);
    return next;
  },
  legal: (position) => position.legalMoves().sort((a, b) => a - b),
  variables,
  leader: ({ board }) => {
    let balance = 0;
    for (let square = 0; square < 64; square++) balance += (board[square] < 8 ? 1 : -1) * VALUES[board[square] & 7];
    return balance > 0 ? 'first' : balance < 0 ? 'second' : 'level';
  },
  outcome: outcomeOf,
  play: chessPlay,
  traces: { parse: replay, format: uciLine },
  record: { lines: (moves) => inLines(Array.from(moves, uciOf), 2, (line) => `${line + 1}`) },
  notations: ['uci', 'rap:15', 'ap', 'splat'],
  notation: notationNamed,
  invented: null,
  examples: OPENINGS,
};

import { plainDomain } from '../plain-domain.ts';

/** The squares that each player has taken, bit i for square i of SQUARES; X begins. */
interface Board {
  readonly X: number;
  readonly O: number;
}

/** Columns a to c from the left, rows 1 to 3 from below, as on a chess board. */
export const SQUARES = ['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'b3', 'c3'] as const;
const FULL = 0b111111111;
/** Three rows, three columns, two diagonals. */
const LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

const holdsLine = (squares: number): boolean => LINES.some((line) => (squares & line) === line);
const isFree = ({ X, O }: Board, square: number): boolean => (((X | O) >> square) & 1) === 0;
/** X moves where both have as many squares. */
const turnOf = ({ X, O }: Board): 'X' | 'O' => (count(X) === count(O) ? 'X' : 'O');

/**
 * Noughts and crosses: two players take squares in turn, and three in a line win. Small enough to check every game
 * (255,168 of them), and the pattern for a custom game (src/domains/README.md).
 */
export const noughts = plainDomain<Board>({
  name: 'noughts',
  title: 'Noughts and crosses',
  initial: () => ({ X: 0, O: 0 }),
  apply: (board, square) => ({ ...board, [turnOf(board)]: board[turnOf(board)] | (1 << square) }),
  legal: (board) => [...SQUARES.keys()].filter((square) => isFree(board, square)),
  events: SQUARES,
  variables: [
    ...SQUARES.map((name, square) => ({
      name,
      values: ['empty', 'X', 'O'],
      of: (board: Board) => (isFree(board, square) ? 'empty' : (board.X >> square) & 1 ? 'X' : 'O'),
    })),
    { name: 'turn', values: ['X', 'O'], of: turnOf },
  ],
  leader: (board) => {
    const balance = chances(board.X, board.O) - chances(board.O, board.X);
    return balance > 0 ? 'first' : balance < 0 ? 'second' : 'level';
  },
  outcome: ({ X, O }) => {
    if (holdsLine(X)) return 'X wins';
    if (holdsLine(O)) return 'O wins';
    return (X | O) === FULL ? 'a draw' : null;
  },
  players: {
    sides: ['X', 'O'],
    toMove: (board) => (turnOf(board) === 'X' ? 0 : 1),
    winner: ({ X, O }) => (holdsLine(X) ? 0 : holdsLine(O) ? 1 : null),
  },
  description:
    'Games played by chance: every free square is equally likely, until there are three in a line or no square is left. What can be learned from them is the rules, not how to win.',
});

/** Who is ahead is counted in lines that only one of the two has begun; a whole line outweighs all of those. */
function chances(own: number, other: number): number {
  if (holdsLine(own)) return LINES.length + 1;
  return LINES.filter((line) => (own & line) !== 0 && (other & line) === 0).length;
}

function count(squares: number): number {
  let bits = 0;
  for (let rest = squares; rest > 0; rest &= rest - 1) bits++;
  return bits;
}

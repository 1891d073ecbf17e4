/**
 * Tables of the empty board, made once: where rays run and what reaches what. Mailbox tables were chosen
 * over bitboards because 64-bit integers are slow in JavaScript and a pair of 32-bit halves is hard to read.
 */

/** Steps of the eight directions: four straight, then four diagonal (N E S W, NE SE SW NW). */
const DIRECTIONS = [8, 1, -8, -1, 9, -7, -9, 7] as const;
const FILE_STEPS = [0, 1, 0, -1, 1, 1, -1, -1] as const;
const RANK_STEPS = [1, 0, -1, 0, 1, -1, -1, 1] as const;

/** Squares of every ray, nearest first; ray (square, direction) is RAY_SQUARES[RAY_START[square * 8 + direction]] up to the next start. */
export const RAY_START = new Uint16Array(64 * 8 + 1);
export const RAY_SQUARES: Uint8Array = rays();

/** Bits of REACH. */
const KNIGHT_REACH = 1;
const KING_REACH = 2;
const ROOK_REACH = 4;
const BISHOP_REACH = 8;

/** By from * 64 + to: which kinds reach `to` from `from` on an empty board (pawns apart). */
export const REACH = new Uint8Array(4096);
/** By from * 64 + to: the step from `from` towards `to` along a rank, file or diagonal; 0 where they share none. */
export const STEP = new Int8Array(4096);
/** By square: the squares a knight reaches. */
export const KNIGHT_TARGETS: readonly (readonly number[])[] = leaps([
  [1, 2],
  [2, 1],
  [2, -1],
  [1, -2],
  [-1, -2],
  [-2, -1],
  [-2, 1],
  [-1, 2],
]);

for (let from = 0; from < 64; from++) {
  for (let direction = 0; direction < 8; direction++) {
    const start = RAY_START[from * 8 + direction];
    for (let i = start; i < RAY_START[from * 8 + direction + 1]; i++) {
      const at = from * 64 + RAY_SQUARES[i];
      STEP[at] = DIRECTIONS[direction];
      REACH[at] |= direction < 4 ? ROOK_REACH : BISHOP_REACH;
      if (i === start) REACH[at] |= KING_REACH;
    }
  }
  for (const to of KNIGHT_TARGETS[from]) REACH[from * 64 + to] |= KNIGHT_REACH;
}

/** REACH bits by piece kind (pawns have none). */
export const REACH_OF_KIND: readonly number[] = [
  0,
  0,
  KNIGHT_REACH,
  BISHOP_REACH,
  ROOK_REACH,
  ROOK_REACH | BISHOP_REACH,
  KING_REACH,
];

function rays(): Uint8Array {
  const squares: number[] = [];
  for (let from = 0; from < 64; from++)
    for (let direction = 0; direction < 8; direction++) {
      RAY_START[from * 8 + direction] = squares.length;
      let file = (from & 7) + FILE_STEPS[direction];
      let rank = (from >> 3) + RANK_STEPS[direction];
      while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        squares.push(rank * 8 + file);
        file += FILE_STEPS[direction];
        rank += RANK_STEPS[direction];
      }
    }
  RAY_START[512] = squares.length;
  return Uint8Array.from(squares);
}

function leaps(steps: readonly (readonly [number, number])[]): number[][] {
  return Array.from({ length: 64 }, (_, from) =>
    steps
      .map(([x, y]) => [(from & 7) + x, (from >> 3) + y])
      .filter(([file, rank]) => file >= 0 && file < 8 && rank >= 0 && rank < 8)
      .map(([file, rank]) => rank * 8 + file),
  );
}

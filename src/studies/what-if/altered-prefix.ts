import { fail, ok, type Result } from '../../base/result.ts';
import { PAWN } from '../../domains/chess/rules/pieces.ts';
import { Position } from '../../domains/chess/rules/position.ts';
import { boardDifferences, nameOf, type BoardEdit } from './edited-board.ts';
import { nearestPrefix, replayed, type Alteration } from './nearest-prefix.ts';
import { RouteSearch, sameBoard, slackOf } from '../../domains/chess/rules/route-search.ts';

/** Routes of more plies than this are looked for where hardly any ply is free, and at the prefix's end. */
const LONG = 4;
const LONGEST = 10;
/** Free plies of a long route. */
const FREE = 2;
/** Positions that one route may cost. */
const ONE_ROUTE = 40_000;
/** Plies taken out and put in that are tried, the fewest changes first. */
const SHAPES = shapes();

/**
 * A legal change of a prefix that reaches a board: some plies in a row are taken out, others put in, and the rest stays as
 * before. Tried by the number of plies that change, and among equals from the end of the prefix backwards, until the budget
 * of positions is spent. Where nothing reaches the board, the change that makes the edit and has the fewest other squares
 * wrong, if there is one with at most four. Fails with `nothing-taken` and `not-found`.
 */
export async function alteredPrefix(
  prefix: Uint16Array,
  edit: BoardEdit,
  wanted: Int8Array,
  options: { budget: number; pause: () => Promise<void> },
): Promise<Result<Alteration>> {
  const positions = positionsOf(prefix);
  const impossible = edit.kind === 'add' ? neverTaken(positions, edit.piece) : null;
  if (impossible !== null) return impossible;
  const search = new RouteSearch(options.budget);
  const roots = await rootsOf(prefix, edit, positions, wanted, options.pause);
  for (const { removed, inserted } of SHAPES)
    for (const { ply, board } of roots) {
      if (ply < removed) continue;
      const at = ply - removed;
      const slack = slackOf(positions[at], board, inserted);
      if (slack < 0 || (inserted > LONG && slack > FREE && !(ply === prefix.length && inserted <= 6))) continue;
      const route = search.find(positions[at], board, inserted, ONE_ROUTE);
      await options.pause();
      if (route !== null) {
        const change = { at, removed, inserted: route };
        const end = replayed(prefix, change, positions);
        if (end !== null && sameBoard(end.board, wanted)) return ok(change);
      }
      if (search.spent) break;
    }
  const near = await nearestPrefix(prefix, edit, wanted, positions, options.pause);
  if (near !== null) return ok(near);
  return fail(
    'not-found',
    `No legal prefix that makes this change was found among ${search.looked} positions; try another piece or square.`,
  );
}

function shapes(): { removed: number; inserted: number }[] {
  const found: { removed: number; inserted: number }[] = [];
  for (let removed = 0; removed <= LONGEST; removed++)
    for (let inserted = removed & 1; inserted <= LONGEST; inserted += 2)
      if (removed + inserted > 0) found.push({ removed, inserted });
  const cost = (shape: { removed: number; inserted: number }): number => Math.max(shape.removed, shape.inserted);
  return found.sort((a, b) => cost(a) - cost(b) || a.removed + a.inserted - b.removed - b.inserted);
}

/** The position before each ply, and the last. */
function positionsOf(prefix: Uint16Array): Position[] {
  const positions = [Position.initial()];
  for (const move of prefix) {
    const next = positions[positions.length - 1].clone();
    next.play(move);
    positions.push(next);
  }
  return positions;
}

/** Pieces are never made but by pawns: one that is to be added must be one that was taken, or a pawn's later self. */
function neverTaken(positions: readonly Position[], piece: number): ReturnType<typeof fail> | null {
  const last = positions[positions.length - 1];
  const count = (position: Position, code: number): number => position.board.filter((other) => other === code).length;
  const most = Math.max(...positions.map((position) => count(position, piece)));
  if (most > count(last, piece)) return null;
  const name = nameOf(piece);
  return fail(
    'nothing-taken',
    `No ${name} ${(piece & 7) === PAWN ? 'was taken or became another piece' : 'was taken'} in this prefix. ` +
      'A piece can be added only by not letting it be taken; choose one that was.',
  );
}

/**
 * After which plies the change can be made so that the rest of the prefix stays as before: the edited board there, from the
 * end backwards.
 */
async function rootsOf(
  prefix: Uint16Array,
  edit: BoardEdit,
  positions: readonly Position[],
  wanted: Int8Array,
  pause: () => Promise<void>,
): Promise<{ ply: number; board: Int8Array }[]> {
  const roots: { ply: number; board: Int8Array }[] = [];
  const changes = boardDifferences(positions[prefix.length].board, wanted);
  for (let ply = prefix.length; ply >= 0; ply--) {
    const before = positions[ply];
    // A piece that has not yet come to its last square would have to move on although it is gone.
    if (changes.some(({ square, was }) => before.board[square] !== was)) continue;
    const changed = before.clone();
    for (const { square, is } of changes) changed.board[square] = is;
    if (edit.kind === 'move') {
      changed.whiteKing = changed.board.indexOf(6);
      changed.blackKing = changed.board.indexOf(14);
    }
    const board = changed.board.slice();
    let legal = true;
    for (let at = ply; at < prefix.length && legal; at++) legal = changed.tryPlay(prefix[at]);
    if (legal && sameBoard(changed.board, wanted)) roots.push({ ply, board });
    await pause();
  }
  return roots;
}

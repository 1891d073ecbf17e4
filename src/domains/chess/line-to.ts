import { fail, ok, type Result } from '../../base/result.ts';
import { fenOf, parseFen } from './formats/fen.ts';
import { OPENINGS } from './openings.ts';
import { replay } from './replay.ts';
import { Position } from './rules/position.ts';
import { RouteSearch, slackOf } from './rules/route-search.ts';

/** Positions that the search for a game may cost: about a second. */
const BUDGET = 40_000;
const ONE_ROUTE = 8000;
/** Plies of the longest route that is looked for. */
const LONGEST = 24;

/** Whether a text is a position rather than moves: eight ranks between strokes. */
export function isFen(text: string): boolean {
  return /^\s*[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+){7}(\s|$)/.test(text);
}

/**
 * A legal game that ends in a position of FEN text: what a model that reads moves can be asked about. It begins as one of
 * the lab's openings or at the initial position and goes the shortest way that is found. Fails with `bad-fen` and, where
 * nothing is found within the budget, `no-line`.
 */
export function lineTo(fen: string): Result<Uint16Array> {
  const wanted = parseFen(fen);
  if (!wanted.ok) return wanted;
  const place = placeOf(wanted.value);
  const search = new RouteSearch(BUDGET);
  const starts = beginnings();
  const here = starts.find(({ position }) => placeOf(position) === place);
  if (here) return ok(Uint16Array.from(here.moves));
  for (let plies = 1; plies <= LONGEST && !search.spent; plies++)
    for (const { position, moves } of starts) {
      if (((position.turn + plies) & 1) !== wanted.value.turn) continue;
      if (slackOf(position, wanted.value.board, plies) < 0) continue;
      const route = search.find(position, wanted.value.board, plies, ONE_ROUTE);
      if (route === null) continue;
      const end = position.clone();
      for (const move of route) end.play(move);
      if (placeOf(end) === place) return ok(Uint16Array.from([...moves, ...route]));
    }
  return fail(
    'no-line',
    'Models read moves, and no short game was found that leads to this position; paste the moves that led to it instead.',
  );
}

/** Pieces, side to move, castling rights and en passant, without the clocks. */
function placeOf(position: Position): string {
  return fenOf(position).split(' ').slice(0, 4).join(' ');
}

/** The initial position, and every position of the openings. */
function beginnings(): { position: Position; moves: number[] }[] {
  const found = [{ position: Position.initial(), moves: [] as number[] }];
  for (const line of OPENINGS) {
    const moves = replay(line);
    if (!moves.ok) throw new Error(`an opening cannot be read: ${moves.error.message}`);
    const position = Position.initial();
    for (const [ply, move] of moves.value.entries()) {
      position.play(move);
      found.push({ position: position.clone(), moves: [...moves.value.slice(0, ply + 1)] });
    }
  }
  return found;
}

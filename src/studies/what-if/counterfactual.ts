import { seededRandom } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { castlingText } from '../../domains/chess/formats/fen.ts';
import { outcomeOf } from '../../domains/chess/rules/outcome.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { illegalMove, positionAfter, uciLine } from '../../domains/chess/replay.ts';
import { alteredPrefix } from './altered-prefix.ts';
import { endedEarly, pauseOf, type Pace } from '../asking/cancellation.ts';
import {
  boardDifferences,
  differenceText,
  editedBoard,
  type BoardEdit,
  type SquareDifference,
} from './edited-board.ts';
import type { Alteration } from './nearest-prefix.ts';
import { tokenPrefix } from './token-prefix.ts';

/** A change of a prefix: of its last board, or of its last plies ("instead"; drawn by the seed where no line is given). */
export type Edit = BoardEdit | { kind: 'instead'; plies: number; line?: readonly number[] };

/** A prefix with one thing changed, as its moves. */
export interface Counterfactual {
  moves: Uint16Array;
  /** The same in UCI. */
  uci: string;
  /** [64] piece codes after the altered prefix. */
  board: Uint8Array;
  /** Where this board differs from the prefix's own. */
  differences: SquareDifference[];
  /** Where it differs from the board that was asked for; empty where the change was made exactly. */
  misses: SquareDifference[];
  /** The plies of the prefix that were taken out, from `at` (0-based) on, and how many stand in their place. */
  at: number;
  removed: number;
  inserted: number;
  /** False only where the rules were put aside. */
  legal: boolean;
  /** What was changed and what else changed with it, in sentences. */
  description: string;
}

export interface CounterfactualOptions extends Pace {
  /** 'rules': every move stays legal. 'tokens': pieces may jump; the tokens say so, the rules do not. */
  legality?: 'rules' | 'tokens';
  /** For "instead" without a line. */
  seed?: number;
  /** Positions that the search may look at; about a million a second. */
  budget?: number;
}

/** For the page: what a counterfactual is. */
export const counterfactualDescription =
  'Moves decide the board, so a board can be changed only by other moves. The lab looks for a legal prefix that ' +
  'ends on the same board but for your change, and differs from yours in as few plies as it can find. Sometimes there is ' +
  'none within reach; then it shows the nearest one and says what else differs.';

const BUDGET = 400_000;

/**
 * The prefix (legal moves from the initial position) with a change. The side to move stays the same except where a
 * given line decides otherwise. Fails with the codes of `editedBoard`, and
 * `nothing-taken` (a piece can be added only by not letting it be taken), `not-found`, `too-short`, `illegal-move`,
 * `no-other-way` and `cancelled`.
 */
export function counterfactual(
  moves: ArrayLike<number>,
  edit: Edit,
  options: CounterfactualOptions = {},
): Promise<Result<Counterfactual>> {
  const prefix = Uint16Array.from(moves);
  const pause = pauseOf(options);
  return endedEarly(async () => {
    if (edit.kind === 'instead') return anotherEnding(prefix, edit, options.seed ?? 0);
    const rules = options.legality !== 'tokens';
    const wanted = editedBoard(positionAfter(prefix), edit, rules);
    if (!wanted.ok) return wanted;
    const altered = rules
      ? await alteredPrefix(prefix, edit, wanted.value, { budget: options.budget ?? BUDGET, pause })
      : tokenPrefix(prefix, edit);
    return altered.ok ? ok(counterfactualOf(prefix, altered.value, wanted.value, rules)) : altered;
  });
}

function counterfactualOf(
  prefix: Uint16Array,
  change: Alteration,
  wanted: Int8Array | null,
  legal: boolean,
): Counterfactual {
  const { at, removed, inserted } = change;
  const moves = Uint16Array.from([...prefix.slice(0, at), ...inserted, ...prefix.slice(at + removed)]);
  const before = positionAfter(prefix);
  const after = positionAfter(moves);
  const differences = boardDifferences(before.board, after.board);
  const misses = wanted === null ? [] : boardDifferences(wanted, after.board);
  const sentences = [planText(change, prefix.length)];
  if (misses.length > 0)
    sentences.push(`No prefix within reach makes just this change; beside it, ${differenceText(misses)}.`);
  else if (wanted !== null) sentences.push('The board is the one you asked for.');
  else sentences.push(differences.length === 0 ? 'The board is the same.' : `Now ${differenceText(differences)}.`);
  if (before.castling !== after.castling)
    sentences.push(
      `The right to castle is ${castlingText(after.castling)} instead of ${castlingText(before.castling)}.`,
    );
  if (before.turn !== after.turn) sentences.push('The other side is to move.');
  if (!legal) sentences.push('The new plies break the rules: the tokens say so, the rules do not.');
  return {
    moves,
    uci: uciLine(moves),
    board: Uint8Array.from(after.board),
    differences,
    misses,
    at,
    removed,
    inserted: inserted.length,
    legal,
    description: sentences.join(' '),
  };
}

function planText({ at, removed, inserted }: Alteration, length: number): string {
  const line = uciLine(inserted);
  const where = `ply ${at + 1}`;
  const plies = (n: number): string => (n === 1 ? '1 ply' : `${n} plies`);
  if (removed === 0)
    return `${at === length ? 'At the end' : `Before ${where}`}, ${plies(inserted.length)} come in: ${line}.`;
  if (inserted.length === 0) return `From ${where} on, ${plies(removed)} are left out.`;
  return `From ${where} on, ${line} stands in place of ${plies(removed)}.`;
}

/** The prefix with its last plies replaced by a given line, or by legal moves drawn at random that lead elsewhere. */
function anotherEnding(
  prefix: Uint16Array,
  { plies, line }: { plies: number; line?: readonly number[] },
  seed: number,
): Result<Counterfactual> {
  if (!(plies >= 1 && plies <= prefix.length))
    return fail('too-short', `The prefix has ${prefix.length} plies; replace between 1 and ${prefix.length} of them.`);
  const at = prefix.length - plies;
  const change = (inserted: readonly number[]): Result<Counterfactual> =>
    ok(counterfactualOf(prefix, { at, removed: plies, inserted: [...inserted] }, null, true));
  if (line !== undefined) {
    const position = positionAfter(prefix.subarray(0, at));
    for (const [i, move] of line.entries()) if (!position.tryPlay(move)) return illegalMove(position, move, at + i + 1);
    return change(line);
  }
  const own = positionAfter(prefix);
  const random = seededRandom('instead', seed);
  for (let attempt = 0; attempt < 100; attempt++) {
    const position = positionAfter(prefix.subarray(0, at));
    const sampledMoves = randomLine(position, plies, random.below, attempt === 0 ? prefix[at] : -1);
    if (sampledMoves !== null && position.key() !== own.key()) return change(sampledMoves);
  }
  return fail('no-other-way', `No other legal moves were found from ply ${at + 1} on; replace more plies.`);
}

/** Plays legal moves at random, never into the end of the game; null where it ends all the same. */
function randomLine(position: Position, plies: number, below: (n: number) => number, not: number): number[] | null {
  const line: number[] = [];
  while (line.length < plies) {
    const legal = position.legalMoves().filter((move) => line.length > 0 || move !== not);
    if (legal.length === 0) return null;
    const move = legal.sort((a, b) => a - b)[below(legal.length)];
    position.play(move);
    line.push(move);
    if (outcomeOf(position) !== null) return null;
  }
  return line;
}

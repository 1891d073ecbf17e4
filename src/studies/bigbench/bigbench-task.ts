import * as v from 'valibot';
import { problemOf } from '../../config/issue-text.ts';
import { Budget } from '../../base/budget.ts';
import { jsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { fromSquare, toSquare } from '../../domains/chess/rules/move.ts';
import { parseSquare, SQUARES } from '../../domains/chess/rules/squares.ts';
import { positionAfter, replay } from '../../domains/chess/replay.ts';
import { KIND_LETTERS, SIDE_NAMES } from '../../domains/chess/rules/pieces.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { isCastling } from '../../domains/chess/notation/valid-tokens.ts';

/** One example: a game in progress whose last move lacks its end square. */
export interface BigbenchExample {
  /** As the file has it: "e2e4 g7g6 d1". */
  input: string;
  moves: Uint16Array;
  from: string;
  /** Letter of the piece on `from`. */
  piece: 'P' | 'N' | 'B' | 'R' | 'Q' | 'K';
  /** The file's right answers, each once. */
  targets: string[];
  /** Legal end squares by this project's rules, castling apart as in the task, sorted. */
  legal: string[];
}

/** A chess_state_tracking task of BIG-bench (Srivastava et al. 2022; the authors of the chess testbed made it). */
export interface BigbenchTask {
  /** The file's own name for itself, else the name it was given under. */
  name: string;
  description: string;
  examples: BigbenchExample[];
}

/** Longest task file that is read, in characters; the published ones have less than a million. */
export const LONGEST_TASK = 50_000_000;

const square = v.pipe(v.string(), v.regex(/^[a-h][1-8]$/, 'is no square from a1 to h8'));
const TaskSchema = v.looseObject({
  name: v.optional(v.string()),
  description: v.optional(v.string(), ''),
  examples: v.pipe(
    v.array(v.looseObject({ input: v.string(), target: v.union([square, v.pipe(v.array(square), v.minLength(1))]) })),
    v.minLength(1, 'is an empty list'),
  ),
});

/**
 * A task from its file's text; every game is replayed by the rules. Fails with `bad-task` on the first thing that is
 * wrong, naming the file and the example (1-based).
 */
export function parseBigbench(text: string, file: string): Result<BigbenchTask> {
  const wrong = (message: string) => fail('bad-task', `${file}: ${message}`, { file });
  if (text.length > LONGEST_TASK)
    return wrong(`the file is longer than ${LONGEST_TASK} characters, so it is no task of BIG-bench.`);
  if (text.trim() === '') return wrong('the file is empty; give a chess_state_tracking task of BIG-bench.');
  const read = jsonValue(text, new Budget(file));
  if (!read.ok) return wrong(`${read.error.message}; fetch it again, whole.`);
  const parsed = v.safeParse(TaskSchema, read.value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return wrong(
      `${placeOf(v.getDotPath(issue))} ${problemOf(issue)}; a chess_state_tracking task has "examples", each an object with an "input" such as "e2e4 g7g6 d1" and a "target" that lists end squares.`,
    );
  }
  const examples: BigbenchExample[] = [];
  for (const [i, { input, target }] of parsed.output.examples.entries()) {
    const example = readExample(input, target);
    if (!example.ok) return wrong(`example ${i + 1}, input: ${example.error.message}`);
    examples.push(example.value);
  }
  return ok({ name: parsed.output.name ?? file, description: parsed.output.description, examples });
}

function readExample(input: string, target: string | string[]): Result<BigbenchExample> {
  const words = input.trim().split(/\s+/);
  const from = words[words.length - 1];
  const square = parseSquare(from);
  if (!square.ok) return fail('bad-task', `it must end with the start square of a move. ${square.error.message}`);
  const moves = replay(words.slice(0, -1).join(' '));
  if (!moves.ok) return moves;
  const position = positionAfter(moves.value);
  const code = position.pieceAt(square.value);
  if (code === 0 || code >> 3 !== position.turn)
    return fail('bad-task', `no piece of ${SIDE_NAMES[position.turn]}, whose move it is, stands on ${from}.`);
  return ok({
    input,
    moves: moves.value,
    from,
    piece: KIND_LETTERS[code & 7] as BigbenchExample['piece'],
    targets: [...new Set(typeof target === 'string' ? [target] : target)],
    legal: legalEnds(position, square.value),
  });
}

function legalEnds(position: Position, from: number): string[] {
  const ends = position
    .legalMoves()
    .filter((move) => fromSquare(move) === from && !isCastling(position, move))
    .map(toSquare);
  // A promotion is four moves to one square.
  return [...new Set(ends)].map((to) => SQUARES[to]).sort();
}

/** "examples.3.target" in words. */
function placeOf(path: string | null): string {
  if (path === null) return 'the file:';
  const example = /^examples\.(\d+)\.?(.*)$/.exec(path);
  return example ? `example ${Number(example[1]) + 1}${example[2] && `, ${example[2]}`}:` : `${path}:`;
}

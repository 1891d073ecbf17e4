import * as v from 'valibot';
import { issueText } from '../../config/issue-text.ts';
import { PythonRandom } from '../../base/python-random.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { textLines, type ByteStream } from '../../base/streams.ts';
import { fromSquare, toSquare } from '../../domains/chess/rules/move.ts';
import { KIND_LETTERS, PAWN } from '../../domains/chess/rules/pieces.ts';
import { Position } from '../../domains/chess/rules/position.ts';
import { positionAfter, replay, uciLine } from '../../domains/chess/replay.ts';
import { SQUARES } from '../../domains/chess/rules/squares.ts';
import { uciOf } from '../../domains/chess/formats/uci.ts';
import { isCastling } from '../../domains/chess/notation/valid-tokens.ts';
import { PrefixFilter } from './prefix-filter.ts';

const square = v.pipe(v.string(), v.regex(/^[a-h][1-8]$/, 'is a square'));
const squares = v.pipe(v.array(square), v.minLength(1));
const piece = v.picklist(['P', 'N', 'B', 'R', 'Q', 'K']);

/**
 * One probing instance with the authors' field names: those of end_*.jsonl, then those of start_*.jsonl.
 * The two Start fields that would share a name with End ones are told apart by `start_`.
 */
export const InstanceSchema = v.looseObject({
  /** UCI moves before the question. */
  prefix: v.string(),
  /** The same with a piece letter before every move but castling. */
  oracle_prefix: v.string(),
  /** The piece that was really moved next, from where, to where. */
  piece_type: piece,
  starting_square: square,
  ending_square: square,
  /** All it may do. */
  legal_ending_square: squares,
  /** Another piece that may move, and all it may do. */
  other_piece_type: piece,
  other_starting_square: square,
  other_ending_square: squares,
  /** All squares from which a piece of `piece_type` may move. */
  legal_starting_square: squares,
  /** Another kind that may move, and from where. */
  start_other_piece_type: piece,
  start_other_starting_square: squares,
});

type Parsed = v.InferOutput<typeof InstanceSchema>;
/** The fields that are known. A file may have more, which the schema lets through and nobody reads. */
export type Instance = { [K in keyof Parsed as string extends K ? never : K]: Parsed[K] };
type Games = AsyncIterable<Uint16Array> | Iterable<Uint16Array>;

/**
 * Probing instances by the procedure of the authors' generate_cloze_eval_tasks.py (paper, appendix C), as
 * many as the games give, at most `n`. Steps, for each game in order:
 *
 * 1. get_eval_prefixes: a game of no more than min plies is passed over and draws nothing. Otherwise the
 *    prefix length is randint(min, min(plies - 1, max)) from one generator seeded once.
 * 2. A prefix that opens any game of `avoid` (load_train_prefixes), or that is in use already, is dropped.
 * 3. The game's next move must be made by a piece, neither a pawn nor castling.
 * 4. At least two squares and two kinds of piece, pawns apart, must have legal moves other than castling.
 * 5. get_eval_data: a generator seeded afresh picks, for each instance, the other start square and then the
 *    other kind, each from the sorted list without the real one.
 *
 * Lists of legal squares are sorted (python-chess's order of generation and a set's order mean nothing).
 * `avoid` is read once as a stream: the draws fix the prefixes beforehand, so only those are held.
 */
export async function makeInstances(
  games: Games,
  options: { range: readonly [min: number, max: number]; n: number; seed: number; avoid?: Games },
): Promise<Instance[]> {
  const [min, max] = options.range;
  if (min > max) throw new RangeError(`the range ${min} to ${max} is empty`);
  const random = new PythonRandom(options.seed);
  const drawn = new PrefixFilter();
  if (options.n > 0)
    for await (const game of games) {
      if (game.length <= min) continue;
      const size = random.randint(min, Math.min(game.length - 1, max));
      if (!isQuestion(positionAfter(game.subarray(0, size)), game[size])) continue;
      drawn.add(game, size);
      if (!options.avoid && drawn.length === options.n) break;
    }
  if (options.avoid) for await (const game of options.avoid) drawn.avoid(game);
  const others = new PythonRandom(options.seed);
  return drawn
    .kept()
    .slice(0, options.n)
    .map((game) => instanceOf(game.subarray(0, -1), game[game.length - 1], others));
}

/** Steps 3 and 4. */
function isQuestion(position: Position, next: number): boolean {
  if (!isPieceMove(position, next)) return false;
  const { endings, starts } = legalLists(position);
  return endings.size > 1 && starts.size > 1;
}

/** A move of neither a pawn nor castling. */
function isPieceMove(position: Position, move: number): boolean {
  return (position.pieceAt(fromSquare(move)) & 7) !== PAWN && !isCastling(position, move);
}

/** Legal end squares by start square, and start squares by piece letter; pawns and castling apart, all sorted. */
function legalLists(position: Position): { endings: Map<string, string[]>; starts: Map<string, string[]> } {
  const endings = new Map<string, string[]>();
  const starts = new Map<string, string[]>();
  for (const move of position.legalMoves()) {
    if (!isPieceMove(position, move)) continue;
    const from = SQUARES[fromSquare(move)];
    const to = SQUARES[toSquare(move)];
    const letter = KIND_LETTERS[position.pieceAt(fromSquare(move)) & 7];
    const ends = endings.get(from);
    if (ends) ends.push(to);
    else {
      endings.set(from, [to]);
      starts.set(letter, [...(starts.get(letter) ?? []), from]);
    }
  }
  for (const list of [...endings.values(), ...starts.values()]) list.sort();
  return { endings, starts };
}

/** Step 5. */
function instanceOf(prefix: Uint16Array, next: number, random: PythonRandom): Instance {
  const position = positionAfter(prefix);
  const { endings, starts } = legalLists(position);
  const from = SQUARES[fromSquare(next)];
  const letter = KIND_LETTERS[position.pieceAt(fromSquare(next)) & 7];
  const otherFrom = random.choice([...endings.keys()].filter((start) => start !== from).sort());
  const otherLetter = random.choice([...starts.keys()].filter((kind) => kind !== letter).sort());
  return {
    prefix: uciLine(prefix),
    oracle_prefix: oracleLine(prefix),
    piece_type: letter as Instance['piece_type'],
    starting_square: from,
    ending_square: SQUARES[toSquare(next)],
    legal_ending_square: endings.get(from)!,
    other_piece_type: KIND_LETTERS[position.pieceAt(SQUARES.indexOf(otherFrom)) & 7] as Instance['piece_type'],
    other_starting_square: otherFrom,
    other_ending_square: endings.get(otherFrom)!,
    legal_starting_square: starts.get(letter)!,
    start_other_piece_type: otherLetter as Instance['piece_type'],
    start_other_starting_square: starts.get(otherLetter)!,
  };
}

/** "Pe2e4 Pe7e5 Ng1f3 ... e1g1". */
function oracleLine(prefix: Uint16Array): string {
  const position = Position.initial();
  const words: string[] = [];
  for (const move of prefix) {
    const kind = position.pieceAt(fromSquare(move)) & 7;
    const named = kind === PAWN || isPieceMove(position, move);
    words.push((named ? KIND_LETTERS[kind] : '') + uciOf(move));
    position.play(move);
  }
  return words.join(' ');
}

/** Instances of a file that make-probes wrote; the first line that is not one is a failure with its number. */
export async function parseInstances(stream: ByteStream, name: string): Promise<Result<Instance[]>> {
  const instances: Instance[] = [];
  for await (const { text, line } of textLines(stream, name)) {
    if (text.trim() === '') continue;
    const wrong = (expected: string) =>
      fail('bad-instance', `${name}, line ${line}: ${expected}`, { file: name, line });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return wrong('not JSON; probes are one JSON object a line, as make-probes writes them.');
    }
    const parsed = v.safeParse(InstanceSchema, value);
    if (!parsed.success) {
      return wrong(`${issueText(parsed.issues, 'the line')}. Make the file again with make-probes.`);
    }
    const moves = replay(parsed.output.prefix);
    if (!moves.ok) return wrong(`prefix: ${moves.error.message}`);
    instances.push(parsed.output);
  }
  return ok(instances);
}

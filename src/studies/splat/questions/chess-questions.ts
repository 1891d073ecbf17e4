import { fail, ok, type Result } from '../../../base/result.ts';
import { chess } from '../../../domains/chess/chess.ts';
import { toSquare } from '../../../domains/chess/rules/move.ts';
import { PIECE_LETTERS, SQUARE_VALUES } from '../../../domains/chess/rules/pieces.ts';
import { Position } from '../../../domains/chess/rules/position.ts';
import { illegalMove, positionAfter } from '../../../domains/chess/replay.ts';
import { splatNotation } from '../../../domains/chess/notation/splat-notation.ts';
import { squareOfCodes, SQUARES } from '../../../domains/chess/rules/squares.ts';
import { parseUciMove, uciOf } from '../../../domains/chess/formats/uci.ts';
import { paperForms } from './paper-forms.ts';
import { GOAL_VERBS, type SplatGame } from './question.ts';

const WINNERS = { first: 'A3', second: 'A4', level: 'A5' };

/** Plies before [sep] in the released lines: uniform from 15 to 50, for goals from 15 to 74. */
const SHORTEST = 15;
const LONGEST = 50;
const LONGEST_GOAL = 74;

/**
 * Chess questions as the released lines have them: Q3 square piece; Q5 with A3 White ahead, A4 Black ahead, A5 level by
 * the usual piece values; Q8 square piece and exactly five plies, the square being where the fifth goes and the piece
 * the one that then stands there.
 */
export const chessQuestions: SplatGame<Position> = {
  domain: chess,
  notation: splatNotation,
  forms: paperForms(
    chess,
    { names: SQUARES, values: SQUARE_VALUES, valuesOf: () => SQUARE_VALUES, of: pieceOn },
    ['Q3', 'Q5', 'Q8'],
    WINNERS,
  ),
  goalModes: ['corrected'],
  begins: (token) => parseUciMove(token).ok,
  read: (tokens, firstToken) => readMoves(tokens, firstToken, Position.initial(), 1),
  readPath: (tokens, firstToken, prefix) => readMoves(tokens, firstToken, positionAfter(prefix), prefix.length + 1),
  stateAfter: (...traces) => positionAfter(traces.flatMap((trace) => [...trace])),
  isLegalPath: (position, path) => {
    const trial = position.clone();
    return path.every((move) => trial.tryPlay(move));
  },
  nextTokens: (position) => {
    const { vocabulary } = splatNotation;
    const legal = position.legalMoves().map((move) => vocabulary.id(uciOf(move))!);
    return legal.length === 0 ? [vocabulary.end] : legal;
  },
  drawLength: (form, plies, random) => {
    const [longest, after] = form.kind === 'goal' ? [LONGEST_GOAL, GOAL_VERBS] : [LONGEST, 0];
    const length = SHORTEST + random.below(longest - SHORTEST + 1);
    // Too short a game gives no question; the authors' files lack just such a share of their games.
    return length + after <= plies ? length : null;
  },
  drawGoal: (trace, length) => {
    const path = trace.slice(length, length + GOAL_VERBS);
    const square = SQUARES[toSquare(path[GOAL_VERBS - 1])];
    const position = positionAfter(trace.subarray(0, length + GOAL_VERBS));
    return { args: [square, pieceOn(position, square)], path };
  },
};

function pieceOn(position: Position, square: string): string {
  return PIECE_LETTERS[position.pieceAt(squareOfCodes(square.charCodeAt(0), square.charCodeAt(1)))];
}

/** Moves in tokens, each checked against the rules; `position` is played on. */
function readMoves(
  tokens: readonly string[],
  firstToken: number,
  position: Position,
  firstPly: number,
): Result<Uint16Array> {
  const moves = new Uint16Array(tokens.length);
  for (const [i, token] of tokens.entries()) {
    const ply = firstPly + i;
    const move = parseUciMove(token);
    if (!move.ok) return fail(move.error.code, `Token ${firstToken + i}: ${move.error.message}`, { ply });
    if (!position.tryPlay(move.value)) {
      const { error } = illegalMove(position, move.value, ply);
      return fail(error.code, `Token ${firstToken + i}: ${error.message}`, { ply });
    }
    moves[i] = move.value;
  }
  return ok(moves);
}

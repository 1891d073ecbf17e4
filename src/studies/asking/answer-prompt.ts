import { explainIllegal, type Explanation } from '../../domains/chess/rules/explain.ts';
import { fromSquare } from '../../domains/chess/rules/move.ts';
import {
  KIND_LETTERS,
  KIND_NAMES,
  kindOf,
  PIECE_NAMES,
  PIECES,
  sideOf,
  type PieceLetter,
} from '../../domains/chess/rules/pieces.ts';
import type { Prompt } from '../../domains/chess/prompt.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { parseSquare, squareName } from '../../domains/chess/rules/squares.ts';
import { legalAnswers } from './legal-answers.ts';
import { isCastling } from '../../domains/chess/notation/valid-tokens.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { classifyEnd } from '../testbed/error-taxonomy.ts';
import { mute, probabilities, topTokens } from './metrics.ts';
import { endPrompt, knowsPieceNames, namesEveryPiece, squareTokens } from './prompting.ts';
import type { Candidate, PromptAnswer } from './prompt-answer.ts';

/** Candidates that are judged unless more are asked for. */
const JUDGED = 10;

/**
 * What the model says at the end of a prompt. One pass over the prefix answers the question itself and
 * all six Start questions (leafLogits), so that the heatmaps of every piece cost little more than one.
 *
 * Legality here is the game's own: castling and promotion squares count, because a person looks at a
 * board. The probe tasks (tasks.ts) keep the authors' narrower lists.
 *
 * A model of UCI+AP names the piece before it moves: an End question is asked with the name before the square, and what
 * it says next is a name, or the king's square before castling. Its start squares are then those after each name,
 * weighted by the name's chance. A king that is named never castles, so castling answers no question with a name.
 */
export async function answerPrompt(
  engine: Engine,
  notation: Notation,
  prompt: Prompt,
  step: number,
  clock: () => number,
  judged = JUDGED,
): Promise<PromptAnswer> {
  const started = clock();
  const vocabulary = notation.vocabulary;
  const tokenOf = (text: string): number => vocabulary.id(text)!;
  const prefix = notation.encode(prompt.moves, { random: null, closed: false });
  const query = prompt.query;
  const names = namesEveryPiece(notation);
  const prefixes = [prefix];
  const leaves = [PIECES.map(tokenOf)];
  if (query.kind === 'end') {
    const asked = endPrompt(
      notation,
      KIND_LETTERS[kindOf(prompt.position.pieceAt(query.from))],
      squareName(query.from),
    );
    if (asked.length === 1) leaves[0].push(asked[0]);
    else {
      prefixes.push([...prefix, asked[0]]);
      leaves.push([asked[1]]);
    }
  }
  const answers = await engine.leafLogits(prefixes, leaves);
  const [answer] = answers;

  const muted = notation.mutedInEvaluation;
  const logits =
    query.kind === 'next'
      ? answer.root
      : query.kind === 'end'
        ? answers.at(-1)!.leaves.at(-1)!
        : answer.leaves[PIECES.indexOf(query.piece)];
  const masked = mute(logits, muted);
  const distribution = probabilities(masked);
  const legal = legalAnswers(prompt, names);
  const tokens = squareTokens(notation);
  const onSquares = (given: Float32Array): Float32Array => Float32Array.from(tokens, (token) => given[token]);
  const squares = onSquares(distribution);
  const pieces = Object.fromEntries(
    PIECES.map((piece, i) => [piece, onSquares(probabilities(mute(answer.leaves[i], muted)))]),
  ) as PromptAnswer['pieces'];

  if (names && query.kind === 'next')
    for (const piece of PIECES)
      for (let square = 0; square < 64; square++)
        squares[square] += distribution[tokenOf(piece)] * pieces[piece][square];

  return {
    canonical: prompt.canonical,
    step,
    candidates: topTokens(masked, judged).map((token) =>
      judge(prompt, vocabulary.tokens[token], distribution[token], legal, names),
    ),
    squares,
    legal: [...legal],
    legalMass: [...legal].reduce((sum, square) => sum + squares[square], 0),
    pieces,
    knowsPieceNames: knowsPieceNames(notation),
    milliseconds: clock() - started,
  };
}

/** @param names whether a move begins with the name of its piece */
function judge(prompt: Prompt, token: string, probability: number, legal: Set<number>, names: boolean): Candidate {
  const { position, query } = prompt;
  const parsed = parseSquare(token);
  const square = parsed.ok ? parsed.value : null;
  const candidate = { token, square, probability, legal: square !== null && legal.has(square) };
  const right: Candidate = { ...candidate, error: null, why: null, brief: null, blockers: [], checkLines: [] };
  if (names && query.kind === 'next' && token !== '</s>') {
    const why = whyIllegalBeginning(position, token);
    return { ...right, legal: why === null, why };
  }
  if (candidate.legal) return right;
  if (square === null)
    return token === '</s>'
      ? { ...right, why: 'would end the game, which is not over' }
      : { ...right, why: `${token} is not a square` };
  if (query.kind !== 'end')
    return { ...right, why: whyIllegalStart(position, square, query.kind === 'start' ? query.piece : null) };
  const why = explainIllegal(position, query.from, square);
  return {
    ...candidate,
    error: classifyEnd(position, query.from, token).error,
    // A legal move that is no legal answer is castling after the king's name.
    why: why.reason === 'legal' ? 'castling carries no piece name, and here the king is named' : why.why,
    brief: briefly(position, query.from, why),
    blockers: why.blockers,
    checkLines: why.checkLines,
  };
}

/** Why no move that names its piece begins with this token; null where one does. */
function whyIllegalBeginning(position: Position, token: string): string | null {
  const moves = position.legalMoves();
  const kindThatMoves = (move: number): number => kindOf(position.pieceAt(fromSquare(move)));
  const kind = PIECES.indexOf(token as PieceLetter) + 1;
  if (kind > 0)
    return moves.some((move) => kindThatMoves(move) === kind && !isCastling(position, move))
      ? null
      : `no ${KIND_NAMES[kind]} has a legal move`;
  const parsed = parseSquare(token);
  if (!parsed.ok) return `${token} begins no move`;
  return moves.some((move) => fromSquare(move) === parsed.value && isCastling(position, move))
    ? null
    : 'a square comes first only in castling, and it is not possible from here';
}

function briefly(position: Position, from: number, { reason, why, blockers, checkLines }: Explanation): string {
  const pieceOn = (square: number): string =>
    `${KIND_NAMES[kindOf(position.pieceAt(square))]} on ${squareName(square)}`;
  switch (reason) {
    case 'own-piece':
      return `own ${pieceOn(blockers[0])}`;
    case 'blocked':
      return blockers.map(pieceOn).join(', ');
    case 'unreachable':
      return 'for any piece';
    case 'syntax':
      return `not a ${KIND_NAMES[kindOf(position.pieceAt(from))]} move`;
    case 'legal':
      return 'castling carries no name';
    case 'leaves-check':
      return `check from ${checkLines.map((line) => pieceOn(line.from)).join(', ')}`;
    default:
      return why;
  }
}

/** Why a square is no place for the side to move's piece to start from. */
function whyIllegalStart(position: Position, square: number, wanted: PieceLetter | null): string {
  const name = squareName(square);
  const code = position.pieceAt(square);
  if (code === 0) return `${name} is empty`;
  const kind = PIECES[kindOf(code) - 1];
  if (sideOf(code) !== position.turn)
    return `the ${PIECE_NAMES[kind]} on ${name} is ${position.turn === 0 ? "Black's" : "White's"}`;
  if (wanted !== null && kind !== wanted)
    return `a ${PIECE_NAMES[kind]}, not a ${PIECE_NAMES[wanted]}, stands on ${name}`;
  return `the ${PIECE_NAMES[kind]} on ${name} has no legal move`;
}

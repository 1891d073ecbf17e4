import type { Failure } from '../../../base/result.ts';
import { fromSquare, toSquare } from '../../../domains/chess/rules/move.ts';
import { legalAnswers } from '../../../studies/asking/legal-answers.ts';
import { explainIllegal } from '../../../domains/chess/rules/explain.ts';
import {
  KIND_LETTERS,
  KIND_NAMES,
  PIECE_NAMES,
  SIDE_NAMES,
  kindOf,
  sideOf,
} from '../../../domains/chess/rules/pieces.ts';
import type { Position } from '../../../domains/chess/rules/position.ts';
import { parsePrompt, type Prompt } from '../../../domains/chess/prompt.ts';
import { SQUARES, squareName } from '../../../domains/chess/rules/squares.ts';
import { uciOf } from '../../../domains/chess/formats/uci.ts';

/** The page's own reading of a prompt: the board answers at once, whatever the model is doing. */
export interface Reading {
  /** What could be understood: all of it, or the longest beginning. */
  prompt: Prompt;
  failure: Failure | null;
  /** Where in the text the part that was not understood begins; the text's length where all was. */
  readable: number;
  /** Where the question at the end begins ("f1", "N"); the text's length where there is none. */
  queryAt: number;
}

/** Reads a prompt; of one that is wrong, as many whole words as make sense. */
export function read(text: string): Reading {
  const whole = parsePrompt(text);
  if (whole.ok)
    return { prompt: whole.value, failure: null, readable: text.length, queryAt: queryStart(text, whole.value) };
  // Halving finds the longest good beginning, since a beginning of a good prompt is itself good.
  const ends = [...text.matchAll(/\S+/g)].map((word) => word.index + word[0].length);
  let good = 0;
  let bad = ends.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (parsePrompt(text.slice(0, ends[middle - 1])).ok) good = middle;
    else bad = middle;
  }
  const readable = good === 0 ? 0 : ends[good - 1];
  const part = parsePrompt(text.slice(0, readable));
  const prompt = part.ok ? part.value : emptyPrompt();
  return { prompt, failure: whole.error, readable, queryAt: text.length };
}

function emptyPrompt(): Prompt {
  const empty = parsePrompt('');
  if (!empty.ok) throw new Error(`the empty prompt must be readable: ${empty.error.message}`);
  return empty.value;
}

function queryStart(text: string, { query }: Prompt): number {
  if (query.kind === 'next') return text.length;
  const end = text.replace(/[\s?]+$/, '').length;
  return Math.max(0, end - (query.kind === 'end' ? 2 : 1));
}

/** The moves of a prompt as UCI words, without its question. */
export function movesText(prompt: Prompt): string {
  return Array.from(prompt.moves, uciOf).join(' ');
}

/** The question a prompt asks, in plain words. */
export function question({ position, query }: Prompt): string {
  const side = SIDE_NAMES[position.turn];
  if (position.legalMoves().length === 0)
    return position.inCheck()
      ? `${side} is checkmated; the game is over.`
      : `${side} has no legal move; the game is drawn.`;
  if (query.kind === 'next') return `${side} to move. What comes next?`;
  if (query.kind === 'start') return `Which square does ${side}'s ${PIECE_NAMES[query.piece]} leave?`;
  const code = position.pieceAt(query.from);
  const name = squareName(query.from);
  return code === 0
    ? `${name} is empty. Where would its piece go?`
    : `Where does the ${KIND_NAMES[kindOf(code)]} on ${name} go?`;
}

/** Squares that answer the prompt's question legally; none for a prompt that asks nothing in particular. */
export function legalSquares(prompt: Prompt): number[] {
  return prompt.query.kind === 'next' ? [] : [...legalAnswers(prompt, false)];
}

/** The legal moves between two squares, or why there is none: several where a pawn is promoted, the queen first. */
export function movesBetween(position: Position, from: number, to: number): { moves: number[] } | { why: string } {
  const moves = position.legalMoves().filter((move) => fromSquare(move) === from && toSquare(move) === to);
  if (moves.length > 0) return { moves: moves.sort((a, b) => b - a) };
  const code = position.pieceAt(from);
  if (code !== 0 && sideOf(code) !== position.turn) return { why: `It is ${SIDE_NAMES[position.turn]}'s move.` };
  return { why: explainIllegal(position, from, to).why };
}

/** What chessboard-element draws: { e2: 'wP', ... }. */
export type Placement = Record<string, string>;

export function placementOf(position: Position): Placement {
  const placement: Placement = {};
  for (let square = 0; square < 64; square++) {
    const code = position.pieceAt(square);
    if (code !== 0) placement[SQUARES[square]] = (sideOf(code) === 0 ? 'w' : 'b') + KIND_LETTERS[kindOf(code)];
  }
  return placement;
}

/** The position in words for those who do not see the board: "White: king e1, ...; Black: ...". */
export function boardText(position: Position): string {
  const sides = [[], []] as [string[], string[]];
  for (let kind = 6; kind >= 1; kind--)
    for (let square = 0; square < 64; square++) {
      const code = position.pieceAt(square);
      if (kindOf(code) === kind && code !== 0) sides[sideOf(code)].push(`${KIND_NAMES[kind]} ${SQUARES[square]}`);
    }
  return sides.map((pieces, side) => `${SIDE_NAMES[side]}: ${pieces.join(', ')}`).join('; ');
}

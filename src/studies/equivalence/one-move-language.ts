import { fromSquare, toSquare } from '../../domains/chess/rules/move.ts';
import type { Position } from '../../domains/chess/rules/position.ts';
import { SQUARES } from '../../domains/chess/rules/squares.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { nextToken } from '../asking/next-token.ts';
import { squareTokens } from '../asking/prompting.ts';

/**
 * What may follow a prefix, up to one move: the tokens of start squares, each with the tokens of the squares to go to from
 * there. What a pawn becomes is left out: a third token hardly ever tells positions apart.
 */
export type OneMove = ReadonlyMap<number, ReadonlySet<number>>;

/** By the rules. */
export function legalOneMove(notation: Notation, position: Position): OneMove {
  const found = new Map<number, Set<number>>();
  for (const move of position.legalMoves()) {
    const from = notation.vocabulary.id(SQUARES[fromSquare(move)])!;
    const to = notation.vocabulary.id(SQUARES[toSquare(move)])!;
    found.set(from, (found.get(from) ?? new Set<number>()).add(to));
  }
  return found;
}

/** By a model: every square whose probability, given the tokens before it, is above epsilon. */
export async function acceptedOneMove(
  engine: Engine,
  notation: Notation,
  prefix: readonly number[],
  epsilon: number,
): Promise<OneMove> {
  const squares = squareTokens(notation);
  const found = await nextToken(engine, notation, prefix, squares);
  const accepted = (probabilities: Float32Array): number[] => squares.filter((token) => probabilities[token] > epsilon);
  return new Map(
    accepted(found.root).map((from) => [from, new Set(accepted(found.leaves[squares.indexOf(from)]))] as const),
  );
}

/**
 * The Myhill-Nerode boundary of two languages, up to one move: the shortest suffixes that one has and the other has not,
 * as "SIDE from" or "SIDE from to" with the side (0 or 1) that has it. A suffix whose beginning already tells the two apart
 * is not in it.
 */
export function boundary(first: OneMove, second: OneMove): Set<string> {
  const found = new Set<string>();
  for (const [side, has, lacks] of [
    [0, first, second],
    [1, second, first],
  ] as const)
    for (const [from, ends] of has) {
      const others = lacks.get(from);
      if (others === undefined) found.add(`${side} ${from}`);
      else for (const to of ends) if (!others.has(to)) found.add(`${side} ${from} ${to}`);
    }
  return found;
}

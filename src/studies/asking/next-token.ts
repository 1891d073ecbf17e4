import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { mute, probabilities } from './metrics.ts';

/** [V] probabilities of the next token, and one [V] for the token after each leaf. */
export interface NextToken {
  root: Float32Array;
  leaves: Float32Array[];
}

/**
 * What a model puts next after a prefix (begin token included) and after the prefix plus each leaf, tokens muted as in
 * the testbed's evaluation. One prefix at a time: the engines that train keep the last one's keys and values, so a prefix
 * that shares its beginning with the one asked before costs only its new tokens. Rejects with a RangeError where it does
 * not fit the model's context.
 */
export async function nextToken(
  engine: Engine,
  notation: Notation,
  prefix: readonly number[],
  leaves: readonly number[] = [],
): Promise<NextToken> {
  const [found] = await engine.leafLogits([prefix], [leaves]);
  const distribution = (logits: Float32Array): Float32Array => probabilities(mute(logits, notation.mutedInEvaluation));
  return { root: distribution(found.root), leaves: found.leaves.map(distribution) };
}

/** Tokens of a game in the form that models are evaluated on, begin token first. */
export function tokensOf(notation: Notation, moves: ArrayLike<number>): number[] {
  return notation.encode(moves, { random: null, closed: false });
}

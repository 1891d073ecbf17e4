import { ok, fail, type Result } from '../../base/result.ts';
import { KIND_LETTERS } from '../../domains/chess/rules/pieces.ts';
import type { Prompt } from '../../domains/chess/prompt.ts';
import { squareName } from '../../domains/chess/rules/squares.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { nextToken, tokensOf } from '../asking/next-token.ts';
import { endPrompt } from '../asking/prompting.ts';

/** What a model says at the end of two prompts, token by token. */
export interface PromptComparison {
  /** All tokens that are not muted, the largest difference first; ties in the order of their ids. */
  tokens: { token: string; first: number; second: number; difference: number }[];
  /** Jensen-Shannon divergence of the two distributions, bits: 0 where they are the same, 1 where they share nothing. */
  divergence: number;
}

/** For the page: what the comparison says. */
export const compareDescription =
  'A prefix and the same prefix with one thing changed. If the model keeps a board, its answers change where the change ' +
  'matters and nowhere else. The distance between its two answers is in bits: 0 where they are the same, 1 where no ' +
  'token is possible after both. A model that only looks at the last moves answers the same to both; one that keeps the ' +
  'board takes all probability from the moves that have become impossible.';

/**
 * Next-token distributions after two prompts (a prefix and its counterfactual), with the questions that they end in.
 * `difference` is second minus first. Fails with `too-long`, and `no-piece` where a question is about an empty square.
 */
export async function comparePrompts(
  engine: Engine,
  notation: Notation,
  first: Prompt,
  second: Prompt,
): Promise<Result<PromptComparison>> {
  for (const { position, query } of [first, second])
    if (query.kind === 'end' && position.pieceAt(query.from) === 0)
      return fail(
        'no-piece',
        `No piece stands on ${squareName(query.from)} in one of the prefixes; ask about a square with a piece in both.`,
      );
  const { context } = engine.model;
  const [a, b] = [first, second].map((prompt) => [...tokensOf(notation, prompt.moves), ...asked(notation, prompt)]);
  if (Math.max(a.length, b.length) > context) return tooLong(context);
  const p = (await nextToken(engine, notation, a)).root;
  const q = (await nextToken(engine, notation, b)).root;
  const tokens = notation.vocabulary.tokens.flatMap((token, id) =>
    notation.mutedInEvaluation.includes(id) ? [] : [{ token, first: p[id], second: q[id], difference: q[id] - p[id] }],
  );
  tokens.sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference));
  return ok({ tokens, divergence: divergenceInBits(p, q) });
}

/** The message where a prefix is longer than the model reads. */
export function tooLong(context: number): Result<never> {
  return fail('too-long', `A prompt does not fit this model, which reads at most ${context} tokens; give fewer moves.`);
}

/** Jensen-Shannon divergence of two distributions [V], in bits (Lin 1991). */
export function divergenceInBits(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < p.length; i++) {
    const middle = (p[i] + q[i]) / 2;
    if (p[i] > 0) sum += (p[i] / 2) * Math.log2(p[i] / middle);
    if (q[i] > 0) sum += (q[i] / 2) * Math.log2(q[i] / middle);
  }
  return Math.min(1, Math.max(0, sum));
}

/** The tokens of a prompt's question. */
function asked(notation: Notation, { query, position }: Prompt): number[] {
  if (query.kind === 'next') return [];
  if (query.kind === 'start') return [notation.vocabulary.id(query.piece)!];
  return endPrompt(notation, KIND_LETTERS[position.pieceAt(query.from) & 7], squareName(query.from));
}

import { ok } from '../../../base/result.ts';
import type { Notation } from '../../../domains/domain.ts';
import type { SuiteModel } from '../suite-model.ts';
import { gameSpec, tokenizeMoves } from './game-tokenizer.ts';

/** What a baseline knows of a token before it comes: the token before it, or its place in the sentence. */
export type NgramContext = 'bigram' | 'position';

/**
 * A model that knows no board: the probability of a token after the one before it, or at its place, as counted in
 * games. A context is worth what it was seen, and one token of the whole distribution besides, which in turn has each
 * token once more than it was seen.
 */
export function ngramModel(notation: Notation, context: NgramContext, games: Iterable<ArrayLike<number>>): SuiteModel {
  const { size } = notation.vocabulary;
  const contextOf = (ids: readonly number[], at: number): number => (context === 'bigram' ? ids[at - 1] : at);
  const seen = new Map<number, number>();
  const contexts = new Map<number, number>();
  const tokens = new Float64Array(size).fill(1);
  let total = size;
  const count = (map: Map<number, number>, key: number): void => void map.set(key, (map.get(key) ?? 0) + 1);
  for (const game of games) {
    const ids = notation.encode(game, { random: null, closed: true });
    for (let at = 1; at < ids.length; at++) {
      count(seen, contextOf(ids, at) * size + ids[at]);
      count(contexts, contextOf(ids, at));
      tokens[ids[at]]++;
      total++;
    }
  }
  const probability = (before: number, token: number): number =>
    ((seen.get(before * size + token) ?? 0) + tokens[token] / total) / ((contexts.get(before) ?? 0) + 1);
  return {
    name: context,
    spec: gameSpec(notation, context),
    tokenize: (sentence) => ok(tokenizeMoves(notation, sentence)),
    surprisals: async (sentences) =>
      sentences.map((sentence) => {
        const read = tokenizeMoves(notation, sentence);
        const bits = (token: number, at: number): number => -Math.log2(probability(contextOf(read.ids, at), token));
        return ok({ ...read, surprisals: read.ids.map((token, at) => (at === 0 ? 0 : bits(token, at))) });
      }),
    predictions: null,
  };
}

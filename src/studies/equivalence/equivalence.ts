import * as v from 'valibot';
import { seededRandom, type Random } from '../../base/random.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { shareEstimate, proportion } from '../../base/statistics.ts';
import { positionAfter, uciLine } from '../../domains/chess/replay.ts';
import type { Notation } from '../../domains/domain.ts';
import type { Engine } from '../../engine/engine.ts';
import { endedEarly, pauseOf } from '../asking/cancellation.ts';
import { notForOracle, type Measuring } from '../asking/measuring.ts';
import { nextToken, tokensOf } from '../asking/next-token.ts';
import { acceptedOneMove, boundary, legalOneMove } from './one-move-language.ts';
import { namesEveryPiece } from '../asking/prompting.ts';
import { SHORTEST_STORY, storyPairs, type StoryPair } from './prefix-pairs.ts';
import { samplerAt } from '../asking/write-move.ts';
import { numberSetting } from '../setting-fields.ts';
import { interval, share } from '../stored-numbers.ts';

const n = v.pipe(v.number(), v.integer());

/**
 * Does a model treat different move orders to one position alike, and different positions differently (Vafa et al. 2024,
 * "Evaluating the World Model Implicit in a Generative Model")?
 */
export const EquivalenceReportSchema = v.object({
  /** Two orders to one position: all suffixes likely after one are accepted after the other. */
  compression: v.object({ precision: share, n, ci95: interval }),
  /** Two positions: of the suffixes that tell them apart, which share does the model tell apart, and the reverse. */
  distinction: v.object({
    ...{ precision: share, recall: share, n },
    ci95: v.object({ precision: interval, recall: interval }),
  }),
  /**
   * A few pairs that failed, for the gallery: two prompts, and the move accepted after one alone. They are two orders to
   * one position, or two positions that the model tells apart by a move that is legal in both or neither.
   */
  examples: v.array(
    v.object({
      ...{ kind: v.picklist(['orders', 'positions']), first: v.string(), second: v.string(), suffix: v.string() },
    }),
  ),
});
export type EquivalenceReport = v.InferOutput<typeof EquivalenceReportSchema>;

/** For the page: what the measure tells, and what it is for the best and the worst of models. */
export const equivalenceDescription =
  'Moves made in another order can lead to the same position, and then exactly the same moves are possible. Compression is ' +
  'the share of such pairs for which the model accepts after the second order whatever it writes after the first; to accept ' +
  'a token is to give it more than a small probability. Distinction compares two different positions: precision is the ' +
  'share of the differences the model sees that are real, recall the share of the real differences that it sees. A perfect ' +
  'model has 1 everywhere. A model that accepts everything everywhere also compresses perfectly, but its recall is 0, which ' +
  'is why both are needed. A model of games that people played never reaches full recall: it gives almost nothing to legal ' +
  'moves that nobody would play.';

export const equivalenceSettings = v.object({
  /** For compression, and as many for distinction. */
  pairs: numberSetting('Pairs', 30, { min: 1, max: 5000 }),
  /** Sampled for each pair of move orders. */
  suffixes: numberSetting('Suffixes a pair', 5, { min: 1, max: 100 }),
  /** A token is accepted where its probability is above this; 0.01 in the paper. */
  epsilon: numberSetting('Accepted above', 0.01, { min: 1e-6, max: 0.5, whole: false }),
  seed: numberSetting(null, 1, { min: 0, max: Number.MAX_SAFE_INTEGER }),
});

/** Tokens of a sampled suffix: two moves. The paper samples to the end of the game, where every model fails somewhere. */
const SUFFIX_TOKENS = 4;
const EXAMPLES = 8;

/**
 * Compression and distinction (Vafa et al. 2024, section 3 and the authors' Othello code), adapted: the two move orders are
 * made by swapping moves of a game (transpositions.ts), suffixes are two moves long, and the boundary of two positions is
 * found exactly up to one move rather than from samples. As in the authors' code, a pair of orders counts 1 where all
 * suffixes are accepted and else 0, scores of pairs of positions are averaged over pairs, and the precision of a pair that
 * the model does not tell apart at all counts 1. The end token is never a suffix of its own. Pauses at each draw and after each pair.
 * Fails with `not-for-oracle`, `bad-request`, `too-few-games`, `cancelled`.
 */
export function equivalence(
  engine: Engine,
  notation: Notation,
  request: v.InferOutput<typeof equivalenceSettings> & { games: Iterable<Uint16Array> },
  options: Measuring = {},
): Promise<Result<EquivalenceReport>> {
  const { pairs, suffixes, epsilon, seed } = request;
  const pause = pauseOf(options);
  const tell = (label: string, done: number): void =>
    options.onProgress?.({ label, share: Math.min(1, done / (2 * pairs)) });
  return endedEarly(async () => {
    if (namesEveryPiece(notation)) return notForOracle();
    if (!(pairs >= 1 && suffixes >= 1 && epsilon > 0 && epsilon < 1))
      return fail('bad-request', 'Ask for at least one pair and one suffix, and an epsilon between 0 and 1.');
    const room = engine.model.context - SUFFIX_TOKENS;
    const fits = (prefix: Uint16Array): boolean => tokensOf(notation, prefix).length <= room;
    const found = await storyPairs(request.games, { notation, pairs, seed, fits, pause });
    if (found.same.length < pairs || found.different.length < pairs)
      return fail(
        'too-few-games',
        `These games give ${found.same.length} pairs of move orders and ${found.different.length} pairs of positions, and ` +
          `${pairs} are asked for; give more games of more than ${SHORTEST_STORY} plies.`,
      );

    const orders: EquivalenceReport['examples'] = [];
    for (const [i, pair] of found.same.entries()) {
      tell('Two move orders, one position', i);
      const random = seededRandom('equivalence suffixes', seed, i);
      const rejected = await rejectedSuffix(engine, notation, pair, { suffixes, epsilon, random });
      if (rejected !== null) orders.push({ kind: 'orders', ...textOf(pair), suffix: rejected });
      await pause();
    }
    const positions: EquivalenceReport['examples'] = [];
    const precision: number[] = [];
    const recall: number[] = [];
    for (const [i, pair] of found.different.entries()) {
      tell('Two positions', pairs + i);
      const scores = await tellApart(engine, notation, pair, epsilon);
      precision.push(scores.precision);
      recall.push(scores.recall);
      if (scores.wrong !== null) positions.push({ kind: 'positions', ...textOf(pair), suffix: scores.wrong });
      await pause();
    }
    tell('Done', 2 * pairs);
    const alike = proportion(pairs - orders.length, pairs);
    const [precise, recalled] = [shareEstimate(precision), shareEstimate(recall)];
    return ok({
      compression: { precision: alike.mean!, n: pairs, ci95: alike.ci95! },
      distinction: {
        precision: precise.mean!,
        recall: recalled.mean!,
        n: pairs,
        ci95: { precision: precise.ci95!, recall: recalled.ci95! },
      },
      examples: [...orders.slice(0, EXAMPLES / 2), ...positions.slice(0, EXAMPLES / 2)],
    });
  });
}

/**
 * The first of some suffixes, sampled after the first prefix from tokens above epsilon, that has a token at or below epsilon
 * after the second, up to that token; null where the second accepts all. A suffix ends early with the game.
 */
async function rejectedSuffix(
  engine: Engine,
  notation: Notation,
  { first, second }: StoryPair,
  { suffixes, epsilon, random }: { suffixes: number; epsilon: number; random: Random },
): Promise<string | null> {
  const choose = samplerAt(1, random);
  const prefix = tokensOf(notation, first);
  const sampled = new Map<string, number[]>();
  for (let i = 0; i < suffixes; i++) {
    const suffix: number[] = [];
    while (suffix.length < SUFFIX_TOKENS && suffix.at(-1) !== notation.vocabulary.end) {
      const { root } = await nextToken(engine, notation, [...prefix, ...suffix]);
      const accepted = root.map((p) => (p > epsilon ? p : 0));
      if (accepted.every((p) => p === 0)) break;
      suffix.push(choose(accepted));
    }
    sampled.set(suffix.join(), suffix);
  }
  const other = tokensOf(notation, second);
  for (const suffix of sampled.values())
    for (const [at, token] of suffix.entries()) {
      const { root } = await nextToken(engine, notation, [...other, ...suffix.slice(0, at)]);
      if (!(root[token] > epsilon)) return suffixText(notation, suffix.slice(0, at + 1));
    }
  return null;
}

/** Precision and recall of the model's boundary of two positions against that of the rules, and one suffix in which they differ. */
async function tellApart(
  engine: Engine,
  notation: Notation,
  { first, second }: StoryPair,
  epsilon: number,
): Promise<{ precision: number; recall: number; wrong: string | null }> {
  const real = boundary(legalOneMove(notation, positionAfter(first)), legalOneMove(notation, positionAfter(second)));
  const seen = boundary(
    await acceptedOneMove(engine, notation, tokensOf(notation, first), epsilon),
    await acceptedOneMove(engine, notation, tokensOf(notation, second), epsilon),
  );
  const both = [...seen].filter((suffix) => real.has(suffix)).length;
  const wrong = [...seen].find((suffix) => !real.has(suffix)) ?? null;
  return {
    precision: seen.size === 0 ? 1 : both / seen.size,
    recall: both / real.size,
    wrong: wrong === null ? null : suffixText(notation, wrong.split(' ').slice(1).map(Number)),
  };
}

function textOf({ first, second }: StoryPair): { first: string; second: string } {
  return { first: uciLine(first), second: uciLine(second) };
}

/** "g1f3 e7" of tokens: two squares make a move. */
function suffixText(notation: Notation, tokens: readonly number[]): string {
  let text = '';
  let squares = 0;
  for (const token of tokens) {
    const word = notation.vocabulary.tokens[token];
    if (word.length === 2 && squares++ % 2 === 0 && text !== '') text += ' ';
    text += word;
  }
  return text;
}

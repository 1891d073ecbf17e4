import type { Engine } from '../../../engine/engine.ts';

/**
 * Log-probabilities, in nats, of tails behind prefixes: of each tail the sum over its tokens. What tails of a prefix
 * share is run once, and two tokens of every tail in one pass with the prefixes beside it.
 * @param tails for each prefix, at least one token each
 */
export async function tailLogProbabilities(
  engine: Engine,
  prefixes: readonly (readonly number[])[],
  tails: readonly (readonly (readonly number[])[])[],
): Promise<number[][]> {
  const heads = tails.map((some) => [...new Set(some.filter(({ length }) => length > 1).map(([first]) => first))]);
  const found = await engine.leafLogits(prefixes, heads);
  const scores: number[][] = [];
  for (const [row, some] of tails.entries()) {
    const { root, leaves } = found[row];
    const sums = some.map(([first, second]) => {
      const begun = logProbability(root, first);
      return second === undefined ? begun : begun + logProbability(leaves[heads[row].indexOf(first)], second);
    });
    for (const group of groupsOf(some)) {
      const [first, second] = some[group[0]];
      const rest = group.map((tail) => some[tail].slice(2));
      const [further] = await tailLogProbabilities(engine, [[...prefixes[row], first, second]], [rest]);
      group.forEach((tail, i) => (sums[tail] += further[i]));
    }
    scores.push(sums);
  }
  return scores;
}

/** Numbers of the tails that go on after two tokens, those with the same two together. */
function groupsOf(tails: readonly (readonly number[])[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [tail, { length, 0: first, 1: second }] of tails.entries()) {
    if (length < 3) continue;
    const key = `${first} ${second}`;
    groups.set(key, [...(groups.get(key) ?? []), tail]);
  }
  return [...groups.values()];
}

/** Log-probability of a token by next-token logits [V], in nats and double precision. */
function logProbability(logits: ArrayLike<number>, token: number): number {
  let largest = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i] > largest) largest = logits[i];
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - largest);
  return logits[token] - largest - Math.log(sum);
}

import type { Notation } from '../src/domains/domain.ts';
import type { Engine } from '../src/engine/engine.ts';

/** A short game, enough to reach every parameter. */
const SAMPLE = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6';

/** Largest difference of a next-token logit after a short game between two engines. */
export async function maxLogitDifference(before: Engine, after: Engine, notation: Notation): Promise<number> {
  const { vocabulary, encode } = notation;
  const squares = SAMPLE.match(/[a-h][1-8]/g)!.flatMap((square) => vocabulary.id(square) ?? []);
  const prompt = [...encode([], { random: null, closed: false }), ...squares];
  const [one] = await before.leafLogits([prompt], [[]]);
  const [other] = await after.leafLogits([prompt], [[]]);
  return one.root.reduce((most, logit, i) => Math.max(most, Math.abs(logit - other.root[i])), 0);
}

import type { Notation } from '../src/domains/domain.ts';
import type { Engine, NamedArrays } from '../src/engine/engine.ts';

/** A short game, enough to reach every parameter. */
const SAMPLE = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6';

/** Largest difference of a next-token logit after a short game between the engine's weights and others, which it keeps. */
export async function maxLogitDifference(engine: Engine, others: NamedArrays, notation: Notation): Promise<number> {
  const { vocabulary } = notation;
  const prompt = [vocabulary.begin, ...SAMPLE.match(/[a-h][1-8]/g)!.map((square) => vocabulary.id(square)!)];
  const [before] = await engine.leafLogits([prompt], [[]]);
  engine.setParameters(others);
  const [after] = await engine.leafLogits([prompt], [[]]);
  return before.root.reduce((most, logit, i) => Math.max(most, Math.abs(logit - after.root[i])), 0);
}

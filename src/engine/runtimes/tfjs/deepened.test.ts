import { expect, it } from 'vitest';
import { seededRandom } from '../../../base/random.ts';
import { unwrap } from '../../../base/result.ts';
import { deepened } from '../../../models/deepen.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import { createEngine } from './create-engine.ts';

const sizes = { width: 16, heads: 2, context: 32, vocabulary: 30, slots: null };
const modern = { ...sizes, mlp: 24, rotaryBase: 1000 };
const pairs: [ModelConfig, ModelConfig][] = (
  [
    { kind: 'gpt2', ...sizes, layers: 2, dropout: 0, window: null, start: 'gpt2' },
    { kind: 'qwen3', ...modern, layers: 2, window: null, shift: 2 },
  ] as const
).map((model) => [model, { ...model, layers: 5 }]);
const lfm2 = { kind: 'lfm2', ...modern, taps: 3 } as const;
pairs.push([
  { ...lfm2, pattern: 'ca' },
  { ...lfm2, pattern: 'ccaa' },
]);

it.each(pairs)('a deepened $kind answers as before', async (from, to) => {
  const random = seededRandom('deepened');
  const parameters = initialParameters(from, random);
  // Moved, so that every one has an effect.
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += 0.2 * random.normal();
  const row = Array.from({ length: 20 }, () => random.below(30));
  const answers = async (model: ModelConfig, weights: typeof parameters) => {
    const engine = await createEngine({ backend: 'cpu', model, parameters: weights });
    const [{ root }] = await engine.leafLogits([row], [[]]);
    engine.dispose();
    return root;
  };
  const before = await answers(from, parameters);
  const after = await answers(to, unwrap(deepened(from, parameters, to)));
  expect(Math.max(...before.map(Math.abs))).toBeGreaterThan(0.1);
  after.forEach((logit, i) => expect(Math.abs(logit - before[i])).toBeLessThan(1e-5));
});

import { expect, it } from 'vitest';
import { tinyBatch, tinyModels, tinyParameters } from '../../../fixtures/parity/tiny-models.ts';
import { seededRandom } from '../../base/random.ts';
import { rowsOf, type Batch } from '../../base/batch.ts';
import type { OptimizerSettings } from '../engine.ts';
import { createEngine } from '../runtimes/tfjs/create-engine.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { optimizerCalls } from '../plan/optimizer-plan.ts';
import { packBatch } from '../plan/pack.ts';
import { runReferences, referenceArenas, referenceContents, referenceStep } from './reference-executor.ts';

const still: OptimizerSettings = {
  ...{ learningRate: 0, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clipNorm: 0 },
  muon: null,
};
const models = tinyModels.filter(({ model }) => !('dropout' in model) || model.dropout === 0);

/** Every other target of the tiny batch is learned from, in its second row none. */
function batch(): Batch {
  const tiny = tinyBatch();
  const learn = Uint8Array.from(
    rowsOf(tiny).flatMap((row, i) => Array.from(row, (_, t) => Number(t % 2 === 1 && i !== 1))),
  );
  return { ...tiny, learn };
}

it.each(models)('learns by the slopes of a loss that is counted here, in float64: $name', async ({ model }) => {
  const plan = buildPlan(model, true);
  const packed = packBatch(batch(), model);
  const arenas = referenceArenas(plan, tinyParameters(model));
  const context = { batch: packed, optimizer: still, step: 1, seed: 5 };
  const found = referenceStep(plan, optimizerCalls(plan, []), arenas, context);
  const gradient = arenas.gradient.slice();

  // The logits of a plan for inference, which knows no targets; what is a target is read from the batch.
  const rest = buildPlan(model, false);
  const contents = referenceContents(rest.forward, arenas, packed.count);
  const { tokens, offsets, learn } = batch();
  const places = rowsOf({ tokens: Int32Array.from(tokens.keys()), offsets }).flatMap((row) => [...row.subarray(1)]);
  const loss = (): number => {
    runReferences(rest.forward, contents, context);
    const logits = contents.get(rest.logits.id)!;
    const losses: number[] = [];
    places.forEach((at, n) => {
      if (!learn![at]) return;
      const row = logits.subarray(n * model.vocabulary, (n + 1) * model.vocabulary);
      losses.push(Math.log(row.reduce((sum, z) => sum + Math.exp(z), 0)) - row[tokens[at]]);
    });
    expect(losses.length).toBe(packed.targetCount);
    return losses.reduce((sum, one) => sum + one, 0) / losses.length;
  };
  expect(Math.abs(found.loss - loss())).toBeLessThan(1e-12);
  const random = seededRandom('learned slopes');
  for (const { name, offset, length } of plan.parameters)
    for (let sample = 0; sample < 3; sample++) {
      const i = offset + random.below(length);
      const kept = arenas.weight[i];
      arenas.weight[i] = kept + 1e-5;
      const above = loss();
      arenas.weight[i] = kept - 1e-5;
      const slope = (above - loss()) / 2e-5;
      arenas.weight[i] = kept;
      expect(Math.abs(slope - gradient[i]), `${name}, element ${i - offset}`).toBeLessThan(1e-8);
    }

  const engine = await createEngine({ backend: 'cpu', model, parameters: tinyParameters(model) });
  const reference = await engine.step(batch(), still, 5);
  engine.dispose();
  expect(reference.tokens).toBe(packed.targetCount);
  expect(Math.abs(reference.loss / found.loss - 1)).toBeLessThan(1e-5);
  expect(Math.abs(reference.gradientNorm / found.gradientNorm - 1)).toBeLessThan(1e-5);
});

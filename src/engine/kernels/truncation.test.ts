import { describe, expect, it } from 'vitest';
import { tinyBatch, tinyModels, tinyParameters } from '../../../fixtures/parity/tiny-models.ts';
import { seededRandom } from '../../base/random.ts';
import type { LstmConfig } from '../../models/lstm.ts';
import type { OptimizerSettings } from '../engine.ts';
import { createEngine } from '../runtimes/tfjs/create-engine.ts';
import { buildPlan } from '../plan/build-plan.ts';
import type { CallContext } from '../plan/kernel-device.ts';
import { optimizerCalls } from '../plan/optimizer-plan.ts';
import { emptyBatch, packBatch, type PackedBatch } from '../plan/pack.ts';
import { runReferences, referenceArenas, referenceContents, referenceStep } from './reference-executor.ts';

const still: OptimizerSettings = {
  ...{ learningRate: 0, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clipNorm: 0 },
  muon: null,
};
const contextOf = (batch: PackedBatch): CallContext => ({ batch, optimizer: still, step: 1, seed: 5 });
const lstm = tinyModels.find(({ name }) => name === 'LSTM')!.model as LstmConfig;
const parameters = tinyParameters(lstm);

/** A training step's gradients in float64. */
function gradientsOf(truncation: number | null) {
  const plan = buildPlan({ ...lstm, truncation }, true);
  const arenas = referenceArenas(plan, parameters);
  const step = referenceStep(
    plan,
    optimizerCalls(plan, []),
    arenas,
    contextOf(packBatch(tinyBatch(), { ...lstm, slots: null })),
  );
  return { ...step, arenas, plan };
}

/** Rows [from, to) of a packed batch as a run of their own behind the rows before them. */
function segment(whole: PackedBatch, from: number, to: number, history: number): PackedBatch {
  const part = { ...emptyBatch(to - from, 1), firstRow: from };
  part.tokens.set(whole.tokens.subarray(from, to));
  part.positions.set(whole.positions.subarray(from, to));
  part.segments.set([from, to - from, from - history, history]);
  return part;
}

describe.each([1, 2, 3, 4])('gradients truncated at %i tokens', (truncation) => {
  it('are the slopes of a forward pass that begins anew at each boundary, from states that do not move', () => {
    const { plan, arenas, loss: found } = gradientsOf(truncation);
    const gradient = arenas.gradient.slice();
    const rest = buildPlan(lstm, false);
    const batch = packBatch(tinyBatch(), { ...lstm, slots: null });
    const moved = referenceContents(rest.forward, arenas, batch.count);
    runReferences(rest.forward, moved, contextOf(batch));
    const kept = rest.history.map(({ id }) => [id, moved.get(id)!.slice()] as const);
    const loss = (): number => {
      let sum = 0;
      for (let s = 0; s < batch.segments.length; s += 4) {
        const [first, length] = batch.segments.subarray(s, s + 2);
        for (let t = 0; t < length; t += truncation) {
          const end = Math.min(t + truncation, length);
          for (const [id, values] of kept) moved.get(id)!.set(values);
          runReferences(rest.forward, moved, contextOf(segment(batch, first + t, first + end, t)));
          for (let n = first + t; n < first + end; n++) {
            const row = moved.get(rest.logits.id)!.subarray(n * lstm.vocabulary, (n + 1) * lstm.vocabulary);
            sum += Math.log(row.reduce((total, z) => total + Math.exp(z), 0)) - row[batch.targets[n]];
          }
        }
      }
      return sum / batch.targetCount;
    };
    expect(Math.abs(found - loss())).toBeLessThan(1e-12);
    const random = seededRandom('truncated slopes');
    for (const { name, offset, length } of plan.parameters)
      for (let sample = 0; sample < 5; sample++) {
        const i = offset + random.below(length);
        const weight = arenas.weight[i];
        arenas.weight[i] = weight + 1e-5;
        const above = loss();
        arenas.weight[i] = weight - 1e-5;
        const slope = (above - loss()) / 2e-5;
        arenas.weight[i] = weight;
        expect(Math.abs(slope - gradient[i]), `${name}, element ${i - offset}`).toBeLessThan(1e-8);
      }
  });

  it('differ from whole ones, and the loss does not', () => {
    const [whole, cut] = [gradientsOf(null), gradientsOf(truncation)];
    expect(cut.loss).toBe(whole.loss);
    expect(Math.abs(cut.gradientNorm / whole.gradientNorm - 1)).toBeGreaterThan(1e-4);
  });

  it('are those of the reference engine', async () => {
    const engine = await createEngine({ backend: 'cpu', model: { ...lstm, truncation }, parameters });
    const report = await engine.step(tinyBatch(), still, 5);
    const { moments } = await engine.optimizerState();
    engine.dispose();
    const { loss, arenas, plan } = gradientsOf(truncation);
    expect(Math.abs(report.loss / loss - 1)).toBeLessThan(1e-5);
    // After one step the first moment is a tenth of the gradient.
    for (const { name, offset, length } of plan.parameters) {
      const found = moments.get(`m.${name}`)!.data;
      const wanted = arenas.gradient.subarray(offset, offset + length);
      const scale = wanted.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      found.forEach((value, i) => expect(Math.abs(10 * value - wanted[i]), name).toBeLessThan(1e-5 * scale));
    }
  });
});

it('changes nothing where no row is longer', () => {
  expect(gradientsOf(9).arenas.gradient).toEqual(gradientsOf(null).arenas.gradient);
});

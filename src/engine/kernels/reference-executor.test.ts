import { describe, expect, it } from 'vitest';
import { tinyBatch, tinyModels, tinyParameters } from '../../../fixtures/parity/tiny-models.ts';
import { fixtureParameters, pytorchCases } from '../../../fixtures/pytorch/cases.ts';
import { markedBatch } from '../../../fixtures/pytorch/compare.ts';
import { seededRandom } from '../../base/random.ts';
import { slotsOf } from '../../base/slot-grammar.ts';
import { muonMatrices, type ModelConfig } from '../../models/model.ts';
import type { OptimizerSettings } from '../engine.ts';
import { createEngine } from '../runtimes/tfjs/create-engine.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { elementsOf, type CallContext } from '../plan/kernel-device.ts';
import { buffersOf, layOut } from '../plan/layout.ts';
import { optimizerCalls } from '../plan/optimizer-plan.ts';
import { emptyBatch, packBatch, type PackedBatch } from '../plan/pack.ts';
import { meanLoss, runReferences, referenceArenas, referenceContents, referenceStep } from './reference-executor.ts';

const still: OptimizerSettings = {
  learningRate: 0,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  weightDecay: 0,
  clipNorm: 0,
  muon: null,
};
const grammarOf = (model: ModelConfig) => model.slots;
const contextOf = (batch: PackedBatch): CallContext => ({ batch, optimizer: still, step: 1, seed: 5 });

describe('a step in float64', () => {
  it.each(pytorchCases)('is that of PyTorch, ten times: $name', ({ fixture }) => {
    const { model } = fixture;
    const plan = buildPlan(model, true);
    const arenas = referenceArenas(plan, fixtureParameters(model));
    fixture.steps.forEach(({ rows, learn, learningRate, muon = null, loss, gradientNorm }, i) => {
      const optimizer = { ...fixture.optimizer, learningRate, muon };
      const batch = packBatch(markedBatch(rows, learn), model);
      const updates = optimizerCalls(plan, muon ? muonMatrices(model) : []);
      const found = referenceStep(plan, updates, arenas, { batch, optimizer, step: i + 1, seed: 1 });
      // PyTorch's float32 is what differs.
      expect(Math.abs(found.loss / loss - 1)).toBeLessThan(1e-5);
      expect(Math.abs(found.gradientNorm / gradientNorm - 1)).toBeLessThan(1e-5);
    });
  });

  it.each(tinyModels)('has the loss and gradient norm of the reference engine: $name', async ({ model }) => {
    const parameters = tinyParameters(model);
    const engine = await createEngine({ backend: 'cpu', model, parameters });
    const wanted = await engine.step(tinyBatch(), still, 5);
    engine.dispose();
    const plan = buildPlan(model, true);
    const context = contextOf(packBatch(tinyBatch(), model));
    const found = referenceStep(plan, optimizerCalls(plan, []), referenceArenas(plan, parameters), context);
    expect(wanted.tokens).toBe(context.batch.targetCount);
    expect(Math.abs(found.loss - wanted.loss)).toBeLessThan(1e-5 * wanted.loss);
    expect(Math.abs(found.gradientNorm - wanted.gradientNorm)).toBeLessThan(1e-5 * wanted.gradientNorm);
  });

  // Truncated gradients are no slopes of the loss: truncation.test.ts holds them to what they are.
  const whole = tinyModels.filter(({ model }) => !('truncation' in model));
  it.each(whole)('has the slopes of the loss as its gradients: $name', ({ model }) => {
    const plan = buildPlan(model, true);
    const context = contextOf(packBatch(tinyBatch(), model));
    const arenas = referenceArenas(plan, tinyParameters(model));
    const contents = referenceContents([...plan.forward, ...plan.backward], arenas, context.batch.count);
    runReferences([...plan.forward, ...plan.backward], contents, context);
    const gradient = arenas.gradient.slice();
    const loss = () => {
      runReferences(plan.forward, contents, context);
      return meanLoss(plan, contents, context);
    };
    const random = seededRandom('slopes of a plan');
    for (const { name, offset, length } of plan.parameters)
      for (let sample = 0; sample < 3; sample++) {
        const i = offset + random.below(length);
        const kept = arenas.weight[i];
        arenas.weight[i] = kept + 3e-6;
        const above = loss();
        arenas.weight[i] = kept - 3e-6;
        const slope = (above - loss()) / 6e-6;
        arenas.weight[i] = kept;
        expect(Math.abs(slope - gradient[i]), `${name}, element ${i - offset}`).toBeLessThan(1e-8);
      }
  });

  it.each(tinyModels)('is the same where buffers share memory as the layout says: $name', ({ model }) => {
    const plan = buildPlan(model, true);
    const calls = [...plan.forward, ...plan.backward];
    const context = contextOf(packBatch(tinyBatch(), model));
    const [apart, together] = [0, 1].map(() => referenceArenas(plan, tinyParameters(model)));
    runReferences(calls, referenceContents(calls, apart, context.batch.count), context);

    const capacity = context.batch.count + 3;
    const { offsets, length } = layOut(calls, capacity, [plan.loss!], 4);
    const memory = new Float64Array(length).fill(NaN);
    const contents = new Map(referenceContents(calls, together, context.batch.count));
    for (const { buffer } of calls.flatMap(buffersOf)) {
      if (buffer.place.kind !== 'activation') continue;
      const start = offsets.get(buffer.id)!;
      contents.set(buffer.id, memory.subarray(start, start + elementsOf(buffer, capacity)));
    }
    runReferences(calls, contents, context);
    expect(together.gradient).toEqual(apart.gradient);
    expect(apart.gradient.some((value) => value !== 0)).toBe(true);
  });
});

describe('a sequence in inference', () => {
  it.each(tinyModels)('may be run in parts, which go on from the history: $name', ({ model }) => {
    const plan = buildPlan(model, false);
    const tokens = Int32Array.of(3, 1, 10, 4, 4, 7, 2, 9, 5);
    const contents = () => referenceContents(plan.forward, referenceArenas(plan, tinyParameters(model)), tokens.length);
    const [whole, parted] = [contents(), contents()];
    const run = (into: typeof whole, from: number, to: number) =>
      runReferences(plan.forward, into, contextOf(segment(model, tokens, from, to)));
    run(whole, 0, tokens.length);
    for (const [from, to] of [
      [0, 4],
      [4, 5],
      [5, 9],
    ])
      run(parted, from, to);
    const [wanted, found] = [whole, parted].map((values) => values.get(plan.logits.id)!);
    found.forEach((value, i) => expect(Math.abs(value - wanted[i])).toBeLessThan(1e-12));
  });
});

/** Tokens [from, to) of a sequence that begins in row 0. */
function segment(model: ModelConfig, tokens: Int32Array, from: number, to: number): PackedBatch {
  const batch = { ...emptyBatch(to - from, 1), firstRow: from };
  const grammar = grammarOf(model);
  batch.tokens.set(tokens.subarray(from, to));
  if (grammar) batch.slots.set(slotsOf(grammar, tokens).slots.subarray(from, to));
  for (let n = 0; n < to - from; n++) batch.positions[n] = from + n;
  batch.segments.set([from, to - from, 0, from]);
  return batch;
}

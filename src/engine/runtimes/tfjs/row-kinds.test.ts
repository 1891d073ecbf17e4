import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../base/batch.ts';
import { seededRandom } from '../../../base/random.ts';
import { initialParameters, parameterShapes } from '../../../models/model.ts';
import { featuresName, type PerformerConfig } from '../../../models/performer.ts';
import { rotationsName, type ReformerConfig } from '../../../models/reformer.ts';
import { createEngine as createAnyEngine } from '../../create-engine.ts';
import type { NamedArrays, OptimizerSettings } from '../../engine.ts';
import { createEngine } from './create-engine.ts';

const sizes = { layers: 2, width: 24, heads: 3, context: 23, vocabulary: 30, dropout: 0, slots: null };
const performer: PerformerConfig = {
  ...{ kind: 'performer', ...sizes, start: 'zero-out', kernel: 'softmax', features: 10 },
  ...{ redraw: 2, localHeads: 1, localWindow: 4 },
};
const reformer: ReformerConfig = {
  ...{ kind: 'reformer', ...sizes, start: 'zero-out', pattern: 'local,lsh', chunk: 4, buckets: 4, rounds: 2 },
  ...{ positions: 'axial', axialRows: null, axialWidth: null },
};
const optimizer: OptimizerSettings = {
  ...{ learningRate: 3e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clipNorm: 1 },
  muon: null,
};
const random = seededRandom('row kinds');
const sequence = (length: number) => [1, ...Array.from({ length: length - 1 }, () => 3 + random.below(27))];
const largest = (a: Float32Array, b: Float32Array) => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);

/** Initial parameters, moved so that every one has an effect. */
function parametersOf(model: ReformerConfig | PerformerConfig): NamedArrays {
  const parameters = initialParameters(model, random);
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += 0.2 * random.normal();
  return parameters;
}

describe.each(['cpu', 'wasm'] as const)('LSH attention in several chunks on %s', (backend) => {
  it('answers a prefix alike however it is asked, and whatever shares its pass', async () => {
    const engine = await createEngine({ backend, model: reformer, parameters: parametersOf(reformer) });
    const row = sequence(19);
    const before = engine.memory().tensors;
    const [alone] = await engine.leafLogits([row], [[]]);
    // In one pass with longer and shorter rows, which pad it.
    const [, together] = await engine.leafLogits([sequence(22), row, sequence(3)], [[], [5, 7], [4]]);
    expect(largest(together.root, alone.root)).toBeLessThan(1e-4);
    const [{ root: wanted }] = await engine.leafLogits([[...row, 7]], [[]]);
    expect(largest(together.leaves[1], wanted)).toBeLessThan(1e-4);
    const continuation = engine.continue(row.slice(0, 11));
    for (const token of row.slice(11)) continuation.advance(token);
    expect(largest(await continuation.logits(), alone.root)).toBeLessThan(1e-4);
    continuation.dispose();
    expect(engine.memory().tensors).toBe(before);
    engine.dispose();
  });

  it('never lets a later token act on an earlier one but by the order of the row', async () => {
    // With one bucket the order is that of time, so nothing is left to act.
    const model = { ...reformer, buckets: 1 };
    const engine = await createEngine({ backend, model, parameters: parametersOf(model) });
    const row = sequence(23);
    const other = [...row.slice(0, 14), ...sequence(10).slice(1)];
    const [a, b] = [
      await engine.logProbabilities(batchOf([row]), []),
      await engine.logProbabilities(batchOf([other]), []),
    ];
    expect(largest(a.subarray(0, 13), b.subarray(0, 13))).toBeLessThan(1e-5);
    expect(largest(a.subarray(14, 22), b.subarray(14, 22))).toBeGreaterThan(1e-2);
    engine.dispose();
  });
});

describe('what is drawn and not learned', () => {
  const batch = batchOf([sequence(20), sequence(13)]);

  it('is left alone by the optimiser, decay included, and counted out', async () => {
    const name = rotationsName(1);
    const parameters = parametersOf(reformer);
    const engine = await createEngine({ backend: 'wasm', model: reformer, parameters });
    for (let step = 1; step <= 3; step++) await engine.step(batch, optimizer, step);
    const after = await engine.parameters();
    expect(after.get(name)).toEqual(parameters.get(name));
    expect(parameterShapes(reformer).filter(({ fixed }) => fixed)).toMatchObject([{ name, shape: [3, 8, 4] }]);
    for (const [other, { data }] of after) if (other !== name) expect(data).not.toEqual(parameters.get(other)!.data);
    engine.dispose();
  });

  it('is drawn anew by the Performer, and a run taken up again equals one that never stopped', async () => {
    const parameters = parametersOf(performer);
    const seen: Float32Array[] = [];
    const whole = await createEngine({ backend: 'wasm', model: performer, parameters });
    for (let step = 0; step < 5; step++) {
      await whole.step(batch, optimizer, 100 + step);
      seen.push((await whole.parameters()).get(featuresName(1))!.data);
    }
    expect(seen[0]).toEqual(parameters.get(featuresName(1))!.data);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).not.toEqual(seen[1]);
    expect(seen[3]).toEqual(seen[2]);
    expect(seen[4]).not.toEqual(seen[3]);

    const first = await createEngine({ backend: 'wasm', model: performer, parameters });
    for (let step = 0; step < 3; step++) await first.step(batch, optimizer, 100 + step);
    const second = await createEngine({ backend: 'wasm', model: performer, parameters: await first.parameters() });
    second.setOptimizerState(await first.optimizerState());
    for (let step = 3; step < 5; step++) await second.step(batch, optimizer, 100 + step);
    expect(await second.parameters()).toEqual(await whole.parameters());
    for (const engine of [whole, first, second]) engine.dispose();
  });
});

it.each([performer, reformer])(
  'a $kind learns a batch by heart, with the reference engine whichever is asked for',
  async (model) => {
    const parameters = initialParameters(model, seededRandom('by heart'));
    // The compiled engine would need a host.
    const engine = await createAnyEngine({ engine: 'wasm', backend: 'wasm', model, parameters });
    expect(engine.name).toBe('tfjs');
    expect(engine.device.backend).toBe('wasm');
    const batch = batchOf([sequence(23), sequence(17), sequence(20)]);
    const first = await engine.step(batch, optimizer, 0);
    expect(first.loss).toBeCloseTo(Math.log(30), 0);
    let last = first;
    for (let step = 1; step < 150; step++) last = await engine.step(batch, optimizer, step);
    expect(last.loss).toBeLessThan(0.3);
    engine.dispose();
    expect(engine.memory().tensors).toBe(0);
  },
);

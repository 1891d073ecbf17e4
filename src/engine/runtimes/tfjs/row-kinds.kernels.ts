import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../base/batch.ts';
import { seededRandom } from '../../../base/random.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import { createEngine } from './create-engine.ts';

const sizes = { layers: 2, width: 24, heads: 3, context: 23, vocabulary: 30, dropout: 0.1, slots: null };
const models: ModelConfig[] = [
  {
    ...{ kind: 'performer', ...sizes, start: 'zero-out', kernel: 'softmax', features: 10 },
    ...{ redraw: 2, localHeads: 1, localWindow: 4 },
  },
  {
    ...{ kind: 'reformer', ...sizes, start: 'zero-out', pattern: 'local,lsh', chunk: 7, buckets: 4, rounds: 2 },
    ...{ positions: 'axial', axialRows: null, axialWidth: null },
  },
];
const optimizer = {
  ...{ learningRate: 3e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clipNorm: 1 },
  muon: null,
};

describe.skipIf(!navigator.gpu).each(models)('a $kind on webgpu (needs WebGPU)', (model) => {
  it('trains and answers as it does on the CPU', async () => {
    const random = seededRandom('row kinds in a browser');
    const parameters = initialParameters(model, random);
    const rows = [20, 23, 9].map((length) => [1, ...Array.from({ length: length - 1 }, () => 3 + random.below(27))]);
    const lives = await Promise.all(
      (['cpu', 'webgpu'] as const).map((backend) => createEngine({ backend, model, parameters })),
    );
    const found: number[][] = [];
    for (const engine of lives) {
      const losses: number[] = [];
      for (let step = 0; step < 3; step++) losses.push((await engine.step(batchOf(rows), optimizer, step)).loss);
      const [{ root, leaves }] = await engine.leafLogits([rows[0].slice(0, 18)], [[5, 9]]);
      found.push([...losses, ...root, ...leaves[1]]);
    }
    found[0].forEach((value, i) => expect(Math.abs(found[1][i] - value)).toBeLessThan(2e-3));
    for (const engine of lives) engine.dispose();
    expect(lives[0].memory().tensors).toBe(0);
  });
});

import { expect, it } from 'vitest';
import { batchOf } from '../../../base/batch.ts';
import { seededRandom } from '../../../base/random.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import { createWebgpuEngine } from './create-engine.ts';
import { openGraphics } from './graphics.ts';
import { emulatedShapes } from './lower.ts';

/** The kind with the fewest kernels, since both devices compile them. */
const model: ModelConfig = {
  ...{ kind: 'lstm', layers: 1, width: 16, context: 24, dropout: 0, vocabulary: 13, slots: null },
};
const optimizer = {
  ...{ learningRate: 1e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clipNorm: 1, muon: null },
};

it.skipIf(!navigator.gpu)(
  'a lost device rejects what was begun, and the next engine has a new one (needs WebGPU)',
  async () => {
    const options = { shapes: emulatedShapes, model, parameters: initialParameters(model, seededRandom('lost')) };
    const batch = batchOf([[1, 2, 3, 4]]);
    const engine = await createWebgpuEngine(options);
    await engine.step(batch, optimizer, 1);
    await engine.weightsTensor();
    const { device } = await openGraphics();
    const pending = engine.step(batch, optimizer, 2);
    device.destroy();
    await expect(pending).rejects.toMatchObject({ name: 'DeviceLostError', message: /graphics device was lost/ });
    await expect(engine.step(batch, optimizer, 3)).rejects.toMatchObject({ name: 'DeviceLostError' });
    engine.dispose();
    const next = await createWebgpuEngine(options);
    expect((await next.step(batch, optimizer, 1)).loss).toBeGreaterThan(0);
    expect((await next.weightsTensor()).shape).toEqual([
      [...options.parameters.values()].reduce((sum, { data }) => sum + data.length, 0),
    ]);
    next.dispose();
  },
);

import { afterEach, describe, expect, it, vi } from 'vitest';
import { batchOf } from '../../../base/batch.ts';
import { seededRandom } from '../../../base/random.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import type { NamedArrays } from '../../../models/parameters.ts';
import type { OptimizerSettings, Precision } from '../../engine.ts';
import { createWebgpuEngine, type WebgpuEngine } from './create-engine.ts';
import { openGraphics } from './graphics.ts';
import { emulatedShapes as shapes } from './lower.ts';

/** As wide as the model of the trial (trial.ts), so that its kernels are compiled once for both. */
const sizes = { layers: 2, width: 24, heads: 3, context: 24, vocabulary: 31, slots: null } as const;
const gpt2: ModelConfig = { kind: 'gpt2', ...sizes, dropout: 0.1, window: null, start: 'gpt2' };
/** One kind, since an emulated card takes half a minute for each; docs/log.md has the trials of the others. */
const models: ModelConfig[] = [gpt2];
const optimizer: OptimizerSettings = {
  ...{ learningRate: 3e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clipNorm: 1 },
  muon: { learningRate: 0.01, momentum: 0.9, weightDecay: 0.01 },
};
const start = (model: ModelConfig) => initialParameters(model, seededRandom('mixed'));
const engineOf = (model: ModelConfig, precision: Precision = 'mixed') =>
  createWebgpuEngine({ model, parameters: start(model), shapes, precision });

function someBatch(step: number) {
  const random = seededRandom('mixed batch', step);
  return batchOf([20, 13, 1, 7].map((length) => Array.from({ length }, () => 1 + random.below(30))));
}

async function steps(engine: WebgpuEngine, count: number) {
  const reports = [];
  for (let step = 1; step <= count; step++) reports.push(await engine.step(someBatch(step), optimizer, step));
  return reports;
}

const values = (arrays: NamedArrays) => [...arrays].map(([name, { data }]) => [name, [...data]]);

afterEach(() => vi.restoreAllMocks());

describe.skipIf(!navigator.gpu)('mixed precision on WebGPU (needs WebGPU)', () => {
  it.each(models)(
    'is admitted after fifty steps like those of full precision, and trains the same twice: $kind',
    async (model) => {
      const [one, other] = [await engineOf(model), await engineOf(model)];
      const capability = one.capabilities.find((capability) => capability.capability === 'f16')!;
      console.log(model.kind, JSON.stringify(capability));
      expect(capability.admitted).toBe(true);
      const { gradientError, parameterError, lossError } = capability.figures!;
      // Halves have eleven digits: something must be lost, and hardly more than that.
      for (const error of [gradientError, parameterError, lossError]) expect(error).toBeGreaterThan(1e-6);
      for (const error of [gradientError, parameterError, lossError]) expect(error).toBeLessThan(1e-2);
      expect(one.device.precision).toEqual({ used: 'mixed', reason: expect.stringContaining('trial on this device') });

      const [reports, again] = [await steps(one, 4), await steps(other, 4)];
      expect(again).toEqual(reports);
      expect(values(await other.parameters())).toEqual(values(await one.parameters()));
      const full = await engineOf(model, 'full');
      (await steps(full, 4)).forEach(({ loss, gradientNorm, tokens }, i) => {
        expect(reports[i].skipped).toBe(false);
        expect(reports[i].tokens).toBe(tokens);
        expect(Math.abs(reports[i].loss - loss)).toBeLessThan(1e-2 * loss);
        expect(Math.abs(reports[i].gradientNorm - gradientNorm)).toBeLessThan(2e-2 * gradientNorm);
      });
      for (const engine of [one, other, full]) engine.dispose();
    },
  );

  it('skips a step whose gradients overflow, by AdamW and by Muon, and goes on with the next', async () => {
    const engine = await engineOf(gpt2);
    await steps(engine, 2);
    const good = await engine.parameters();
    const loud = new Map([...good].map(([name, { shape, data }]) => [name, { shape, data: data.map((x) => 1e5 * x) }]));
    engine.setParameters(loud);
    const moments = await engine.optimizerState();
    for (const muon of [null, optimizer.muon]) {
      const report = await engine.step(someBatch(3), { ...optimizer, muon }, 3);
      expect(report.skipped).toBe(true);
      expect(report.gradientNorm).not.toSatisfy(Number.isFinite);
    }
    expect(values(await engine.parameters())).toEqual(values(loud));
    expect(values((await engine.optimizerState()).moments)).toEqual(values(moments.moments));
    engine.setParameters(good);
    const report = await engine.step(someBatch(3), optimizer, 3);
    expect(report.skipped).toBe(false);
    expect(report.gradientNorm).toBeGreaterThan(0);
    expect(values(await engine.parameters())).not.toEqual(values(good));
    engine.dispose();
  });

  it('needs no dispatch more than full precision and makes nothing after the first step', async () => {
    const dispatched = vi.spyOn(GPUComputePassEncoder.prototype, 'dispatchWorkgroups');
    const { device } = await openGraphics();
    const counts = [];
    for (const precision of ['full', 'mixed'] as const) {
      const engine = await engineOf(gpt2, precision);
      await steps(engine, 1);
      dispatched.mockClear();
      const made = (['createBuffer', 'createBindGroup', 'createComputePipelineAsync'] as const).map((maker) =>
        vi.spyOn(device, maker),
      );
      await steps(engine, 1);
      counts.push(dispatched.mock.calls.length);
      for (const spy of made) expect(spy).not.toHaveBeenCalled();
      made.forEach((spy) => spy.mockRestore());
      engine.dispose();
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it('is not tried where it was not asked for', async () => {
    const engine = await engineOf(gpt2, 'full');
    expect(engine.capabilities.at(-1)).toMatchObject({ capability: 'f16', admitted: false, figures: null });
    expect(engine.device.precision).toBeUndefined();
    expect((await steps(engine, 1))[0]).not.toHaveProperty('skipped');
    engine.dispose();
  });
});

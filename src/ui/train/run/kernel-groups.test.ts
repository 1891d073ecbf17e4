import { expect, it } from 'vitest';
import { presets } from '../../../config/presets.ts';
import { fuse } from '../../../engine/plan/fuse.ts';
import { emulatedShapes, lower } from '../../../engine/runtimes/webgpu/lower.ts';
import { buildPlan } from '../../../engine/plan/build-plan.ts';
import { optimizerCalls } from '../../../engine/plan/optimizer-plan.ts';
import { isCompiled, muonMatrices } from '../../../models/model.ts';
import { modelOf } from '../../../models/of-config.ts';
import { kernelGroups } from './kernel-groups.ts';

const time = (name: string, milliseconds: number) => ({ name, milliseconds, calls: 1 });

it('adds kernels up by purpose, in an order that does not change', () => {
  const times = [
    time('muon', 10),
    time('linearGradient', 30),
    time('linear', 50),
    time('embed', 6),
    time('new one', 4),
  ];
  const groups = [
    { name: 'matrix products', share: 0.8 },
    { name: 'optimiser', share: 0.1 },
    { name: 'other', share: 0.1 },
  ];
  expect(kernelGroups(times)).toEqual(groups);
  expect(kernelGroups(times.toReversed())).toEqual(groups);
});

it('has nothing to show of no time', () => {
  expect(kernelGroups([])).toEqual([]);
  expect(kernelGroups([time('linear', 0)])).toEqual([]);
});

const slots = { count: 2, states: 1, slot: new Array(100).fill(1), next: new Array(100).fill(0) };
const compiled = presets.filter(({ config }) => isCompiled(config.model.kind));

it.each(compiled)('knows what nearly all the work of $name is for, on WASM and on WebGPU', ({ config }) => {
  const model = modelOf(config, { size: 100, slots });
  const plan = buildPlan(model, true);
  const { calls, norm } = optimizerCalls(plan, config.optimizer.kind === 'muon' ? muonMatrices(model) : []);
  const all = [...plan.forward, ...plan.backward, ...calls];
  const options = { shapes: emulatedShapes, context: model.context, loss: plan.loss, lossScale: null };
  const launches = lower(fuse(all, [norm, plan.loss!]), options);
  // Arithmetic stands in for time.
  const webgpu = kernelGroups(launches.map((launch) => time(launch.name, launch.flops(1000))));
  expect(webgpu.find(({ name }) => name === 'other')?.share ?? 0).toBeLessThan(0.1);
  const wasm = kernelGroups(all.map(({ kernel }) => time(kernel, 1)));
  expect(wasm.find(({ name }) => name === 'other')?.share ?? 0).toBeLessThan(0.35);
});

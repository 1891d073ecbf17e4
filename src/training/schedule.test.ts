import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { PytorchFixture } from '../../fixtures/pytorch/compare.ts';
import { defaultPreset } from '../config/presets.ts';
import { optimizerAt, rateShareAt } from './schedule.ts';

const fixture = JSON.parse(
  readFileSync(new URL('../../fixtures/pytorch/gpt.json', import.meta.url), 'utf8'),
) as PytorchFixture;

it('is the rate PyTorch used in the fixture', () => {
  const steps = fixture.steps.length;
  const config = {
    optimizer: { ...defaultPreset.config.optimizer, learningRate: fixture.peak },
    schedule: { steps, warmup: fixture.warmupSteps / steps, floor: 0 },
  };
  fixture.steps.forEach((step, i) => expect(optimizerAt(config, i).learningRate).toBeCloseTo(step.learningRate, 12));
  expect(optimizerAt(config, steps).learningRate).toBe(0);
});

it('falls to the floor and no lower', () => {
  const schedule = { steps: 100, warmup: 0.1, floor: 0.25 };
  expect(rateShareAt(schedule, 10)).toBe(1);
  expect(rateShareAt(schedule, 55)).toBeCloseTo(0.625, 12);
  expect(rateShareAt(schedule, 100)).toBe(0.25);
  expect(rateShareAt(schedule, 1000)).toBe(0.25);
});

it('has sense without warm-up', () => {
  const schedule = { steps: 4, warmup: 0, floor: 0 };
  expect([0, 1, 2, 3].map((step) => rateShareAt(schedule, step))).toEqual([1, 0.75, 0.5, 0.25]);
});

it("moves Muon's rate with AdamW's and lets its momentum rise", () => {
  const config = {
    optimizer: {
      ...defaultPreset.config.optimizer,
      kind: 'muon' as const,
      learningRate: 4e-3,
      matrixRate: 0.02,
      matrixDecay: 0.01,
      momentum: 0.95,
      momentumStart: 0.85,
      momentumSteps: 100,
    },
    schedule: { steps: 1000, warmup: 0.05, floor: 0 },
  };
  expect(optimizerAt(config, 25)).toMatchObject({
    learningRate: 2e-3,
    muon: { learningRate: 0.01, weightDecay: 0.01 },
  });
  const momentumAt = (step: number) => optimizerAt(config, step).muon!.momentum;
  expect(momentumAt(0)).toBeCloseTo(0.85, 12);
  expect(momentumAt(50)).toBeCloseTo(0.9, 12);
  expect(momentumAt(100)).toBeCloseTo(0.95, 12);
  expect(momentumAt(900)).toBeCloseTo(0.95, 12);
  expect(optimizerAt({ ...config, optimizer: { ...config.optimizer, momentumSteps: 0 } }, 0).muon!.momentum).toBe(0.95);
  expect(Object.keys(optimizerAt(config, 0)).sort()).toEqual(
    ['learningRate', 'beta1', 'beta2', 'epsilon', 'weightDecay', 'clipNorm', 'muon'].sort(),
  );
});

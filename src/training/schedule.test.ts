import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { PytorchFixture } from '../../fixtures/pytorch/compare.ts';
import { defaultPreset } from '../config/presets.ts';
import { learningRateAt } from './schedule.ts';

const fixture = JSON.parse(
  readFileSync(new URL('../../fixtures/pytorch/gpt.json', import.meta.url), 'utf8'),
) as PytorchFixture;

it('is the rate PyTorch used in the fixture', () => {
  const steps = fixture.steps.length;
  const config = {
    optimizer: { ...defaultPreset.config.optimizer, learningRate: fixture.peak },
    schedule: { steps, warmup: fixture.warmupSteps / steps, floor: 0 },
  };
  fixture.steps.forEach((step, i) => expect(learningRateAt(config, i)).toBeCloseTo(step.learningRate, 12));
  expect(learningRateAt(config, steps)).toBe(0);
});

it('falls to the floor and no lower', () => {
  const config = {
    optimizer: { ...defaultPreset.config.optimizer, learningRate: 2 },
    schedule: { steps: 100, warmup: 0.1, floor: 0.25 },
  };
  expect(learningRateAt(config, 10)).toBe(2);
  expect(learningRateAt(config, 55)).toBeCloseTo(2 * 0.625, 12);
  expect(learningRateAt(config, 100)).toBe(0.5);
  expect(learningRateAt(config, 1000)).toBe(0.5);
});

it('has sense without warm-up', () => {
  const config = {
    optimizer: { ...defaultPreset.config.optimizer, learningRate: 1 },
    schedule: { steps: 4, warmup: 0, floor: 0 },
  };
  expect([0, 1, 2, 3].map((step) => learningRateAt(config, step))).toEqual([1, 0.75, 0.5, 0.25]);
});

import { expect, it } from 'vitest';
import { parseRunConfig } from '../../../config/run-config.ts';
import { operationsAStep } from '../../../studies/compute/step-cost.ts';
import { estimateRun } from './estimate.ts';
import { fittedConfig } from './fitted-config.ts';

const EVENTS = 80;
const at = (speed: number, domain = 'chess') => fittedConfig(domain, speed, EVENTS);

it('takes a deeper model the faster the device is, and never less than the smallest', () => {
  const names = [1e8, 3.4e10, 3e11, 3e12].map((speed) => at(speed).preset.name);
  expect(names).toEqual(['nano', 'nano', 'tiny', 'deep']);
});

it('takes as many steps as two minutes carry', () => {
  for (const speed of [1e10, 3.4e10, 1e11, 3e11]) {
    const { config } = at(speed);
    const seconds = (config.schedule.steps * operationsAStep(config, EVENTS)) / speed;
    if (config.schedule.steps < 8000) expect(Math.abs(seconds - 102)).toBeLessThan(8);
    expect(estimateRun(config, EVENTS, 'wasm', 1).parameters).toBeGreaterThan(1e5);
  }
  expect(at(1e5).config.schedule.steps).toBe(10);
});

it('gives a config that can be run, with its steps and evaluations alone changed where the model is the smallest', () => {
  for (const domain of ['chess', 'baseball', 'noughts'])
    for (const speed of [1e9, 1e11, 1e13]) {
      const { config, preset } = at(speed, domain);
      expect(parseRunConfig(config).ok).toBe(true);
      expect(config.domain).toBe(domain);
      expect(config.model.width).toBe(preset.config.model.width);
      expect(config.schedule.steps / config.evaluation.every).toBeLessThan(25);
    }
});

import { expect, it } from 'vitest';
import { InputError } from '../base/result.ts';
import { defaultPreset, presetNamed } from './presets.ts';
import { settled } from './settled.ts';

it('settles the steps of epochs once the games are known, and again without change', () => {
  const paper = presetNamed('gpt2-small')!.config;
  // Ten passes in batches of 60 over Train-S, Train-M, and a set that does not divide evenly.
  expect([15_000, 50_000, 61].map((games) => settled(paper, games).schedule.steps)).toEqual([2500, 8340, 20]);
  const once = settled(paper, 15_000);
  expect(settled(once, 15_000)).toEqual(once);
  expect(once.schedule).toMatchObject({ epochs: 10, patience: 1, keep: 'best', warmup: 0.1, floor: 0 });
  expect(once.optimizer).toMatchObject({ kind: 'adamw', learningRate: 5e-4, weightDecay: 0.01, clipNorm: 1 });
  expect(settled(defaultPreset.config, 15_000)).toBe(defaultPreset.config);
});

it('refuses more steps than a config may have, since no checkpoint of such a run could be read', () => {
  const { config } = defaultPreset;
  const endless = { ...config, schedule: { ...config.schedule, epochs: 10_000 } };
  expect(() => settled(endless, 200_000)).toThrow(InputError);
});

import { expect, test } from 'vitest';
import { defaultPreset } from '../../../config/presets.ts';
import { plannedUse, usedBy } from './used.ts';

const idle = { step: 0, steps: 0, progress: null, recentLoss: null, latest: null };

test('a run that has taken no step has used nothing', () => {
  expect(usedBy(idle, defaultPreset.config, 0)).toMatchObject({
    ...{ Parameters: '183,872', Steps: '0 of 0 (0.0%)', Tokens: '0', GFLOPs: '0', Seconds: '0.0' },
    ...{ Loss: '–', Perplexity: '–' },
  });
});

test('FLOPs follow from the tokens that were read', () => {
  const progress = {
    ...{ kind: 'progress' as const, step: 10, steps: 40, firstStep: 1, losses: new Float32Array(), tokens: 12_000 },
    ...{ tokensPerSecond: 1, secondsLeft: null, learningRate: 0, gradientNorm: 0 },
  };
  const run = { ...idle, step: 10, steps: 40, progress, recentLoss: 1.5 };
  const used = usedBy(run, defaultPreset.config, 1.26);
  expect(used).toMatchObject({ Steps: '10 of 40 (25.0%)', Tokens: '12,000', Seconds: '1.3', Loss: '1.500' });
  // Six for each of its 183,872 weights are a lower bound but for the slots, which are looked up.
  expect(Number(used.GFLOPs)).toBeGreaterThanOrEqual(15);
  expect(Number(used.GFLOPs)).toBeLessThanOrEqual(30);
});

test('what a run will use follows from its steps, and from its speed where time is what is equal', () => {
  const config = { ...defaultPreset.config, schedule: { ...defaultPreset.config.schedule, steps: 10 } };
  const planned = plannedUse(config, 75, 'tokens');
  // Four games of 75 moves of two tokens, and a name before 40% of them.
  expect(planned).toMatchObject({ Parameters: '183,872', Steps: '10', Tokens: '7,280', Optimiser: 'Muon' });
  expect(plannedUse(config, 75, 'seconds')).toMatchObject({
    ...{ Parameters: '183,872', Steps: 'as its speed allows', Tokens: 'as its speed allows' },
    GFLOPs: 'as its speed allows',
  });
});

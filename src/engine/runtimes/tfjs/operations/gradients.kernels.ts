import * as tf from '@tensorflow/tfjs-core';
import { describe, expect, it } from 'vitest';
import { gradientCases, slopeErrors } from '../../../../../fixtures/gradients/cases.ts';
import { loadBackend } from '../backend.ts';

describe.skipIf(!navigator.gpu).each(['webgpu'] as const)('gradients on %s (needs WebGPU)', (backend) => {
  it.each(gradientCases)('of $name are the slopes of its values', async (gradientCase) => {
    await loadBackend(backend);
    for (const error of await slopeErrors(gradientCase)) expect(error).toBeLessThan(2e-4);
    expect(tf.memory().numTensors).toBe(0);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareWithPytorch, type PytorchFixture } from '../../../fixtures/pytorch/compare.ts';
import { unwrap } from '../../base/result.ts';
import { readSafetensors } from '../../interchange/safetensors.ts';
import { createEngine } from './create-engine.ts';

const folder = new URL('../../../fixtures/pytorch/', import.meta.url);
const fixture = JSON.parse(readFileSync(new URL('gpt.json', folder), 'utf8')) as PytorchFixture;
const { tensors } = unwrap(readSafetensors(readFileSync(new URL('gpt.safetensors', folder))));

describe.each(['wasm', 'cpu'] as const)('ten steps on %s', (backend) => {
  it('are those of PyTorch', async () => {
    const engine = await createEngine({ backend, model: fixture.model, parameters: tensors });
    const differences = await compareWithPytorch(engine, fixture);
    expect(differences.logits).toBeLessThan(1e-5);
    expect(differences.loss).toBeLessThan(1e-5);
    expect(differences.gradientNorm).toBeLessThan(1e-5);
    expect(differences.logProbabilities).toBeLessThan(1e-5);
    engine.dispose();
    expect(engine.memory().tensors).toBe(0);
  });
});

it('the fixture exercises clipping and the whole schedule', () => {
  expect(fixture.steps).toHaveLength(10);
  expect(fixture.steps.every((step) => step.gradientNorm > fixture.optimizer.clipNorm)).toBe(true);
  expect(Math.max(...fixture.steps.map((step) => step.learningRate))).toBe(fixture.peak);
});

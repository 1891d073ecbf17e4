import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { comparePytorchCase, pytorchCases } from '../../../../fixtures/pytorch/cases.ts';
import { compareWithPytorch, type PytorchFixture } from '../../../../fixtures/pytorch/compare.ts';
import { unwrap } from '../../../base/result.ts';
import { muonMatrices } from '../../../models/model.ts';
import { readSafetensors } from '../../../interchange/safetensors.ts';
import { createEngine } from './create-engine.ts';

const folder = new URL('../../../../fixtures/pytorch/', import.meta.url);
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

  it.each(pytorchCases)('of $name are those of PyTorch', async ({ fixture }) => {
    const { engine, differences } = await comparePytorchCase(fixture, (model, parameters) =>
      createEngine({ backend, model, parameters }),
    );
    expect(differences.logits).toBeLessThan(1e-5);
    expect(differences.loss).toBeLessThan(1e-5);
    expect(differences.gradientNorm).toBeLessThan(1e-5);
    expect(differences.logProbabilities).toBeLessThan(1e-5);
    engine.dispose();
    expect(engine.memory().tensors).toBe(0);
  });
});

it('Muon keeps one moment of its matrices, AdamW two of the rest', async () => {
  const [{ fixture }] = pytorchCases;
  const { engine } = await comparePytorchCase(fixture, (model, parameters) =>
    createEngine({ backend: 'wasm', model, parameters }),
  );
  const { step, moments } = await engine.optimizerState();
  expect(step).toBe(10);
  const matrices = new Set(muonMatrices(fixture.model).map(({ name }) => name));
  expect(matrices.size).toBe(8);
  for (const [name, { data }] of moments) {
    const untouched = data.every((value) => value === 0);
    expect([name, untouched]).toEqual([name, name.startsWith('v.') && matrices.has(name.slice(2))]);
  }
  engine.dispose();
});

it('the fixture exercises clipping and the whole schedule', () => {
  expect(fixture.steps).toHaveLength(10);
  expect(fixture.steps.every((step) => step.gradientNorm > fixture.optimizer.clipNorm)).toBe(true);
  expect(Math.max(...fixture.steps.map((step) => step.learningRate))).toBe(fixture.peak);
});

it('the fixtures of the models exercise clipping, slots, a window and a rising momentum', () => {
  const [{ fixture: gpt2 }, , { fixture: lstm }] = pytorchCases;
  expect(gpt2.model).toMatchObject({ kind: 'gpt2', window: 7, slots: { count: 5 } });
  const momenta = gpt2.steps.map(({ muon }) => muon!.momentum);
  expect([momenta[0], momenta[9]]).toEqual([0.85, 0.95]);
  for (const { optimizer, steps } of [gpt2, lstm])
    expect(steps.every((step) => step.gradientNorm > optimizer.clipNorm)).toBe(true);
});

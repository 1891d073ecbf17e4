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

/** On the slow backend the first steps of one case of each kind of model: its operations are the same in the others. */
const slowCases = ['GPT-2 with slots', 'Qwen3 with AdamW', 'LSTM with slots', 'LFM2'];
const cases = pytorchCases.flatMap(({ name, fixture }) => [
  { backend: 'wasm' as const, name, fixture, steps: 10 },
  ...(slowCases.some((begins) => name.startsWith(begins))
    ? [{ backend: 'cpu' as const, name, fixture, steps: 3 }]
    : []),
]);

describe('steps', () => {
  it('on wasm are those of PyTorch, ten of them', async () => {
    const engine = await createEngine({ backend: 'wasm', model: fixture.model, parameters: tensors });
    const differences = await compareWithPytorch(engine, fixture);
    expect(differences.logits).toBeLessThan(1e-5);
    expect(differences.loss).toBeLessThan(1e-5);
    expect(differences.gradientNorm).toBeLessThan(1e-5);
    expect(differences.logProbabilities).toBeLessThan(1e-5);
    engine.dispose();
    expect(engine.memory().tensors).toBe(0);
  });

  it.each(cases)('on $backend of $name are those of PyTorch, $steps of them', async ({ backend, fixture, steps }) => {
    const { engine, differences } = await comparePytorchCase(
      fixture,
      (model, parameters) => createEngine({ backend, model, parameters }),
      steps,
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

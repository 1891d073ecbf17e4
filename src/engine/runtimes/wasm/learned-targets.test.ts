import { describe, expect, it } from 'vitest';
import { wasmHost } from '../../../../cli/wasm-host.ts';
import { learnedDifferences, learnedModels, nothingLearned } from '../../../../fixtures/parity/learned-targets.ts';
import { seededRandom } from '../../../base/random.ts';
import { initialParameters, type ModelConfig } from '../../../models/model.ts';
import type { NamedArrays } from '../../../models/parameters.ts';
import { createEngine } from '../tfjs/create-engine.ts';
import { createWasmEngine } from './engine.ts';

const device = { backend: 'wasm' as const, adapter: '', reason: '', available: [] };
const onWasm = (model: ModelConfig, parameters: NamedArrays) =>
  createWasmEngine({ host: wasmHost(2), model, parameters, device });
const onReference = (model: ModelConfig, parameters: NamedArrays) =>
  createEngine({ backend: 'cpu', model, parameters });

describe.each(learnedModels)('$kind', (model) => {
  it.each([
    ['WASM', onWasm],
    ['the reference', onReference],
  ])('learns from the named targets alone on %s', async (_, create) => {
    const differences = await learnedDifferences(model, create, onReference);
    expect(differences.loss).toBeLessThan(1e-5);
    expect(differences.reference).toBeLessThan(1e-4);
    expect(differences.logProbabilities).toBe(0);
  });
});

it.each([
  ['WASM', onWasm],
  ['the reference', onReference],
])('refuses a batch that names no target on %s', async (_, create) => {
  const [model] = learnedModels;
  const engine = await create(model, initialParameters(model, seededRandom('learned')));
  const optimizer = { learningRate: 1, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, clipNorm: 0, muon: null };
  const refused = engine.step(nothingLearned(), optimizer, 1);
  await expect(refused).rejects.toThrow(RangeError);
  await expect(refused).rejects.toThrow('no targets');
  expect((await engine.optimizerState()).step).toBe(0);
  engine.dispose();
});

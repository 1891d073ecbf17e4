import plain from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm?url';
import simd from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url';
import threaded from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-threaded-simd.wasm?url';
import { describe, expect, it } from 'vitest';
import { comparePytorchCase, pytorchCases } from '../../../../fixtures/pytorch/cases.ts';
import { compareWithPytorch, type PytorchFixture } from '../../../../fixtures/pytorch/compare.ts';
import fixtureJson from '../../../../fixtures/pytorch/gpt.json';
import weights from '../../../../fixtures/pytorch/gpt.safetensors?url';
import { unwrap } from '../../../base/result.ts';
import { readSafetensors } from '../../../interchange/safetensors.ts';
import { chooseDevice } from '../../device.ts';
import { createEngine } from './create-engine.ts';

const fixture = fixtureJson as PytorchFixture;
const wasmPaths = {
  'tfjs-backend-wasm.wasm': plain,
  'tfjs-backend-wasm-simd.wasm': simd,
  'tfjs-backend-wasm-threaded-simd.wasm': threaded,
};

describe.each(['webgpu', 'wasm'] as const)('ten steps in a browser on %s', (backend) => {
  it('are those of PyTorch', async ({ skip }) => {
    const device = await chooseDevice({ gpu: navigator.gpu, simd: true, wanted: backend });
    if (device.backend !== backend) skip(`no ${backend} here: ${device.reason}`);
    const bytes = new Uint8Array(await (await fetch(weights)).arrayBuffer());
    const parameters = unwrap(readSafetensors(bytes)).tensors;
    const engine = await createEngine({ backend, model: fixture.model, parameters, wasmPaths, device });
    const differences = await compareWithPytorch(engine, fixture);
    const before = engine.memory().tensors;
    console.log(backend, device.adapter, JSON.stringify(differences));
    expect(differences.logits).toBeLessThan(1e-4);
    expect(differences.loss).toBeLessThan(1e-4);
    expect(differences.gradientNorm).toBeLessThan(1e-4);
    expect(differences.logProbabilities).toBeLessThan(1e-4);
    const state = await engine.optimizerState();
    expect(state.step).toBe(10);
    const continuation = engine.continue(fixture.before.prompt.slice(0, 3));
    continuation.advance(fixture.before.prompt[3]);
    const [{ root }] = await engine.leafLogits([fixture.before.prompt.slice(0, 4)], [[]]);
    (await continuation.logits()).forEach((logit, i) => expect(Math.abs(logit - root[i])).toBeLessThan(1e-4));
    continuation.dispose();
    expect(engine.memory().tensors).toBe(before);
    engine.dispose();
    expect(engine.memory().tensors).toBe(0);
  });

  // On an emulated card each kind takes half a minute; there the compiled engine's own test has them all.
  it.for(backend === 'wasm' ? pytorchCases : [])(
    'of $name are those of PyTorch',
    async ({ name, fixture }, { skip }) => {
      const device = await chooseDevice({ gpu: navigator.gpu, simd: true, wanted: backend });
      if (device.backend !== backend) skip(`no ${backend} here: ${device.reason}`);
      const { engine, differences } = await comparePytorchCase(fixture, (model, parameters) =>
        createEngine({ backend, model, parameters, wasmPaths, device }),
      );
      console.log(backend, device.adapter, name, JSON.stringify(differences));
      for (const difference of Object.values(differences)) expect(difference).toBeLessThan(1e-4);
      engine.dispose();
      expect(engine.memory().tensors).toBe(0);
    },
  );
});

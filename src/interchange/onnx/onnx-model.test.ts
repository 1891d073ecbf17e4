import { describe, expect, it } from 'vitest';
import { ort } from '../../../fixtures/onnx-clients.ts';
import { models, parametersOf, promptsOf } from '../../../fixtures/small-models.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { createEngine } from '../../engine/runtimes/tfjs/create-engine.ts';
import type { ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { onnxModel } from './onnx-model.ts';
import { agreedAnswers, expectedLogits } from '../read-back.ts';
import { readBackOnnx } from './read-back.ts';

async function readBack(model: ModelConfig, type: 'f32' | 'f16' | 'q8', change = (_: NamedArrays) => {}) {
  const parameters = parametersOf(model);
  const engine = await createEngine({ backend: 'cpu', model, parameters });
  const expected = await expectedLogits(engine, promptsOf(model, seededRandom('prompts'), 24));
  engine.dispose();
  change(parameters);
  return unwrap(await readBackOnnx(ort, unwrap(onnxModel(model, parameters, type)), expected));
}

describe.each(Object.entries(models))('%s as ONNX', (_, model) => {
  it('answers as the model does, whole and token by token', async () => {
    const found = await readBack(model, 'f32');
    expect(found.maxLogitDifference).toBeLessThan(1e-4);
    expect(agreedAnswers(found).ok).toBe(true);
  });

  it('in 16 and 8 bits differs by little', async () => {
    expect((await readBack(model, 'f16')).maxLogitDifference).toBeLessThan(0.02);
    const eight = await readBack(model, 'q8');
    expect(eight.maxLogitDifference).toBeLessThan(1);
  });

  it('is refused where one weight is another', async () => {
    const found = await readBack(model, 'f32', (parameters) => {
      const [{ data }] = [...parameters.values()].slice(-2);
      data[3] += 0.1;
    });
    expect(agreedAnswers(found)).toMatchObject({ ok: false, error: { code: 'export-differs' } });
  });
});

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

/** The model's logits after some prompts, computed once. */
function answersOf(model: ModelConfig): () => ReturnType<typeof expectedLogits> {
  let answers: ReturnType<typeof expectedLogits> | null = null;
  return () =>
    (answers ??= createEngine({ backend: 'cpu', model, parameters: parametersOf(model) }).then(async (engine) => {
      const logits = await expectedLogits(engine, promptsOf(model, seededRandom('prompts'), 24));
      engine.dispose();
      return logits;
    }));
}

describe.each(Object.entries(models))('%s as ONNX', (_, model) => {
  const expected = answersOf(model);
  async function readBack(type: 'f32' | 'f16' | 'q8', change = (_: NamedArrays) => {}) {
    const parameters = parametersOf(model);
    change(parameters);
    return unwrap(await readBackOnnx(ort, unwrap(onnxModel(model, parameters, type)), await expected()));
  }

  it('answers as the model does, whole and token by token', async () => {
    const found = await readBack('f32');
    expect(found.maxLogitDifference).toBeLessThan(1e-4);
    expect(agreedAnswers(found).ok).toBe(true);
  });

  it('in 16 and 8 bits differs by little', async () => {
    expect((await readBack('f16')).maxLogitDifference).toBeLessThan(0.02);
    const eight = await readBack('q8');
    expect(eight.maxLogitDifference).toBeLessThan(1);
  });

  it('is refused where one weight is another', async () => {
    const found = await readBack('f32', (parameters) => {
      const [{ data }] = [...parameters.values()].slice(-2);
      data[3] += 0.1;
    });
    expect(agreedAnswers(found)).toMatchObject({ ok: false, error: { code: 'export-differs' } });
  });
});

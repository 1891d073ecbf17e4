import { describe, expect, it } from 'vitest';
import { models, parametersOf, promptsOf } from '../../../fixtures/small-models.ts';
import { tfjs } from '../../../fixtures/tfjs-client.ts';
import { seededRandom } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import { createEngine } from '../../engine/runtimes/tfjs/create-engine.ts';
import { initialParameters, type ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { agreedAnswers, expectedLogits } from '../read-back.ts';
import { graphModel, readBackTfjs } from './read-back.ts';
import { tfjsModel } from './tfjs-model.ts';

async function readBack(model: ModelConfig, change = (_: NamedArrays) => {}) {
  const parameters = parametersOf(model);
  const engine = await createEngine({ backend: 'cpu', model, parameters });
  const expected = await expectedLogits(engine, promptsOf(model, seededRandom('prompts'), 12));
  engine.dispose();
  change(parameters);
  return unwrap(await readBackTfjs(await tfjs(), unwrap(tfjsModel(model, parameters)), expected));
}

describe.each(Object.entries(models))('%s for TF.js', (_, model) => {
  it('answers as the model does', async () => {
    const found = await readBack(model);
    expect(found.maxLogitDifference).toBeLessThan(1e-4);
    expect(found.agreement).toBe(1);
  });

  it('answers each row of a batch as it does alone', async () => {
    const client = await tfjs();
    const reader = await graphModel(client, unwrap(tfjsModel(model, parametersOf(model))));
    const rows = [
      [1, 5, 9, 2, 7],
      [3, 3, 4, 8, 1],
    ];
    const together = await reader.logits(rows);
    const alone = await Promise.all(rows.map((row) => reader.logits([row])));
    const size = alone[0].length;
    for (const [i, logits] of alone.entries())
      logits.forEach((logit, at) => expect(together[i * size + at]).toBeCloseTo(logit, 4));
    reader.dispose();
  });

  it('is refused where one weight is another', async () => {
    const found = await readBack(model, (parameters) => {
      const [{ data }] = [...parameters.values()].slice(-2);
      data[3] += 0.1;
    });
    expect(agreedAnswers(found)).toMatchObject({ ok: false, error: { code: 'export-differs' } });
  });
});

it('cuts its weights into files of four megabytes, which are loaded as one', async () => {
  const model: ModelConfig = { ...models['a GPT-2'], kind: 'gpt2', vocabulary: 70_000 } as ModelConfig;
  const parameters = initialParameters(model, seededRandom('shards'));
  const files = unwrap(tfjsModel(model, parameters));
  expect([...files.keys()]).toEqual(['model.json', 'group1-shard1of2.bin', 'group1-shard2of2.bin']);
  const engine = await createEngine({ backend: 'cpu', model, parameters });
  const expected = await expectedLogits(engine, [[69_999, 3]]);
  engine.dispose();
  expect(unwrap(await readBackTfjs(await tfjs(), files, expected)).maxLogitDifference).toBeLessThan(1e-4);
});

it('refuses kinds without a graph, and says where TF.js cannot read what was written', async () => {
  const model: ModelConfig = { ...models['a GPT-2'], kind: 'reformer' } as ModelConfig;
  expect(tfjsModel(model, new Map())).toMatchObject({ ok: false, error: { code: 'graph-kind' } });
  const files = unwrap(tfjsModel(models['a GPT-2'], parametersOf(models['a GPT-2'])));
  files.delete('group1-shard1of1.bin');
  expect(await readBackTfjs(await tfjs(), files, [])).toMatchObject({ ok: false, error: { code: 'tfjs-unreadable' } });
});

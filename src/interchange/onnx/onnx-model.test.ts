import { describe, expect, it } from 'vitest';
import { ort } from '../../../fixtures/onnx-clients.ts';
import { seededRandom, type Random } from '../../base/random.ts';
import { unwrap } from '../../base/result.ts';
import type { SlotGrammar } from '../../base/slot-grammar.ts';
import { createEngine } from '../../engine/runtimes/tfjs/create-engine.ts';
import { initialParameters, type ModelConfig } from '../../models/model.ts';
import type { NamedArrays } from '../../models/parameters.ts';
import { onnxModel } from './onnx-model.ts';
import { agreeingOnnx, expectedLogits, readBackOnnx } from './read-back.ts';

const sizes = { vocabulary: 23, width: 16, heads: 2, context: 24, slots: null };
/** Two states by turns; a token's slot is its parity in the one, and 2 in the other. */
const slots: SlotGrammar = {
  ...{ count: 3, states: 2 },
  slot: Array.from({ length: 46 }, (_, at) => (at < 23 ? at % 2 : 2)),
  next: Array.from({ length: 46 }, (_, at) => Number(at < 23)),
};
const modern = { ...sizes, mlp: 24, rotaryBase: 1000 };
const models: Record<string, ModelConfig> = {
  'a GPT-2': { ...sizes, kind: 'gpt2', layers: 2, dropout: 0, window: null, start: 'gpt2' },
  'a GPT-2 with a window and an untied head': {
    ...{ ...sizes, kind: 'gpt2', layers: 2, dropout: 0, window: 5, start: 'gpt2', tied: false },
  },
  'a Qwen3': { ...modern, kind: 'qwen3', layers: 2, window: null },
  'a Qwen3 with a window, a shift and an untied head': {
    ...{ ...modern, kind: 'qwen3', layers: 2, window: 4, shift: 3, tied: false },
  },
  'an LFM2': { ...modern, kind: 'lfm2', pattern: 'cac', taps: 3 },
  'an LFM2 of one tap': { ...modern, kind: 'lfm2', pattern: 'ca', taps: 1, tied: false },
  'an LSTM with slots': { ...sizes, kind: 'lstm', layers: 1, dropout: 0, slots },
  'a GPT-2 with slots': { ...sizes, kind: 'gpt2', layers: 1, dropout: 0, window: null, start: 'gpt2', slots },
  'a Qwen3 with slots and a shift': { ...modern, kind: 'qwen3', layers: 1, window: null, shift: 1, slots },
  'an LSTM': { ...sizes, kind: 'lstm', layers: 2, dropout: 0 },
};

/** Parameters of which none is what it starts as, large enough that each counts. */
function parametersOf(model: ModelConfig): NamedArrays {
  const random = seededRandom('onnx');
  const parameters = initialParameters(model, random);
  for (const { data } of parameters.values()) for (let i = 0; i < data.length; i++) data[i] += 0.3 * random.normal();
  return parameters;
}

const promptsOf = ({ vocabulary, context }: ModelConfig, random: Random, count: number) =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: 1 + ((i * 7) % context) }, () => random.below(vocabulary)),
  );

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
    expect(agreeingOnnx(found).ok).toBe(true);
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
    expect(agreeingOnnx(found)).toMatchObject({ ok: false, error: { code: 'onnx-differs' } });
  });
});

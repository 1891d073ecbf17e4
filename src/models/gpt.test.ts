import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import type { GptConfig } from './gpt.ts';
import {
  initialParameters,
  parameterCount,
  parameterMismatch,
  parameterShapes,
  trainingFlopsPerToken,
} from './model.ts';

const small: GptConfig = {
  kind: 'gpt2',
  layers: 12,
  width: 768,
  heads: 12,
  context: 1024,
  dropout: 0.1,
  vocabulary: 50257,
  window: null,
  slots: null,
  start: 'gpt2',
};
const tiny: GptConfig = {
  kind: 'gpt2',
  layers: 2,
  width: 32,
  heads: 2,
  context: 64,
  dropout: 0,
  vocabulary: 77,
  window: null,
  slots: null,
  start: 'gpt2',
};

describe('GPT-2', () => {
  it('has the published number of parameters', () => {
    // Hugging Face's "gpt2" and "gpt2-medium", as their model cards and num_parameters() have them.
    expect(parameterCount(small)).toBe(124_439_808);
    expect(parameterCount({ ...small, layers: 24, width: 1024, heads: 16 })).toBe(354_823_168);
  });

  it('starts as GPT-2 does', () => {
    const parameters = initialParameters(tiny, seededRandom('gpt test'));
    expect([...parameters.keys()]).toEqual(parameterShapes(tiny).map(({ name }) => name));
    expect(parameterMismatch(tiny, parameters)).toBeNull();
    const spread = (name: string) => {
      const { data } = parameters.get(name)!;
      return Math.sqrt(data.reduce((sum, x) => sum + x * x, 0) / data.length);
    };
    expect(spread('transformer.wte.weight')).toBeCloseTo(0.02, 3);
    expect(spread('transformer.h.0.mlp.c_fc.weight')).toBeCloseTo(0.02, 3);
    expect(spread('transformer.h.1.mlp.c_proj.weight')).toBeCloseTo(0.01, 3);
    expect(spread('transformer.h.1.ln_2.weight')).toBe(1);
    expect(spread('transformer.h.1.attn.c_attn.bias')).toBe(0);
    expect(initialParameters(tiny, seededRandom('gpt test'))).toEqual(parameters);
    expect(initialParameters(tiny, seededRandom('another'))).not.toEqual(parameters);
  });

  it('tells a wrong parameter by name', () => {
    const parameters = initialParameters(tiny, seededRandom('gpt test'));
    expect(parameterMismatch({ ...tiny, layers: 3 }, parameters)).toContain('transformer.h.2.ln_1.weight is missing');
    expect(parameterMismatch({ ...tiny, layers: 1 }, parameters)).toContain('transformer.h.1');
    expect(parameterMismatch({ ...tiny, context: 65 }, parameters)).toContain('[64, 32] where the model has [65, 32]');
  });

  it('costs about six operations a parameter and token', () => {
    expect(trainingFlopsPerToken(small, 0) / (6 * parameterCount(small))).toBeCloseTo(1, 1);
    expect(trainingFlopsPerToken(small) - trainingFlopsPerToken(small, 0)).toBe(12 * 12 * 1024 * 768);
  });
});

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/random.ts';
import { unwrap } from '../base/result.ts';
import { deepened } from './deepen.ts';
import type { Lfm2Config } from './lfm2.ts';
import { initialParameters, parameterMismatch, type ModelConfig } from './model.ts';

const sizes = { width: 16, heads: 2, context: 32, vocabulary: 77 };
const lfm2: Lfm2Config = {
  ...{ kind: 'lfm2', ...sizes, pattern: 'caaa', mlp: 24, taps: 3, rotaryBase: 1000, slots: null },
};
const lstm: ModelConfig = { kind: 'lstm', layers: 2, width: 16, context: 32, vocabulary: 77, dropout: 0, slots: null };
const reason = (from: ModelConfig, to: ModelConfig) => {
  const grown = deepened(from, initialParameters(from, seededRandom('deepen')), to);
  return grown.ok ? null : grown.error.message;
};

describe('deepened', () => {
  const parameters = initialParameters(lfm2, seededRandom('deepen'));
  for (const { data } of parameters.values()) data.forEach((_, i) => (data[i] += 1));

  it('spreads copies that write nothing among the layers, and keeps every layer that was there', () => {
    const deeper: Lfm2Config = { ...lfm2, pattern: 'caaaaa' };
    const grown = unwrap(deepened(lfm2, parameters, deeper));
    expect(parameterMismatch(deeper, grown)).toBeNull();
    const same = (layer: number, before: number, part: string) =>
      expect(grown.get(`model.layers.${layer}.${part}.weight`)!.data).toEqual(
        parameters.get(`model.layers.${before}.${part}.weight`)!.data,
      );
    same(0, 0, 'conv.out_proj');
    // Old layers are 0, 1, 3 and 4 now; 2 and 5 copy what is below them.
    for (const [layer, before] of [1, 1, 2, 3, 3].map((old, i) => [i + 1, old]))
      same(layer, before, 'self_attn.q_proj');
    for (const [layer, before] of [
      [1, 1],
      [3, 2],
      [4, 3],
    ] as const)
      same(layer, before, 'self_attn.out_proj');
    for (const layer of [2, 5])
      for (const part of ['self_attn.out_proj', 'feed_forward.w2'])
        expect(grown.get(`model.layers.${layer}.${part}.weight`)!.data.every((value) => value === 0)).toBe(true);
  });

  it('copies, so that neither model changes with the other', () => {
    for (const model of [lfm2, lstm]) {
      const before = initialParameters(model, seededRandom('copies'));
      const grown = unwrap(deepened(model, before, model));
      for (const [name, { data }] of grown) {
        expect(data).toEqual(before.get(name)!.data);
        expect(data.buffer).not.toBe(before.get(name)!.data.buffer);
      }
    }
  });

  it('says what does not fit', () => {
    expect(reason(lfm2, { ...lfm2, pattern: 'ca' })).toContain('layers can be added, not taken away');
    expect(reason(lfm2, { ...lfm2, pattern: 'ccaaaa' })).toContain('their pattern is "caaaaa"');
    expect(reason(lfm2, { ...lfm2, width: 32 })).toContain('whose width is 16, and it wants 32');
    expect(reason(lfm2, { ...lfm2, rotaryBase: 10_000 })).toContain('rotaryBase');
    expect(reason(lfm2, { ...lfm2, tied: false })).toContain('tied');
    expect(reason({ ...lfm2, tied: false }, { ...lfm2, tied: true })).toContain('tied is false, and it wants true');
    expect(reason({ ...lfm2, tied: false }, lfm2)).toContain('tied');
    expect(reason(lfm2, { ...lfm2, tied: true })).toBeNull();
    const slots = { count: 1, states: 1, slot: new Array(77).fill(0), next: new Array(77).fill(0) };
    expect(reason(lfm2, { ...lfm2, slots })).toMatch(/one of the two has slots and the other none, or others\.$/);
    expect(reason(lfm2, lstm)).toContain('kind');
    expect(reason(lstm, { ...lstm, layers: 3 } as ModelConfig)).toContain('gpt2, qwen3 and lfm2 alone');
    expect(reason(lstm, { ...lstm, dropout: 0.5 } as ModelConfig)).toBeNull();
  });
});

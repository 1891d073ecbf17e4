import { describe, expect, it } from 'vitest';
import type { ModelConfig } from '../../../models/model.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { optimizerCalls } from '../../plan/optimizer-plan.ts';
import type { Buffer } from '../../plan/plan.ts';
import { fuse } from '../../plan/fuse.ts';
import { layOutLaunches } from './instance.ts';
import { cardShapes, emulatedShapes, lower } from './lower.ts';
import { halvesOf, inHalves, LOSS_SCALE } from './precision.ts';

const sizes = { layers: 4, width: 128, heads: 4, context: 352, vocabulary: 77, slots: null } as const;
const gpt2: ModelConfig = { kind: 'gpt2', ...sizes, dropout: 0.1, window: null, start: 'gpt2' };
const modern = { mlp: 344, rotaryBase: 1000, window: null } as const;
const qwen3: ModelConfig = { kind: 'qwen3', ...sizes, ...modern, shift: 3 };
const lfm2: ModelConfig = { kind: 'lfm2', ...sizes, ...modern, pattern: 'caaaa', taps: 3 };
const lstm: ModelConfig = { kind: 'lstm', ...sizes, dropout: 0.1 };

/** A step's launches, and which of the plan's buffers with a row a token are kept in 32 bits. */
function step(model: ModelConfig, mixed: boolean, shapes = emulatedShapes) {
  const plan = buildPlan(model, true);
  const { calls, norm } = optimizerCalls(plan, []);
  const fused = fuse([...plan.forward, ...plan.backward, ...calls], [norm, plan.loss!]);
  const marked = mixed ? inHalves(fused) : fused;
  const lossScale = mixed ? LOSS_SCALE : null;
  const launches = lower(marked, { shapes, context: model.context, loss: plan.loss, lossScale });
  const halves = halvesOf(marked);
  const tokens = plan.buffers.filter(({ rows, place }) => rows === 'tokens' && place.kind === 'activation');
  const kept = tokens.filter(({ id }) => !halves.has(id)).map(({ name }) => name);
  return { launches, bytes: 4 * layOutLaunches(launches, 1000, [norm as Buffer]).length, halves, kept };
}

describe('mixed precision', () => {
  it.each([gpt2, qwen3, lfm2])(
    'halves the memory of activations of $kind: only single numbers of a row keep 32 bits',
    (model) => {
      const [full, mixed] = [step(model, false), step(model, true)];
      expect(mixed.bytes / full.bytes).toBeGreaterThan(0.5);
      expect(mixed.bytes / full.bytes).toBeLessThan(0.51);
      for (const name of mixed.kept) expect(name).toMatch(/statistics$|log sums$|^loss$|normalised$/);
    },
  );

  it('leaves an LSTM its states, cells and gates', () => {
    const [full, mixed] = [step(lstm, false), step(lstm, true)];
    expect(mixed.bytes).toBeLessThan(0.9 * full.bytes);
    const own = mixed.kept.filter((name) => !/loss/.test(name));
    expect(own.filter((name) => !/weight_ih_l\d$|gates, gradient$|states$|cells$/.test(name))).toEqual([]);
    expect(own).toHaveLength(4 * sizes.layers);
  });

  it('marks nothing in full precision, and makes no launch more or less', () => {
    for (const model of [gpt2, qwen3, lfm2, lstm]) {
      const [full, mixed] = [step(model, false), step(model, true)];
      expect(full.halves.size).toBe(0);
      expect(full.launches.map(({ code }) => code).join()).not.toContain('unpack2x16float');
      expect(mixed.launches.map(({ name }) => name)).toEqual(full.launches.map(({ name }) => name));
    }
  });

  it('keeps 32 bits where a kernel would write element by element, and writes every kernel', () => {
    const odd = { width: 36, heads: 6, mlp: 42 } as const;
    const models: ModelConfig[] = [
      { ...gpt2, ...odd },
      { ...qwen3, ...odd },
      { ...lfm2, ...odd, width: 42 },
    ];
    for (const shapes of [emulatedShapes, cardShapes])
      for (const model of models) {
        const { kept } = step(model, true, shapes);
        expect(kept.filter((name) => /attended$/.test(name)).length).toBeGreaterThan(0);
        expect(kept.length).toBeLessThan(step(model, false).kept.length / 2);
      }
  });
});

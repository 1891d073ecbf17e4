import { expect, it } from 'vitest';
import { unwrap } from '../base/result.ts';
import { presets } from './presets.ts';
import { parseRunConfig } from './run-config.ts';

const { config } = presets[0];
const problem = (changes: object): string => {
  const parsed = parseRunConfig({ ...config, ...changes });
  return parsed.ok ? 'ok' : parsed.error.message;
};
const gpt2 = { kind: 'gpt2', layers: 2, width: 32, heads: 2, context: 64, dropout: 0 };
const qwen3 = { kind: 'qwen3', layers: 2, width: 32, heads: 2, mlp: 48, context: 64 };
const adamw = {
  kind: 'adamw',
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0,
  clipNorm: 1,
};

it('takes the presets as they are', () => {
  for (const preset of presets) expect(unwrap(parseRunConfig(preset.config))).toEqual(preset.config);
});

it('opens configs from before there were other models and optimisers', () => {
  const { model, optimizer } = unwrap(parseRunConfig({ ...config, model: gpt2, optimizer: adamw }));
  expect(model).toEqual({ ...gpt2, window: null, slots: false, start: 'gpt2' });
  expect(optimizer).toEqual(adamw);
});

it('takes every kind of model and optimiser, with defaults', () => {
  expect(unwrap(parseRunConfig({ ...config, model: qwen3 })).model).toEqual({
    ...qwen3,
    window: null,
    slots: false,
    rotaryBase: 10000,
  });
  const lstm = { kind: 'lstm', layers: 2, width: 33, context: 64, dropout: 0.1 };
  expect(unwrap(parseRunConfig({ ...config, model: lstm })).model).toEqual({ ...lstm, slots: false });
  const muon = { ...adamw, kind: 'muon', matrixRate: 0.012, matrixDecay: 0.01 };
  expect(unwrap(parseRunConfig({ ...config, optimizer: muon })).optimizer).toEqual({
    ...muon,
    momentum: 0.95,
    momentumStart: 0.85,
    momentumSteps: 150,
  });
});

it('names what is wrong', () => {
  expect(problem({ model: { ...gpt2, kind: 'rwkv' } })).toContain('model.kind');
  expect(problem({ model: { ...gpt2, mlp: 4 } })).toContain('model.mlp');
  expect(problem({ model: { ...gpt2, window: 0 } })).toContain('model.window');
  expect(problem({ model: { ...gpt2, heads: 3 } })).toContain('must be a multiple of model.heads (3)');
  expect(problem({ model: { ...qwen3, width: 30, heads: 2 } })).toContain('heads 15 wide');
  expect(problem({ optimizer: { ...adamw, matrixRate: 1 } })).toContain('optimizer.matrixRate');
  expect(problem({ optimizer: { ...adamw, kind: 'muon' } })).toContain('optimizer.matrixRate');
});

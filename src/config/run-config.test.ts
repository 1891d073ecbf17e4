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
const lfm2 = { kind: 'lfm2', pattern: 'ca', width: 32, heads: 2, mlp: 48, context: 64 };
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
  const old = Object.fromEntries(Object.entries(config).filter(([field]) => field !== 'precision'));
  const { model, optimizer, precision } = unwrap(parseRunConfig({ ...old, model: gpt2, optimizer: adamw }));
  expect(precision).toBe('full');
  expect(model).toEqual({ ...gpt2, window: null, slots: false, start: 'gpt2', tied: true });
  expect(optimizer).toEqual(adamw);
});

it('takes every kind of model and optimiser, with defaults', () => {
  expect(unwrap(parseRunConfig({ ...config, model: qwen3 })).model).toEqual({
    ...qwen3,
    window: null,
    slots: false,
    rotaryBase: 10000,
    tied: true,
    shift: 0,
  });
  expect(unwrap(parseRunConfig({ ...config, model: lfm2 })).model).toEqual({
    ...lfm2,
    ...{ taps: 3, rotaryBase: 10000, slots: false, tied: true },
  });
  const lstm = { kind: 'lstm', layers: 2, width: 33, context: 64, dropout: 0.1 };
  expect(unwrap(parseRunConfig({ ...config, model: lstm })).model).toEqual({ ...lstm, slots: false, truncation: null });
  const muon = { ...adamw, kind: 'muon', matrixRate: 0.012, matrixDecay: 0.01 };
  expect(unwrap(parseRunConfig({ ...config, optimizer: muon })).optimizer).toEqual({
    ...muon,
    momentum: 0.95,
    momentumStart: 0.85,
    momentumSteps: 150,
  });
});

it('takes the Reformer and the Performer, with the defaults of the paper', () => {
  const sizes = { layers: 2, width: 32, heads: 2, context: 64, dropout: 0.1 };
  expect(unwrap(parseRunConfig({ ...config, model: { kind: 'reformer', ...sizes } })).model).toEqual({
    ...{ kind: 'reformer', ...sizes, pattern: 'local,local,lsh,local', chunk: 50, buckets: 8, rounds: 1 },
    ...{ positions: 'axial', axialRows: null, axialWidth: null, slots: false, start: 'gpt2' },
  });
  expect(unwrap(parseRunConfig({ ...config, model: { kind: 'performer', ...sizes } })).model).toEqual({
    ...{ kind: 'performer', ...sizes, kernel: 'softmax', features: null, redraw: 1000 },
    ...{ localHeads: 0, localWindow: 50, slots: false, start: 'gpt2' },
  });
});

it('names what of a Reformer or a Performer does not fit together', () => {
  const sizes = { layers: 2, width: 32, heads: 2, context: 64, dropout: 0 };
  const reformer = (changes: object) => problem({ model: { kind: 'reformer', ...sizes, ...changes } });
  const performer = (changes: object) => problem({ model: { kind: 'performer', ...sizes, ...changes } });
  expect(reformer({ heads: 3 })).toContain('must be a multiple of model.heads (3)');
  expect(reformer({ pattern: 'local,global' })).toContain('a list of "local" and "lsh"');
  expect(reformer({ buckets: 5 })).toContain('5 must be 1 or an even number');
  expect(reformer({ buckets: 1 })).toBe('ok');
  expect(reformer({ chunk: 0 })).toContain('model.chunk');
  expect(reformer({ axialRows: 65 })).toContain('more of them than the context has tokens (64)');
  expect(reformer({ axialWidth: 32 })).toContain('leaves nothing of a width of 32');
  expect(reformer({ axialWidth: 32, positions: 'learned' })).toBe('ok');
  expect(performer({ heads: 5 })).toContain('must be a multiple of model.heads (5)');
  expect(performer({ localHeads: 3 })).toContain('3 of 2 heads cannot be local');
  expect(performer({ kernel: 'cosine' })).toContain('model.kernel');
});

it('names what is wrong', () => {
  expect(problem({ model: { ...gpt2, kind: 'rwkv' } })).toContain('model.kind');
  expect(problem({ precision: 'half' })).toContain('precision');
  expect(problem({ precision: 'mixed' })).toBe('ok');
  expect(problem({ model: { ...gpt2, mlp: 4 } })).toContain('model.mlp');
  expect(problem({ model: { ...gpt2, window: 0 } })).toContain('model.window');
  expect(problem({ model: { ...gpt2, tied: 'no' } })).toContain('model.tied');
  expect(problem({ model: { ...gpt2, tied: false, truncation: 30 } })).toContain('model.truncation');
  expect(problem({ model: { ...gpt2, heads: 3 } })).toContain('must be a multiple of model.heads (3)');
  expect(problem({ model: { ...qwen3, width: 30, heads: 2 } })).toContain('heads 15 wide');
  expect(problem({ model: { ...lfm2, pattern: 'ccc' } })).toContain('at least one a');
  expect(problem({ model: { ...lfm2, layers: 3 } })).toContain('model.layers');
  expect(problem({ model: { ...lfm2, width: 30, heads: 2 } })).toContain('heads 15 wide');
  expect(problem({ model: { ...qwen3, shift: 9 } })).toContain('model.shift');
  expect(problem({ optimizer: { ...adamw, matrixRate: 1 } })).toContain('optimizer.matrixRate');
  expect(problem({ optimizer: { ...adamw, kind: 'muon' } })).toContain('optimizer.matrixRate');
});

import { expect, test } from 'vitest';
import { exportLimits, limitText, modelLimits, refusing } from './export-limits.ts';
import { libraryOf, modelKinds, modelOfKind, type ModelSettings } from './model-schema.ts';
import { defaultPreset } from './presets.ts';
import type { RunConfig } from './run-config.ts';

const { config } = defaultPreset;
const model = (change: object): RunConfig => ({ ...config, model: { ...config.model, ...change } as ModelSettings });
const texts = (config: RunConfig, tokenizer = true) => exportLimits(config, tokenizer).map(limitText);

test('what is refused is what has no library and no graph', () => {
  for (const kind of modelKinds) {
    const settings = modelOfKind(config.model, kind);
    const refused = refusing(modelLimits(settings), 'transformers') !== null;
    expect({ kind, refused }).toEqual({ kind, refused: libraryOf(settings) !== 'Hugging Face' });
  }
  const graphs = modelKinds.filter((kind) => !refusing(modelLimits(modelOfKind(config.model, kind)), 'onnx'));
  expect(graphs).toEqual(['gpt2', 'qwen3', 'lfm2', 'lstm']);
});

test('each setting says what it costs', () => {
  expect(texts(config)).toEqual([]);
  expect(texts({ ...config, model: modelOfKind(config.model, 'reformer') })).toEqual([
    'Does not export to transformers, ONNX, TensorFlow.js or a PyTorch job: no library has a Reformer; its folder has a NumPy program that computes it.',
  ]);
  const qwen3 = modelOfKind(config.model, 'qwen3');
  expect(texts({ ...config, model: { ...qwen3, shift: 2 } as ModelSettings })[0]).toMatch(
    /^Does not export to transformers or a PyTorch job: .* no earlier tokens\.$/,
  );
  expect(texts({ ...config, model: { ...modelOfKind(config.model, 'gpt2'), window: 9 } as ModelSettings })[0]).toMatch(
    /no window, answers to longer sequences are others\.$/,
  );
  expect(texts(model({ slots: true }), false)).toEqual([
    'Exports have no tokenizer: patterns of text cannot tell the slots of this notation.',
  ]);
  const schedule = { ...config.schedule, patience: 2, keep: 'best' } as const;
  expect(exportLimits({ ...config, objective: 'valid', schedule }, true).map(({ setting }) => setting)).toEqual([
    'objective',
    'schedule.patience',
    'schedule.keep',
  ]);
});

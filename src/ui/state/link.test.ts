import { expect, it } from 'vitest';
import { presetNamed, presets } from '../../config/presets.ts';
import type { RunConfig } from '../../config/run-config.ts';
import { modelKinds } from '../../models/model.ts';
import { modelOfKind, optimizerOfKind } from './kinds.ts';
import { configFrom, queryOf } from './link.ts';

const plain = presetNamed('plain')!;
const opened = (query: string) => configFrom(new URLSearchParams(query), plain);

it('carries every field of every kind there and back', () => {
  const models: RunConfig['model'][] = [
    {
      kind: 'gpt2',
      layers: 2,
      width: 30,
      heads: 3,
      context: 99,
      dropout: 0.2,
      window: 17,
      slots: true,
      start: 'zero-out',
    },
    {
      kind: 'qwen3',
      layers: 3,
      width: 36,
      heads: 6,
      mlp: 50,
      context: 80,
      window: null,
      rotaryBase: 1000,
      slots: true,
    },
    { kind: 'lstm', layers: 1, width: 33, context: 64, dropout: 0.1, slots: true },
    {
      ...{ kind: 'reformer', layers: 2, width: 30, heads: 3, context: 99, dropout: 0.2, pattern: 'lsh,local' },
      ...{ chunk: 7, buckets: 4, rounds: 2, positions: 'axial', axialRows: 9, axialWidth: null },
      ...{ slots: true, start: 'zero-out' },
    },
    {
      ...{ kind: 'performer', layers: 2, width: 30, heads: 3, context: 99, dropout: 0.2, kernel: 'relu' },
      ...{ features: 11, redraw: 0, localHeads: 1, localWindow: 9, slots: false, start: 'gpt2' },
    },
  ];
  for (const model of models)
    for (const kind of ['adamw', 'muon'] as const)
      for (const preset of presets) {
        const optimizer = optimizerOfKind({ ...preset.config.optimizer, learningRate: 0.007 }, kind);
        const config = { ...preset.config, model, optimizer, seed: 12 };
        if (config.optimizer.kind === 'muon') Object.assign(config.optimizer, { matrixRate: 0.02, momentumSteps: 0 });
        const query = queryOf(config, preset, plain);
        expect(opened(query)).toEqual({ preset, config, failures: [] });
      }
});

it('is short where little differs', () => {
  const { config } = plain;
  expect(queryOf(config, plain, plain)).toBe('');
  expect(queryOf({ ...config, model: modelOfKind(config.model, 'lstm') }, plain, plain)).toBe('model.kind=lstm');
  expect(queryOf({ ...config, optimizer: optimizerOfKind(config.optimizer, 'muon') }, plain, plain)).toBe(
    'optimizer.kind=muon',
  );
});

it('opens links from before there were kinds', () => {
  const { config, failures } = opened(
    'model.layers=2&model.width=32&batch=2&optimizer.learningRate=0.001&data.limit=200',
  );
  expect(failures).toEqual([]);
  expect(config).toMatchObject({
    model: { kind: 'gpt2', layers: 2, width: 32, slots: false },
    optimizer: { kind: 'adamw', learningRate: 0.001 },
    batch: 2,
    data: { limit: 200 },
  });
});

it('takes a kind wherever in the query it stands, and fields that only fit together', () => {
  const { config, failures } = opened('model.mlp=64&model.width=30&model.heads=3&model.kind=qwen3');
  expect(failures).toEqual([]);
  expect(config.model).toMatchObject({ kind: 'qwen3', width: 30, heads: 3, mlp: 64 });
});

it('leaves out what does not fit, by name, and takes the rest', () => {
  const { config, failures } = opened('model.kind=rwkv&model.mlp=64&model.layers=banana&seed=4&model.colour=red');
  expect(config).toEqual({ ...plain.config, seed: 4 });
  expect(failures.map(({ code }) => code)).toEqual(['link-value', 'link-field', 'link-field', 'link-value']);
  expect(failures[0].message).toContain('model.kind=rwkv');
  expect(failures[1].message).toContain('a model or an optimiser of this kind does not have');
  expect(failures[2].message).toContain('this build does not know');
  expect(failures[3].message).toContain('model.layers=banana');
});

it('makes of any model one of each kind that the schema takes', () => {
  for (const { config } of presets)
    for (const kind of modelKinds) {
      const model = modelOfKind(config.model, kind);
      expect(opened(queryOf({ ...config, model }, plain, plain)).config.model).toEqual(model);
      expect(modelOfKind(model, 'gpt2')).toMatchObject({ layers: config.model.layers, width: config.model.width });
    }
});

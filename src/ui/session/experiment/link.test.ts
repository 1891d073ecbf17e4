import { expect, it } from 'vitest';
import { layersOf, modelKinds, modelOfKind } from '../../../config/model-schema.ts';
import { optimizerOfKind } from '../../../config/optimizers.ts';
import { presetNamed, presets } from '../../../config/presets.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { DOMAINS } from '../../../domains/domains.ts';
import { configFrom, queryOf } from './link.ts';
import { configIn, presetsOf } from './game-setup.ts';

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
      tied: false,
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
      tied: false,
      shift: 3,
    },
    { kind: 'lstm', layers: 1, width: 33, context: 64, dropout: 0.1, slots: true, truncation: 20 },
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
  expect(queryOf({ ...config, model: modelOfKind(config.model, 'lstm') }, plain, plain)).toBe(
    'preset=plain&model.kind=lstm',
  );
  expect(queryOf({ ...config, optimizer: optimizerOfKind(config.optimizer, 'muon') }, plain, plain)).toBe(
    'preset=plain&optimizer.kind=muon',
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

it.each(['abc', '', '1e999', 'NaN'])('says of “%s” for a number that it is none', (text) => {
  const { config, failures } = opened(`batch=${text}`);
  expect(config).toEqual(plain.config);
  expect(failures.map(({ message }) => message).join()).toContain(`must be a number, and is ${JSON.stringify(text)}`);
});

it('makes of any model one of each kind that the schema takes', () => {
  for (const { config } of presets)
    for (const kind of modelKinds) {
      const model = modelOfKind(config.model, kind);
      expect(opened(queryOf({ ...config, model }, plain, plain)).config.model).toEqual(model);
      expect(modelOfKind(model, 'gpt2')).toMatchObject({
        layers: layersOf(config.model),
        width: config.model.width,
      });
    }
});

it('carries the game, with its own games, notation and room for them', () => {
  const quickest = presetNamed('splat-nano')!;
  const { preset, config, failures } = opened('domain=baseball&batch=3');
  expect(failures).toEqual([]);
  expect(preset).toBe(quickest);
  expect(config).toMatchObject({
    domain: 'baseball',
    notation: 'splat',
    data: { games: 'invented-baseball', limit: null },
    model: { context: 1024 },
    batch: 3,
  });
  expect(queryOf(config, preset, plain)).toBe('domain=baseball&preset=splat-nano&batch=3');
});

it('carries every preset of every game there and back', () => {
  for (const { name } of DOMAINS)
    for (const preset of presetsOf(name)) {
      const config = { ...configIn(preset, name), seed: 5 };
      expect(opened(queryOf(config, preset, plain))).toEqual({ preset, config, failures: [] });
    }
});

it('tells of a game that is none, and of what a game does not have', () => {
  const cards = opened('domain=poker&seed=3');
  expect(cards.config).toEqual({ ...plain.config, seed: 3 });
  expect(cards.failures).toMatchObject([{ code: 'link-domain', message: expect.stringContaining('"poker"') }]);

  const tiny = opened('domain=baseball&preset=tiny');
  expect(tiny.config).toMatchObject({ domain: 'baseball', notation: 'splat' });
  expect(tiny.failures).toMatchObject([{ code: 'link-preset', message: expect.stringContaining('"tiny"') }]);

  const squares = opened('domain=baseball&notation=uci&seed=3');
  expect(squares.config).toMatchObject({ notation: 'splat', seed: 3 });
  expect(squares.failures).toMatchObject([{ code: 'link-value', message: expect.stringContaining('notation=uci') }]);
});

it('carries the questions of a fine-tuning whole, and says where they are none', () => {
  const preset = presetNamed('splat-nano')!;
  const questions: RunConfig['questions'] = {
    ...{ from: { id: 'run-7', name: '4 x 128, splat' }, perGame: 2, perLine: 1, goals: 'corrected', learn: 'answer' },
    own: [],
  };
  const config = { ...configIn(preset, 'baseball'), questions };
  expect(opened(queryOf(config, preset, plain))).toEqual({ preset, config, failures: [] });

  const { config: without, failures } = opened('domain=baseball&questions=many');
  expect(without.questions).toBeNull();
  expect(failures).toMatchObject([{ code: 'link-value', message: expect.stringContaining('questions=many') }]);
});

it('says in a few short messages what of a link of many settings it left out', () => {
  const { failures } = opened(Array.from({ length: 3000 }, (_, i) => `model.field${i}=${'1'.repeat(i)}`).join('&'));
  expect(failures).toHaveLength(5);
  const long = opened(`preset=${'a'.repeat(9000)}&batch=${'b'.repeat(9000)}&model.${'c'.repeat(9000)}=1`).failures;
  expect(long.map(({ code }) => code)).toEqual(['link-preset', 'link-field', 'link-value']);
  for (const { message } of long) expect(message.length).toBeLessThan(400);
});

it('carries what a run starts from', () => {
  const from = { id: 'shipped', name: 'the model of the lab' };
  const query = queryOf({ ...plain.config, from }, plain, plain);
  expect(opened(query)).toMatchObject({ config: { from }, failures: [] });
  expect(queryOf({ ...plain.config, from: undefined }, plain, plain)).toBe('');
  expect(opened('from=shipped').failures).toHaveLength(1);
});

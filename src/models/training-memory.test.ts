import { expect, it } from 'vitest';
import { presetNamed } from '../config/presets.ts';
import { modelOf } from './of-config.ts';
import { TAB_MEMORY, trainingMemory } from './training-memory.ts';

const plain = presetNamed('plain')!.config;
const modelWith = (settings: object) =>
  modelOf({ model: { ...plain.model, ...settings } as typeof plain.model }, { size: 77, slots: null });
const deep = modelWith({ layers: 48, width: 2048, heads: 16, context: 1024 });

it('lets every preset train, and what is below the budget', () => {
  const model = modelWith({});
  const fits = trainingMemory(model, plain.batch, 160, TAB_MEMORY);
  expect(fits).toMatchObject({ ok: true });
  const bytes = fits.ok ? fits.value : NaN;
  expect(trainingMemory(model, plain.batch, 160, { bytes, of: 'it' })).toMatchObject({ ok: true });
  expect(trainingMemory(model, plain.batch, 160, { bytes: bytes - 1, of: 'it' })).toMatchObject({ ok: false });
});

it('says how large a model is that no tab can train, and what makes it so', () => {
  const message = (rows: number, columns: number): string => {
    const refused = trainingMemory(deep, rows, columns, TAB_MEMORY);
    return refused.ok ? '' : refused.error.message;
  };
  // 48 layers of 12 x 2048² weights, at 16 bytes.
  expect(message(1, 16)).toMatch(
    /about (3[89]|4\d) GB of memory, and a browser tab has 16 GB .* 2,41\d million parameters.* fewer layers/,
  );
  expect(message(512, 1024)).toMatch(/about \d,\d{3} GB .*batches of 512 x 1,024 tokens: choose a smaller batch/);
});

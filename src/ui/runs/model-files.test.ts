import { expect, test } from 'vitest';
import { readModelFiles } from './model-files.ts';

const file = (name: string, bytes = 3): File => new File([new Uint8Array(bytes)], name);

test('a folder’s files are read by name, and what is no part of a model is left out', async () => {
  const given = [file('model.safetensors', 9), file('blindfold.json'), file('README.md'), file('pytorch_model.bin')];
  const read = await readModelFiles(given, 'my-model');
  expect(read).toMatchObject({ ok: true, value: { name: 'my-model' } });
  if (read.ok)
    expect([...read.value.files].map(([name, { length }]) => [name, length])).toEqual([
      ['model.safetensors', 9],
      ['blindfold.json', 3],
    ]);
});

test('without a folder the weights give the name', async () => {
  const read = await readModelFiles([file('blindfold.json'), file('tiny-1-step-30.zip')], null);
  expect(read).toMatchObject({ ok: true, value: { name: 'tiny-1-step-30' } });
});

test('nothing, other files and far too much are refused with what to bring', async () => {
  expect(await readModelFiles([], null)).toMatchObject({ error: { code: 'no-model' } });
  const picture = await readModelFiles([file('cat.png')], null);
  expect(picture).toMatchObject({ error: { code: 'no-model', message: expect.stringContaining('cat.png') as string } });
  const huge = Object.defineProperty(file('model.safetensors'), 'size', { value: 5e9 });
  expect(await readModelFiles([huge], null)).toMatchObject({ error: { code: 'model-too-large' } });
});
